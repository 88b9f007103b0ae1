#include "harness/judge/cuda_runner.hpp"

#include <thread>

namespace kgen::judge {

using run::RunFailure;
using run::RunResult;

CudaRunner::~CudaRunner() {
  if (holds_nothing_) {
    std::thread([process = std::move(process_)] {}).detach();
  }
}

RunResult<void> CudaRunner::map(int set) {
  if (mapped_.contains(set)) return {};
  holds_nothing_ = false;
  const auto buffers = device_.shared_buffers(set);
  if (!buffers) {
    return tl::unexpected(RunFailure{RunFailure::Kind::world, "", "", buffers.error().text(), -1});
  }
  KGEN_CHECK(process_.map(set, *buffers));
  mapped_.insert(set);
  return {};
}

RunResult<std::vector<core::KernelFacts>> CudaRunner::load(std::string_view cubin,
                                                           const std::vector<run::KernelToLoad>& kernels,
                                                           run::Milliseconds limit) {
  return process_.load(cubin, kernels, limit);
}

RunResult<void> CudaRunner::launch(int set, const run::LaunchSequence& sequence, run::Milliseconds limit) {
  KGEN_CHECK(map(set));
  return process_.launch_once(set, sequence, limit);
}

RunResult<void> CudaRunner::launch_in_row(const std::vector<int>& order, const run::LaunchSequence& sequence,
                                          run::Milliseconds limit) {
  run::TimeBlock block;  // of which only the launches matter: no flush comes between them
  block.order = order;
  block.limit = limit;
  KGEN_CHECK(time_block(sequence, block));
  return {};
}

RunResult<void> CudaRunner::launch_changed(const run::ChangeOfInputs& change,
                                           const run::LaunchSequence& sequence, run::Milliseconds limit) {
  KGEN_CHECK(map(change.set));
  KGEN_CHECK(map(change.from));
  return process_.launch_changed(change, sequence, limit);
}

RunResult<std::vector<double>> CudaRunner::time_block(const run::LaunchSequence& sequence,
                                                      const run::TimeBlock& block) {
  for (const int set : block.order) KGEN_CHECK(map(set));
  return process_.time_block(sequence, block);
}

RunResult<std::vector<run::GlobalVariable>> CudaRunner::globals() {
  return process_.globals();
}

RunResult<void> CudaRunner::forget_sets() {
  mapped_.clear();
  KGEN_CHECK(process_.unmap_all());
  holds_nothing_ = true;
  return {};
}

}  // namespace kgen::judge
