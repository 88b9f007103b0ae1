#include "harness/judge/cuda_product.hpp"

#include <algorithm>

#include "harness/compile/toolkit_paths.hpp"
#include "harness/judge/median.hpp"

namespace kgen::judge {
namespace {

constexpr std::size_t kFinalists = 4;
constexpr std::size_t kFirstSamples = 3, kFinalSamples = 15;

run::RunResult<void> as_run_result(const Status& status) {
  if (status) return {};
  return tl::unexpected(
      run::RunFailure{run::RunFailure::Kind::world, "library", "", status.error().text(), -1});
}

/// `count` executions, on the sets in turn.
run::TimeBlock block_of(const std::vector<int>& sets, std::size_t count, std::int64_t flush_bytes) {
  run::TimeBlock block;
  block.flush_bytes = flush_bytes;
  for (std::size_t i = 0; i < count; ++i) block.order.push_back(sets[i % sets.size()]);
  return block;
}

}  // namespace

std::vector<std::filesystem::path> cuda_library_folders() {
  std::vector<std::filesystem::path> folders;
  for (const auto& root : compile::toolkit_roots({})) {
    for (auto& folder : compile::library_folders(root)) folders.push_back(std::move(folder));
  }
  return folders;
}

CudaProduct::CudaProduct(CudaDevice& device, core::GemmShape shape, cuda::LtGemm gemm)
    : device_(device), shape_(std::move(shape)), gemm_(std::move(gemm)) {}

Result<std::unique_ptr<CudaProduct>> CudaProduct::choose(CudaDevice& device, const core::GemmShape& shape,
                                                         const std::vector<int>& sets,
                                                         std::string_view kernels_cubin,
                                                         std::int64_t flush_bytes) {
  KGEN_TRY(auto gemm, cuda::LtGemm::make(shape, {kWorkspaceBytes, kMostAlgorithms}, cuda_library_folders()));
  std::unique_ptr<CudaProduct> out(new CudaProduct(device, shape, std::move(gemm)));
  KGEN_TRY(out->workspace_, cuda::DeviceBuffer::allocate(kWorkspaceBytes));
  KGEN_TRY(out->stream_, cuda::make_stream());
  auto flush = run::L2Flush::load(kernels_cubin);
  if (!flush) return tl::unexpected(run::to_error(flush.error()));
  out->flush_ = std::move(*flush);

  std::vector<std::size_t> algorithms(out->gemm_.algorithms());
  for (std::size_t i = 0; i < algorithms.size(); ++i) algorithms[i] = i;
  algorithms = out->by_time(algorithms, block_of(sets, kFirstSamples, flush_bytes));
  out->tried_ = algorithms.size();
  if (algorithms.size() > kFinalists) algorithms.resize(kFinalists);
  algorithms = out->by_time(algorithms, block_of(sets, kFinalSamples, flush_bytes));
  if (algorithms.empty()) {
    return fail(ErrorKind::missing, "none of cuBLASLt's " + std::to_string(out->gemm_.algorithms()) +
                                        " algorithms runs this product");
  }
  out->best_ = algorithms.front();
  return out;
}

std::vector<std::size_t> CudaProduct::by_time(const std::vector<std::size_t>& from,
                                              const run::TimeBlock& block) {
  std::vector<std::pair<double, std::size_t>> timed;
  for (const std::size_t algorithm : from) {
    const auto times = time_algorithm(algorithm, block);  // one that the library refuses after all is no loss
    if (times) timed.emplace_back(median_interval(*times).median_us, algorithm);
  }
  std::sort(timed.begin(), timed.end());
  std::vector<std::size_t> out;
  for (const auto& [time, algorithm] : timed) out.push_back(algorithm);
  return out;
}

Result<run::Execution> CudaProduct::execution(std::size_t algorithm, int set) const {
  KGEN_TRY(const CUdeviceptr a, device_.address_of(set, shape_.a));
  KGEN_TRY(const CUdeviceptr b, device_.address_of(set, shape_.b));
  KGEN_TRY(const CUdeviceptr out, device_.address_of(set, shape_.out));
  return [this, algorithm, a, b, out](CUstream stream) {
    return as_run_result(gemm_.enqueue(algorithm, a, b, out, workspace_.address(), stream));
  };
}

Result<std::vector<double>> CudaProduct::time_algorithm(std::size_t algorithm, const run::TimeBlock& block) {
  std::vector<run::TimedExecution> executions;
  for (const int set : block.order) {
    KGEN_TRY(auto one, execution(algorithm, set));
    executions.push_back({std::move(one), {}});
  }
  if (const auto reserved = flush_.reserve(block.flush_bytes); !reserved)
    return tl::unexpected(run::to_error(reserved.error()));
  auto times = run::time_executions(executions, flush_, block.graph, stream_.get());
  if (!times) return tl::unexpected(run::to_error(times.error()));
  return std::move(*times);
}

Result<std::vector<double>> CudaProduct::time(const run::TimeBlock& block) {
  return time_algorithm(best_, block);
}

Status CudaProduct::run_once(int set) {
  KGEN_TRY(const auto once, execution(best_, set));
  if (const auto queued = once(stream_.get()); !queued) return tl::unexpected(run::to_error(queued.error()));
  return KGEN_CU(cuStreamSynchronize, stream_.get());
}

std::string CudaProduct::description() const {
  return "the quickest of " + std::to_string(tried_) + " algorithms";
}

}  // namespace kgen::judge
