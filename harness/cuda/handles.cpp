#include "harness/cuda/handles.hpp"

#include <algorithm>
#include <cstring>

#include "util/hex.hpp"

namespace kgen::cuda {
namespace {

constexpr std::int64_t kShareableGranularity = std::int64_t{2} << 20;

std::int64_t round_up(std::int64_t value, std::int64_t step) {
  return (value + step - 1) / step * step;
}

Result<CUdeviceptr> allocate_bytes(std::int64_t bytes) {
  CUdeviceptr address = 0;
  const CUresult code = driver().cuMemAlloc(&address, static_cast<std::size_t>(bytes));
  if (code != CUDA_ERROR_OUT_OF_MEMORY) {
    KGEN_CHECK(check(code, "cuMemAlloc", __FILE__, __LINE__));
    return address;
  }
  std::size_t free_bytes = 0, total_bytes = 0;
  driver().cuMemGetInfo(&free_bytes, &total_bytes);
  return fail(ErrorKind::missing,
              "out of device memory: " + std::to_string(bytes) + " bytes wanted, " +
                  std::to_string(free_bytes) + " of " + std::to_string(total_bytes) + " free",
              "use a smaller shape, or end what else uses the device");
}

}  // namespace

void destroy(CUstream stream) noexcept {
  driver().cuStreamDestroy(stream);
}
void destroy(CUevent event) noexcept {
  driver().cuEventDestroy(event);
}
void destroy(CUmodule module) noexcept {
  driver().cuModuleUnload(module);
}
void destroy(CUgraph graph) noexcept {
  driver().cuGraphDestroy(graph);
}
void destroy(CUgraphExec graph) noexcept {
  driver().cuGraphExecDestroy(graph);
}

Result<Stream> make_stream() {
  CUstream stream = nullptr;
  KGEN_CHECK(KGEN_CU(cuStreamCreate, &stream, CU_STREAM_NON_BLOCKING));
  return Stream(stream);
}

Result<Event> make_event() {
  CUevent event = nullptr;
  KGEN_CHECK(KGEN_CU(cuEventCreate, &event, CU_EVENT_DEFAULT));
  return Event(event);
}

Result<double> elapsed_us(const Event& start, const Event& stop) {
  float ms = 0;
  KGEN_CHECK(KGEN_CU(cuEventElapsedTime, &ms, start.get(), stop.get()));
  return static_cast<double>(ms) * 1000.0;
}

Result<Context> Context::retain(int device_index) {
  KGEN_CHECK(load_driver());
  Context out;
  KGEN_CHECK(KGEN_CU(cuDeviceGet, &out.device_, device_index));
  KGEN_CHECK(KGEN_CU(cuDevicePrimaryCtxRetain, &out.context_, out.device_));
  KGEN_CHECK(out.make_current());
  return out;
}

Context::Context(Context&& other) noexcept
    : device_(other.device_), context_(std::exchange(other.context_, nullptr)) {}

Context& Context::operator=(Context&& other) noexcept {
  std::swap(device_, other.device_);
  std::swap(context_, other.context_);
  return *this;
}

Context::~Context() {
  if (context_ != nullptr) driver().cuDevicePrimaryCtxRelease(device_);
}

Status Context::make_current() const {
  return KGEN_CU(cuCtxSetCurrent, context_);
}

Result<DeviceBuffer> DeviceBuffer::allocate(std::int64_t bytes) {
  return allocate_exact(bytes <= 0 ? 0 : round_up(bytes, 256));
}

Result<DeviceBuffer> DeviceBuffer::allocate_exact(std::int64_t bytes) {
  DeviceBuffer out;
  if (bytes <= 0) return out;
  out.bytes_ = bytes;
  KGEN_TRY(out.address_, allocate_bytes(out.bytes_));
  return out;
}

Result<DeviceBuffer> DeviceBuffer::allocate_shareable(std::int64_t bytes) {
  return allocate(round_up(std::max<std::int64_t>(bytes, 1), kShareableGranularity));
}

DeviceBuffer::DeviceBuffer(DeviceBuffer&& other) noexcept
    : address_(std::exchange(other.address_, 0)), bytes_(std::exchange(other.bytes_, 0)) {}

DeviceBuffer& DeviceBuffer::operator=(DeviceBuffer&& other) noexcept {
  std::swap(address_, other.address_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

DeviceBuffer::~DeviceBuffer() {
  if (address_ != 0) driver().cuMemFree(address_);
}

Result<std::string> DeviceBuffer::ipc_handle() const {
  CUipcMemHandle handle{};
  KGEN_CHECK(KGEN_CU(cuIpcGetMemHandle, &handle, address_));
  return util::to_hex(std::string_view(handle.reserved, sizeof handle.reserved));
}

Result<PinnedBuffer> PinnedBuffer::allocate(std::int64_t bytes) {
  PinnedBuffer out;
  if (bytes <= 0) return out;
  void* data = nullptr;
  KGEN_CHECK(KGEN_CU(cuMemAllocHost, &data, static_cast<std::size_t>(bytes)));
  out.data_ = static_cast<std::byte*>(data);
  out.bytes_ = bytes;
  return out;
}

PinnedBuffer::PinnedBuffer(PinnedBuffer&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

PinnedBuffer& PinnedBuffer::operator=(PinnedBuffer&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

PinnedBuffer::~PinnedBuffer() {
  if (data_ != nullptr) driver().cuMemFreeHost(data_);
}

Result<IpcMapping> IpcMapping::open(std::string_view hex_handle) {
  CUipcMemHandle handle{};
  const auto bytes = util::from_hex(hex_handle);
  if (!bytes || bytes->size() != sizeof handle.reserved) {
    return fail(ErrorKind::internal, "a memory handle that is not " +
                                         std::to_string(2 * sizeof handle.reserved) + " hexadecimal digits");
  }
  std::memcpy(handle.reserved, bytes->data(), sizeof handle.reserved);
  IpcMapping out;
  KGEN_CHECK(KGEN_CU(cuIpcOpenMemHandle, &out.address_, handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
  return out;
}

IpcMapping::IpcMapping(IpcMapping&& other) noexcept : address_(std::exchange(other.address_, 0)) {}

IpcMapping& IpcMapping::operator=(IpcMapping&& other) noexcept {
  std::swap(address_, other.address_);
  return *this;
}

IpcMapping::~IpcMapping() {
  if (address_ != 0) driver().cuIpcCloseMemHandle(address_);
}

}  // namespace kgen::cuda
