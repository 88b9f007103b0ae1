#include "harness/cuda/cublaslt.hpp"

#include <cublasLt.h>

#include <array>

#include "harness/cuda/gemm_layout.hpp"
#include "harness/cuda/open_library.hpp"

// clang-format off
#define KGEN_LT_FUNCTIONS(X) \
  X(cublasLtCreate) \
  X(cublasLtDestroy) \
  X(cublasLtMatmul) \
  X(cublasLtMatmulAlgoGetHeuristic) \
  X(cublasLtMatmulDescCreate) \
  X(cublasLtMatmulDescDestroy) \
  X(cublasLtMatmulDescSetAttribute) \
  X(cublasLtMatmulPreferenceCreate) \
  X(cublasLtMatmulPreferenceDestroy) \
  X(cublasLtMatmulPreferenceSetAttribute) \
  X(cublasLtMatrixLayoutCreate) \
  X(cublasLtMatrixLayoutDestroy) \
  X(cublasLtMatrixLayoutSetAttribute)
// clang-format on

namespace kgen::cuda {

/// The functions of cuBLASLt, found at run time.
struct LtTable {
#define KGEN_LT_MEMBER(name) decltype(&::name) name = nullptr;
  KGEN_LT_FUNCTIONS(KGEN_LT_MEMBER)
#undef KGEN_LT_MEMBER
};

namespace {

Result<LtTable> load_lt(const std::vector<std::filesystem::path>& folders) {
  KGEN_TRY(void* const file, open_library({"libcublasLt.so.13", "libcublasLt.so.12"}, folders));
  LtTable table;
#define KGEN_LT_FIND(name)                                     \
  {                                                            \
    KGEN_TRY(void* const address, find_symbol(file, #name));   \
    table.name = reinterpret_cast<decltype(&::name)>(address); \
  }
  KGEN_LT_FUNCTIONS(KGEN_LT_FIND)
#undef KGEN_LT_FIND
  return table;
}

Status check_lt(cublasStatus_t status, const char* call) {
  if (status == CUBLAS_STATUS_SUCCESS) return {};
  return fail(status == CUBLAS_STATUS_NOT_SUPPORTED ? ErrorKind::bad_input : ErrorKind::internal,
              std::string(call) + ": cuBLASLt status " + std::to_string(static_cast<int>(status)));
}

struct LtTypes {
  cudaDataType_t element;
  cublasComputeType_t compute;
};

Result<LtTypes> types_of(core::DType dtype) {
  switch (dtype) {
    case core::DType::f32:
      return LtTypes{CUDA_R_32F, CUBLAS_COMPUTE_32F};
    case core::DType::tf32:
      return LtTypes{CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32};
    case core::DType::f16:
      return LtTypes{CUDA_R_16F, CUBLAS_COMPUTE_32F};
    case core::DType::bf16:
      return LtTypes{CUDA_R_16BF, CUBLAS_COMPUTE_32F};
    default:
      return fail(ErrorKind::bad_input,
                  "cuBLASLt is not asked for products of " + std::string(core::name_of(dtype)));
  }
}

}  // namespace

struct LtGemm::State {
  LtTable lt;
  cublasLtHandle_t handle = nullptr;
  cublasLtMatmulDesc_t product = nullptr;
  std::array<cublasLtMatrixLayout_t, 3> layouts{};  ///< left, right, out
  std::vector<cublasLtMatmulHeuristicResult_t> algorithms;

  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    for (auto* layout : layouts) {
      if (layout != nullptr) lt.cublasLtMatrixLayoutDestroy(layout);
    }
    if (product != nullptr) lt.cublasLtMatmulDescDestroy(product);
    if (handle != nullptr) lt.cublasLtDestroy(handle);
  }

  Status set_product(const GemmLayout& at, const LtTypes& types);
  Status set_layout(std::size_t which, cudaDataType_t type, std::int64_t rows, std::int64_t columns,
                    std::int64_t batch, std::int64_t stride);
  Status ask_heuristics(const Options& options);
};

Status LtGemm::State::set_product(const GemmLayout& at, const LtTypes& types) {
  KGEN_CHECK(
      check_lt(lt.cublasLtMatmulDescCreate(&product, types.compute, CUDA_R_32F), "cublasLtMatmulDescCreate"));
  const cublasOperation_t left = at.trans_left ? CUBLAS_OP_T : CUBLAS_OP_N;
  const cublasOperation_t right = at.trans_right ? CUBLAS_OP_T : CUBLAS_OP_N;
  const char* const call = "cublasLtMatmulDescSetAttribute";
  KGEN_CHECK(check_lt(
      lt.cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_TRANSA, &left, sizeof(left)), call));
  return check_lt(
      lt.cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_TRANSB, &right, sizeof(right)), call);
}

Status LtGemm::State::set_layout(std::size_t which, cudaDataType_t type, std::int64_t rows,
                                 std::int64_t columns, std::int64_t batch, std::int64_t stride) {
  KGEN_CHECK(check_lt(lt.cublasLtMatrixLayoutCreate(&layouts[which], type, static_cast<std::uint64_t>(rows),
                                                    static_cast<std::uint64_t>(columns), rows),
                      "cublasLtMatrixLayoutCreate"));
  if (batch == 1) return {};
  const auto count = static_cast<std::int32_t>(batch);
  const char* const call = "cublasLtMatrixLayoutSetAttribute";
  KGEN_CHECK(check_lt(lt.cublasLtMatrixLayoutSetAttribute(layouts[which], CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT,
                                                          &count, sizeof(count)),
                      call));
  return check_lt(lt.cublasLtMatrixLayoutSetAttribute(
                      layouts[which], CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &stride, sizeof(stride)),
                  call);
}

Status LtGemm::State::ask_heuristics(const Options& options) {
  cublasLtMatmulPreference_t preference = nullptr;
  KGEN_CHECK(check_lt(lt.cublasLtMatmulPreferenceCreate(&preference), "cublasLtMatmulPreferenceCreate"));
  const auto bytes = static_cast<std::size_t>(options.workspace_bytes);
  cublasStatus_t status = lt.cublasLtMatmulPreferenceSetAttribute(
      preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &bytes, sizeof(bytes));
  int found = 0;
  algorithms.resize(static_cast<std::size_t>(options.most_algorithms));
  if (status == CUBLAS_STATUS_SUCCESS) {
    status =
        lt.cublasLtMatmulAlgoGetHeuristic(handle, product, layouts[0], layouts[1], layouts[2], layouts[2],
                                          preference, options.most_algorithms, algorithms.data(), &found);
  }
  lt.cublasLtMatmulPreferenceDestroy(preference);
  algorithms.resize(static_cast<std::size_t>(found));
  std::erase_if(algorithms, [](const auto& found_one) { return found_one.state != CUBLAS_STATUS_SUCCESS; });
  KGEN_CHECK(check_lt(status, "cublasLtMatmulAlgoGetHeuristic"));
  if (algorithms.empty()) return fail(ErrorKind::bad_input, "cuBLASLt has no algorithm for this product");
  return {};
}

LtGemm::LtGemm(std::unique_ptr<State> state) : state_(std::move(state)) {}
LtGemm::LtGemm(LtGemm&&) noexcept = default;
LtGemm& LtGemm::operator=(LtGemm&&) noexcept = default;
LtGemm::~LtGemm() = default;

Result<LtGemm> LtGemm::make(const core::GemmShape& shape, const Options& options,
                            const std::vector<std::filesystem::path>& folders) {
  const GemmLayout at = column_major(shape);
  if (at.batch == 0 || at.rows == 0 || at.columns == 0 || at.depth == 0)
    return fail(ErrorKind::bad_input, "cuBLASLt is not asked for empty products");
  if (at.batch > INT32_MAX) return fail(ErrorKind::bad_input, "cuBLASLt takes batches below 2^31");
  KGEN_TRY(const LtTypes types, types_of(shape.dtype));
  auto state = std::make_unique<State>();
  KGEN_TRY(state->lt, load_lt(folders));
  KGEN_CHECK(check_lt(state->lt.cublasLtCreate(&state->handle), "cublasLtCreate"));
  KGEN_CHECK(state->set_product(at, types));
  KGEN_CHECK(state->set_layout(0, types.element, at.left_rows, at.left_columns, at.batch, at.left_stride));
  KGEN_CHECK(state->set_layout(1, types.element, at.right_rows, at.right_columns, at.batch, at.right_stride));
  KGEN_CHECK(state->set_layout(2, types.element, at.rows, at.columns, at.batch, at.out_stride));
  KGEN_CHECK(state->ask_heuristics(options));
  return LtGemm(std::move(state));
}

std::size_t LtGemm::algorithms() const {
  return state_->algorithms.size();
}

Status LtGemm::enqueue(std::size_t algorithm, CUdeviceptr a, CUdeviceptr b, CUdeviceptr out,
                       CUdeviceptr workspace, CUstream stream) const {
  const float one = 1, zero = 0;
  const auto& chosen = state_->algorithms.at(algorithm);
  const auto at = [](CUdeviceptr address) { return reinterpret_cast<void*>(address); };
  return check_lt(state_->lt.cublasLtMatmul(state_->handle, state_->product, &one, at(b), state_->layouts[0],
                                            at(a), state_->layouts[1], &zero, at(out), state_->layouts[2],
                                            at(out), state_->layouts[2], &chosen.algo, at(workspace),
                                            chosen.workspaceSize, stream),
                  "cublasLtMatmul");
}

}  // namespace kgen::cuda
