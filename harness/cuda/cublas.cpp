#include "harness/cuda/cublas.hpp"

#include <cublas_v2.h>

#include "harness/cuda/gemm_layout.hpp"
#include "harness/cuda/open_library.hpp"

namespace kgen::cuda {
namespace {

template <class Function>
Status resolve(void* library, const char* name, Function& function) {
  KGEN_TRY(void* const address, find_symbol(library, name));
  function = reinterpret_cast<Function>(address);
  return {};
}

Status check_blas(cublasStatus_t status, const char* call) {
  if (status == CUBLAS_STATUS_SUCCESS) return {};
  const bool memory = status == CUBLAS_STATUS_ALLOC_FAILED;
  return fail(memory ? ErrorKind::missing : ErrorKind::internal,
              std::string(call) + ": cuBLAS status " + std::to_string(static_cast<int>(status)) +
                  (memory ? " (out of device memory)" : ""));
}

cublasOperation_t operation(bool transposed) {
  return transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
}

}  // namespace

struct Cublas::Library {
  decltype(&cublasCreate_v2) create = nullptr;
  decltype(&cublasDestroy_v2) destroy = nullptr;
  decltype(&cublasSetStream_v2) set_stream = nullptr;
  decltype(&cublasDgemmStridedBatched_64) multiply = nullptr;
  cublasHandle_t handle = nullptr;

  Library() = default;
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  ~Library() {
    if (handle != nullptr) destroy(handle);
  }
};

Cublas::Cublas(std::unique_ptr<Library> library) : library_(std::move(library)) {}
Cublas::Cublas(Cublas&&) noexcept = default;
Cublas& Cublas::operator=(Cublas&&) noexcept = default;
Cublas::~Cublas() = default;

Result<Cublas> Cublas::open(const std::vector<std::filesystem::path>& folders) {
  KGEN_TRY(void* const file, open_library({"libcublas.so.13", "libcublas.so.12"}, folders));
  auto library = std::make_unique<Library>();
  KGEN_CHECK(resolve(file, "cublasCreate_v2", library->create));
  KGEN_CHECK(resolve(file, "cublasDestroy_v2", library->destroy));
  KGEN_CHECK(resolve(file, "cublasSetStream_v2", library->set_stream));
  KGEN_CHECK(resolve(file, "cublasDgemmStridedBatched_64", library->multiply));
  KGEN_CHECK(check_blas(library->create(&library->handle), "cublasCreate"));
  return Cublas(std::move(library));
}

Status Cublas::multiply_f64(const core::GemmShape& shape, CUdeviceptr a, CUdeviceptr b, CUdeviceptr out,
                            CUstream stream) const {
  const GemmLayout at = column_major(shape);
  if (at.batch == 0 || at.rows == 0 || at.columns == 0) return {};
  const double one = 1, zero = 0;
  KGEN_CHECK(check_blas(library_->set_stream(library_->handle, stream), "cublasSetStream"));
  return check_blas(
      library_->multiply(library_->handle, operation(at.trans_left), operation(at.trans_right), at.rows,
                         at.columns, at.depth, &one, reinterpret_cast<const double*>(b), at.left_leading(),
                         at.left_stride, reinterpret_cast<const double*>(a), at.right_leading(),
                         at.right_stride, &zero, reinterpret_cast<double*>(out), at.out_leading(),
                         at.out_stride, at.batch),
      "cublasDgemmStridedBatched");
}

}  // namespace kgen::cuda
