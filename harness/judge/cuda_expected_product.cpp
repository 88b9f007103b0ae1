#include "harness/judge/cuda_device.hpp"
#include "harness/judge/cuda_product.hpp"

// What is expected of a matrix product, by cuBLAS in fp64 on inputs made wide.
namespace kgen::judge {
namespace {

constexpr I64 kMargin = I64{512} << 20;  ///< left to the library's own workspace and to others

}  // namespace

const cuda::Cublas* CudaDevice::cublas() {
  if (!cublas_ && !cublas_tried_) {
    cublas_tried_ = true;
    if (auto opened = cuda::Cublas::open(cuda_library_folders())) cublas_ = std::move(*opened);
  }
  return cublas_ ? &*cublas_ : nullptr;
}

Result<bool> CudaDevice::expect_product(int set, const core::GemmShape& shape, bool with_scale) {
  CudaSet& target = at(set);
  KGEN_TRY(const auto* const a, find_buffer(target, shape.a));
  KGEN_TRY(const auto* const b, find_buffer(target, shape.b));
  KGEN_TRY(const auto* const out, find_buffer(target, shape.out));
  const I64 wide_bytes = 8 * (a->spec.elements + b->spec.elements);
  const I64 expected_bytes = (with_scale ? 16 : 8) * out->spec.elements;
  KGEN_TRY(const I64 available, free_bytes());
  if (wide_bytes + expected_bytes + kMargin > available || cublas() == nullptr) return false;
  KGEN_CHECK(allocate_expected(target, shape.out, out->spec.elements, with_scale));
  KGEN_TRY(const auto* const expected, find_expected(target, shape.out));
  KGEN_TRY(auto wide_a, pool_of_buffers_.take(8 * a->spec.elements));
  KGEN_TRY(auto wide_b, pool_of_buffers_.take(8 * b->spec.elements));
  KGEN_CHECK(kernels_.decode(a->address(), a->spec.dtype, wide_a.address(), a->spec.elements));
  KGEN_CHECK(kernels_.decode(b->address(), b->spec.dtype, wide_b.address(), b->spec.elements));
  KGEN_CHECK(cublas_->multiply_f64(shape, wide_a.address(), wide_b.address(), expected->values.address(),
                                   kernels_.stream()));
  if (with_scale) {
    KGEN_CHECK(kernels_.absolute(wide_a.address(), a->spec.elements));
    KGEN_CHECK(kernels_.absolute(wide_b.address(), b->spec.elements));
    KGEN_CHECK(cublas_->multiply_f64(shape, wide_a.address(), wide_b.address(), expected->scale.address(),
                                     kernels_.stream()));
  }
  KGEN_CHECK(kernels_.wait());
  pool_of_buffers_.give(std::move(wide_a));
  pool_of_buffers_.give(std::move(wide_b));
  return true;
}

Result<CUdeviceptr> CudaDevice::address_of(int set, const std::string& buffer) {
  KGEN_TRY(const auto* const found, find_buffer(at(set), buffer));
  return found->address();
}

Result<std::unique_ptr<LibraryProduct>> CudaDevice::library_product(const core::GemmShape& shape,
                                                                    const std::vector<int>& sets) {
  KGEN_TRY(auto product, CudaProduct::choose(*this, shape, sets, kernels_cubin_, 2 * l2_bytes_));
  return std::unique_ptr<LibraryProduct>(std::move(product));
}

}  // namespace kgen::judge
