#include "harness/judge/judge_kernels.hpp"

#include <algorithm>
#include <cstring>

#include "harness/judge/device_source.hpp"

namespace kgen::judge {
namespace {

constexpr unsigned kBlock = 256;
constexpr I64 kItemsPerThread = 4;

Result<compile::CompileResult> compile_own(const core::DeviceFacts& facts, const CompileAll& compile_all) {
  compile::CompileRequest request;
  request.source = device_source();
  request.kernels = {"kgen_fill",       "kgen_compare", "kgen_hash",
                     "kgen_find_other", "kgen_decode",  "kgen_absolute"};
  request.arch = facts.arch;
  auto results = compile_all({request});
  if (!results.front().ok) {
    return fail(
        ErrorKind::missing,
        "the judge's own kernels do not compile: " + results.front().message + "\n" + results.front().log,
        "see `kgen doctor`");
  }
  return std::move(results.front());
}

}  // namespace

Result<JudgeKernels> JudgeKernels::load(const core::DeviceFacts& facts, const CompileAll& compile_all) {
  KGEN_TRY(const auto compiled, compile_own(facts, compile_all));
  JudgeKernels out;
  CUmodule module = nullptr;
  KGEN_CHECK(KGEN_CU(cuModuleLoadData, &module, compiled.cubin.data()));
  out.module_ = cuda::Module(module);
  CUfunction* const functions[] = {&out.fill_,       &out.compare_, &out.hash_,
                                   &out.find_other_, &out.decode_,  &out.absolute_};
  for (std::size_t i = 0; i < std::size(functions); ++i) {
    KGEN_CHECK(
        KGEN_CU(cuModuleGetFunction, functions[i], module, compiled.kernels.at(i).lowered_name.c_str()));
  }
  KGEN_TRY(out.stream_, cuda::make_stream());
  KGEN_TRY(out.results_, cuda::DeviceBuffer::allocate(kResultWords * 8));
  KGEN_TRY(out.host_results_, cuda::PinnedBuffer::allocate(kResultWords * 8));
  out.most_blocks_ = static_cast<unsigned>(facts.num_sms) * 16;
  return out;
}

CUdeviceptr JudgeKernels::result(int word) const {
  return results_.address() + static_cast<CUdeviceptr>(word) * 8;
}

Status JudgeKernels::launch(CUfunction function, I64 items, void** arguments) const {
  CUlaunchConfig config{};
  const I64 blocks = (items + kBlock * kItemsPerThread - 1) / (kBlock * kItemsPerThread);
  config.gridDimX = static_cast<unsigned>(std::clamp<I64>(blocks, 1, most_blocks_));
  config.gridDimY = config.gridDimZ = 1;
  config.blockDimX = kBlock;
  config.blockDimY = config.blockDimZ = 1;
  config.hStream = stream_.get();
  return KGEN_CU(cuLaunchKernelEx, &config, function, arguments, nullptr);
}

Status JudgeKernels::fill(CUdeviceptr out, const FillParams& params, I64 count) const {
  if (count == 0) return {};
  FillParams copy = params;
  void* arguments[] = {&out, &copy, &count};
  return launch(fill_, count, arguments);
}

Status JudgeKernels::decode(CUdeviceptr data, int dtype, CUdeviceptr out, I64 count) const {
  if (count == 0) return {};
  void* arguments[] = {&data, &dtype, &out, &count};
  return launch(decode_, count, arguments);
}

Status JudgeKernels::absolute(CUdeviceptr values, I64 count) const {
  if (count == 0) return {};
  void* arguments[] = {&values, &count};
  return launch(absolute_, count, arguments);
}

Status JudgeKernels::compare(CUdeviceptr got, CUdeviceptr expected, CUdeviceptr scale,
                             const ToleranceParams& params, I64 count, int word) const {
  if (count == 0) return {};
  ToleranceParams copy = params;
  CUdeviceptr out = result(word);
  void* arguments[] = {&got, &expected, &scale, &copy, &count, &out};
  return launch(compare_, count, arguments);
}

Status JudgeKernels::hash(CUdeviceptr data, I64 bytes, U64 key, int word) const {
  if (bytes == 0) return {};
  CUdeviceptr out = result(word);
  void* arguments[] = {&data, &bytes, &key, &out};
  return launch(hash_, (bytes + 7) / 8, arguments);
}

Status JudgeKernels::find_other(CUdeviceptr data, I64 bytes, unsigned char pattern, int word) const {
  if (bytes == 0) return {};
  unsigned wanted = pattern;
  CUdeviceptr out = result(word);
  void* arguments[] = {&data, &bytes, &wanted, &out};
  return launch(find_other_, bytes, arguments);
}

Status JudgeKernels::set_bytes(CUdeviceptr data, unsigned char value, I64 bytes) const {
  if (bytes == 0) return {};
  return KGEN_CU(cuMemsetD8Async, data, value, static_cast<std::size_t>(bytes), stream_.get());
}

Status JudgeKernels::clear_results(std::initializer_list<int> ones) {
  KGEN_CHECK(set_bytes(results_.address(), 0, kResultWords * 8));
  for (const int word : ones) KGEN_CHECK(set_bytes(result(word), 0xff, 8));
  return {};
}

Result<const U64*> JudgeKernels::results() {
  KGEN_CHECK(
      KGEN_CU(cuMemcpyDtoHAsync, host_results_.data(), results_.address(), kResultWords * 8, stream_.get()));
  KGEN_CHECK(wait());
  return reinterpret_cast<const U64*>(host_results_.data());
}

Status JudgeKernels::wait() const {
  return KGEN_CU(cuStreamSynchronize, stream_.get());
}

}  // namespace kgen::judge
