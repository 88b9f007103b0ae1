#include "harness/run/leftover_scrub.hpp"

#include <array>
#include <string>

#include "harness/run/device_attribute.hpp"
#include "harness/run/fault_table.hpp"

namespace kgen::run {
namespace {

constexpr unsigned kScrubThreads = 1024;

RunResult<void> check_scrub(CUresult code) {
  return check_world(code, "scrubbing the multiprocessors");
}

}  // namespace

RunResult<LeftoverScrub> LeftoverScrub::load(std::string_view cubin) {
  LeftoverScrub out;
  if (cubin.empty()) return out;
  const auto& driver = cuda::driver();
  CUmodule module = nullptr;
  const std::string image(cubin);
  KGEN_CHECK(check_scrub(driver.cuModuleLoadData(&module, image.c_str())));
  out.module_ = cuda::Module(module);
  KGEN_CHECK(check_scrub(driver.cuModuleGetFunction(&out.kernel_, module, "kgen_scrub")));
  KGEN_CHECK(check_scrub(driver.cuFuncLoad(out.kernel_)));
  KGEN_TRY(const int num_sms, device_attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT));
  KGEN_TRY(const int shared, device_attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN));
  out.blocks_ = static_cast<unsigned>(num_sms);
  out.shared_bytes_ = static_cast<unsigned>(shared);
  KGEN_CHECK(check_scrub(
      driver.cuFuncSetAttribute(out.kernel_, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, shared)));
  auto sink = cuda::DeviceBuffer::allocate(256);
  if (!sink)
    return tl::unexpected<RunFailure>(
        RunFailure{RunFailure::Kind::world, "scrub", {}, sink.error().text(), -1});
  out.sink_ = std::move(*sink);
  return out;
}

RunResult<void> LeftoverScrub::enqueue(CUstream stream) const {
  if (kernel_ == nullptr) return {};
  unsigned words = shared_bytes_ / 4, pattern = kPattern;
  CUdeviceptr sink = sink_.address();
  std::array<void*, 3> args{&words, &pattern, &sink};
  CUlaunchConfig config{};
  config.gridDimX = blocks_;
  config.gridDimY = config.gridDimZ = 1;
  config.blockDimX = kScrubThreads;
  config.blockDimY = config.blockDimZ = 1;
  config.sharedMemBytes = shared_bytes_;
  config.hStream = stream;
  return check_scrub(cuda::driver().cuLaunchKernelEx(&config, kernel_, args.data(), nullptr));
}

}  // namespace kgen::run
