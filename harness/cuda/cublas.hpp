#pragma once

#include <cuda.h>

#include <filesystem>
#include <memory>
#include <vector>

#include "core/gemm.hpp"

namespace kgen::cuda {

/// libcublas, opened at run time (12 or 13), for products in fp64: the oracle of large shapes. Works in the
/// context that is current when it is opened.
class Cublas {
 public:
  /// `folders` are looked at first. Errors: missing, saying what was looked for.
  static Result<Cublas> open(const std::vector<std::filesystem::path>& folders);
  Cublas(Cublas&&) noexcept;
  Cublas& operator=(Cublas&&) noexcept;
  ~Cublas();

  /// out = op(a) op(b) for the whole batch, row-major as core::Gemm says, every element a double whatever the
  /// shape's dtype; put on `stream`.
  Status multiply_f64(const core::GemmShape& shape, CUdeviceptr a, CUdeviceptr b, CUdeviceptr out,
                      CUstream stream) const;

 private:
  struct Library;
  explicit Cublas(std::unique_ptr<Library> library);
  std::unique_ptr<Library> library_;
};

}  // namespace kgen::cuda
