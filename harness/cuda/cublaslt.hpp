#pragma once

#include <cuda.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/gemm.hpp"

namespace kgen::cuda {

/// One product as libcublasLt (12 or 13, opened at run time) does it: descriptors, and the algorithms that
/// its heuristics propose. f32 is computed in f32 without tensor cores' tf32, tf32 with it, f16 and bf16 with
/// f32 accumulation. Works in the context that is current when it is made.
class LtGemm {
 public:
  struct Options {
    std::int64_t workspace_bytes = 0;  ///< no algorithm asks for more
    int most_algorithms = 1;           ///< asked of the heuristics
  };
  /// `folders` are looked at first for the library. Errors: missing (no library); bad_input (a dtype or an
  /// empty shape that cuBLASLt has nothing for).
  static Result<LtGemm> make(const core::GemmShape& shape, const Options& options,
                             const std::vector<std::filesystem::path>& folders);
  LtGemm(LtGemm&&) noexcept;
  LtGemm& operator=(LtGemm&&) noexcept;
  ~LtGemm();

  /// At least one; best first as the heuristics see it.
  std::size_t algorithms() const;
  /// out = op(a) op(b) by one of them, put on `stream`. `workspace` has the bytes of the options.
  Status enqueue(std::size_t algorithm, CUdeviceptr a, CUdeviceptr b, CUdeviceptr out, CUdeviceptr workspace,
                 CUstream stream) const;

 private:
  struct State;
  explicit LtGemm(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace kgen::cuda
