#pragma once

#include <array>
#include <string_view>

#include "harness/cuda/handles.hpp"
#include "harness/judge/host_kernels.hpp"
#include "harness/judge/workplace.hpp"

namespace kgen::judge {

/// The judge's own kernels (kernels/judge.cu) in the current context, each put on one stream. Results come
/// back through a small pinned buffer.
class JudgeKernels {
 public:
  static constexpr int kResultWords = 512;

  JudgeKernels() = default;
  /// Compiles device_source() for the device and loads it.
  static Result<JudgeKernels> load(const core::DeviceFacts& facts, const CompileAll& compile_all);

  Status fill(CUdeviceptr out, const FillParams& params, I64 count) const;
  Status decode(CUdeviceptr data, int dtype, CUdeviceptr out, I64 count) const;
  /// Makes every double its absolute value.
  Status absolute(CUdeviceptr values, I64 count) const;
  /// Three result words from `word` on: wrong, bits of the worst ratio, first wrong index.
  Status compare(CUdeviceptr got, CUdeviceptr expected, CUdeviceptr scale, const ToleranceParams& params,
                 I64 count, int word) const;
  /// Adds to one result word.
  Status hash(CUdeviceptr data, I64 bytes, U64 key, int word) const;
  /// Two result words: how many bytes differ from `pattern`, and the first one's offset.
  Status find_other(CUdeviceptr data, I64 bytes, unsigned char pattern, int word) const;
  Status set_bytes(CUdeviceptr data, unsigned char value, I64 bytes) const;

  /// Clears the result words (before the kernels that write them). `ones`: words to be all ones.
  Status clear_results(std::initializer_list<int> ones = {});
  /// Waits for the stream and reads the result words.
  Result<const U64*> results();
  Status wait() const;
  CUstream stream() const { return stream_.get(); }

 private:
  Status launch(CUfunction function, I64 items, void** arguments) const;
  CUdeviceptr result(int word) const;

  cuda::Module module_;
  cuda::Stream stream_;
  CUfunction fill_ = nullptr, compare_ = nullptr, hash_ = nullptr, find_other_ = nullptr, decode_ = nullptr,
             absolute_ = nullptr;
  cuda::DeviceBuffer results_;
  cuda::PinnedBuffer host_results_;
  unsigned most_blocks_ = 1;
};

}  // namespace kgen::judge
