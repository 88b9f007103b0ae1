#pragma once

#include "harness/cuda/cublaslt.hpp"
#include "harness/judge/cuda_device.hpp"
#include "harness/run/block_timer.hpp"

namespace kgen::judge {

/// A matrix product by cuBLASLt in the judge's own context, timed as candidates are.
class CudaProduct final : public LibraryProduct {
 public:
  /// Algorithms that the heuristics are asked for; each is tried, and the quickest is kept.
  static constexpr int kMostAlgorithms = 32;
  static constexpr std::int64_t kWorkspaceBytes = std::int64_t{64} << 20;

  /// Tries what the library proposes on the sets and keeps the quickest. `kernels_cubin`: the flush's.
  /// Errors: missing (no library, no memory), bad_input (nothing for this product).
  static Result<std::unique_ptr<CudaProduct>> choose(CudaDevice& device, const core::GemmShape& shape,
                                                     const std::vector<int>& sets,
                                                     std::string_view kernels_cubin,
                                                     std::int64_t flush_bytes);

  Result<std::vector<double>> time(const run::TimeBlock& block) override;
  std::string description() const override;
  /// out = op(a) op(b) on one set, finished when it returns. For tests.
  Status run_once(int set);

 private:
  CudaProduct(CudaDevice& device, core::GemmShape shape, cuda::LtGemm gemm);
  Result<run::Execution> execution(std::size_t algorithm, int set) const;
  Result<std::vector<double>> time_algorithm(std::size_t algorithm, const run::TimeBlock& block);
  /// Median time of each algorithm of `from`, quickest first; those that do not run are left out.
  std::vector<std::size_t> by_time(const std::vector<std::size_t>& from, const run::TimeBlock& block);

  CudaDevice& device_;
  core::GemmShape shape_;
  cuda::LtGemm gemm_;
  cuda::DeviceBuffer workspace_;
  cuda::Stream stream_;
  run::L2Flush flush_;
  std::size_t best_ = 0, tried_ = 0;
};

/// Folders of this machine's CUDA toolkits that may hold cuBLAS, best first.
std::vector<std::filesystem::path> cuda_library_folders();

}  // namespace kgen::judge
