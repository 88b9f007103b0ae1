#include "harness/run/l2_flush.hpp"

#include <array>
#include <string>

#include "harness/run/device_attribute.hpp"
#include "harness/run/fault_table.hpp"
#include "harness/run/run_process.hpp"
#include "util/embedded.hpp"

namespace kgen::embedded {
std::span<const util::EmbeddedFile> run_kernels();
}

namespace kgen::run {
namespace {

constexpr unsigned kFlushThreads = 256, kBlocksPerSm = 8;

RunResult<void> check_flush(CUresult code) {
  return check_world(code, "flushing the L2");
}

template <class T>
RunResult<T> or_failure(Result<T> result) {
  if (result) return std::move(*result);
  return tl::unexpected<RunFailure>(
      RunFailure{RunFailure::Kind::world, "flush", {}, result.error().text(), -1});
}

}  // namespace

std::string_view own_kernels_source() {
  static const std::string text = [] {
    std::string all;
    for (const auto& file : embedded::run_kernels()) all += file.text;
    return all;
  }();
  return text;
}

RunResult<L2Flush> L2Flush::load(std::string_view cubin) {
  L2Flush out;
  if (cubin.empty()) return out;
  const auto& driver = cuda::driver();
  CUmodule module = nullptr;
  const std::string image(cubin);
  KGEN_CHECK(check_flush(driver.cuModuleLoadData(&module, image.c_str())));
  out.module_ = cuda::Module(module);
  KGEN_CHECK(check_flush(driver.cuModuleGetFunction(&out.write_, module, "kgen_flush_write")));
  KGEN_CHECK(check_flush(driver.cuModuleGetFunction(&out.read_, module, "kgen_flush_read")));
  KGEN_CHECK(check_flush(driver.cuFuncLoad(out.write_)));
  KGEN_CHECK(check_flush(driver.cuFuncLoad(out.read_)));
  KGEN_TRY(const int num_sms, device_attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT));
  out.blocks_ = static_cast<unsigned>(num_sms) * kBlocksPerSm;
  KGEN_TRY(out.sink_, or_failure(cuda::DeviceBuffer::allocate(256)));
  return out;
}

RunResult<void> L2Flush::reserve(std::int64_t bytes) {
  bytes_ = bytes / 16 * 16;
  if (bytes_ <= buffer_.bytes()) return {};
  if (!module_) {
    return tl::unexpected<RunFailure>(
        RunFailure{RunFailure::Kind::world, "flush", {}, "no flush kernels were given at the start", -1});
  }
  buffer_ = {};
  KGEN_TRY(buffer_, or_failure(cuda::DeviceBuffer::allocate(bytes_)));
  return {};
}

RunResult<void> L2Flush::enqueue(CUstream stream) const {
  if (bytes_ == 0) return {};
  CUdeviceptr data = buffer_.address(), sink = sink_.address();
  unsigned long long count = static_cast<unsigned long long>(bytes_) / 16;
  unsigned value = 0x5a5a5a5a;
  std::array<void*, 3> write_args{&data, &count, &value}, read_args{&data, &count, &sink};
  CUlaunchConfig config{};
  config.gridDimX = blocks_;
  config.gridDimY = config.gridDimZ = 1;
  config.blockDimX = kFlushThreads;
  config.blockDimY = config.blockDimZ = 1;
  config.hStream = stream;
  KGEN_CHECK(check_flush(cuda::driver().cuLaunchKernelEx(&config, write_, write_args.data(), nullptr)));
  return check_flush(cuda::driver().cuLaunchKernelEx(&config, read_, read_args.data(), nullptr));
}

}  // namespace kgen::run
