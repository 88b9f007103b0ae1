#include "harness/judge/baselines.hpp"

#include <algorithm>

#include "harness/judge/oracle.hpp"
#include "harness/judge/torch_server.hpp"

namespace kgen::judge {
namespace {

bool is_torch(const core::Baseline& baseline) {
  return baseline.kind == "torch" || baseline.kind == "torch_compile";
}

core::BaselineTiming missing(const core::Baseline& baseline, std::string why) {
  core::BaselineTiming timing;
  timing.name = baseline.name;
  timing.library = is_torch(baseline) || baseline.kind == "cublaslt";
  timing.process = is_torch(baseline) ? "torch" : baseline.kind == "cublaslt" ? "judge" : "run";
  timing.why_missing = std::move(why);
  return timing;
}

}  // namespace

/// A naive kernel in its own process, loaded once for a task.
struct Baselines::Naive {
  OracleProgram program;
  std::unique_ptr<Runner> runner;
};

Baselines::Baselines(ExecutionDevice& device, core::DeviceFacts facts, CompileAll compile_all,
                     std::unique_ptr<TorchServer> torch, std::string why_no_torch)
    : device_(device),
      facts_(std::move(facts)),
      compile_all_(std::move(compile_all)),
      torch_(std::move(torch)),
      why_no_torch_(std::move(why_no_torch)) {}

Baselines::~Baselines() = default;

bool Baselines::is_warm(const core::Task& task) const {
  return task_ == task_key(task);
}

Result<ReadyBaseline> Baselines::ready_naive(const core::Task& task, const core::Baseline& baseline) {
  auto& naive = naives_[baseline.name];
  if (!naive) {
    auto made = std::make_unique<Naive>();
    KGEN_TRY(made->program,
             own_program(baseline.code, task, facts_, compile_all_, "baseline " + baseline.name));
    if (!made->program.workspace.empty()) {
      return fail(ErrorKind::bad_input,
                  "baseline " + baseline.name + ": a naive baseline may have no workspace");
    }
    KGEN_TRY(made->runner, device_.start_runner());
    const auto loaded =
        made->runner->load(made->program.cubin, made->program.kernels, run::Milliseconds{20000});
    if (!loaded) return tl::unexpected(run::to_error(loaded.error()));
    naive = std::move(made);
  }
  ReadyBaseline ready;
  ready.timing = missing(baseline, "");
  ready.slow = true;
  ready.time = [this, used = naive.get()](const run::TimeBlock& block) -> Result<std::vector<double>> {
    for (const int set : block.order) KGEN_CHECK(device_.prepare(set, kNanPoison));
    auto times = used->runner->time_block(used->program.sequence, block);
    if (!times) return tl::unexpected(run::to_error(times.error()));
    return std::move(*times);
  };
  return ready;
}

/// cuBLASLt with the quickest of the algorithms that its heuristics propose, searched once for a task.
Result<ReadyBaseline> Baselines::ready_product(const core::Task& task, const core::Baseline& baseline,
                                               const std::vector<int>& sets) {
  auto& product = products_[baseline.name];
  if (!product) {
    KGEN_TRY(const auto gemm, core::gemm_of(task));
    if (!gemm)
      return fail(ErrorKind::bad_input,
                  "op " + task.op->name + " has no table gemm, which this baseline needs");
    KGEN_TRY(product, device_.library_product(*gemm, sets));
  }
  ReadyBaseline ready;
  ready.timing = missing(baseline, "");
  ready.timing.detail = product->description();
  ready.time = [used = product.get()](const run::TimeBlock& block) { return used->time(block); };
  return ready;
}

ReadyBaseline Baselines::ready_torch(const core::Task& task, const core::Baseline& baseline,
                                     const std::vector<int>& sets) {
  ReadyBaseline ready;
  ready.timing = missing(baseline, why_no_torch_);
  if (!torch_) return ready;
  const auto& all = task.op->baselines;
  const int id = static_cast<int>(&baseline - all.data());
  Status status = is_warm(task) ? Status{} : torch_->define(id, baseline, task);
  if (status) status = torch_->warm(id, sets);
  if (!status) {
    ready.timing.why_missing = status.error().text();
    return ready;
  }
  ready.timing.why_missing.clear();
  ready.time = [this, id](const run::TimeBlock& block) { return torch_->time(id, block); };
  return ready;
}

Result<std::vector<ReadyBaseline>> Baselines::ready(const core::Task& task, const std::vector<int>& sets) {
  if (!is_warm(task)) naives_.clear(), products_.clear();
  const bool any_torch = std::any_of(task.op->baselines.begin(), task.op->baselines.end(), is_torch);
  if (torch_ && any_torch) {
    for (const int set : sets) {
      KGEN_TRY(const auto buffers, device_.shared_buffers(set));
      torch_mapped_ = true;
      if (const auto mapped = torch_->map(set, task, buffers); !mapped) {
        why_no_torch_ = mapped.error().text();
        torch_.reset();
        break;
      }
    }
  }
  std::vector<ReadyBaseline> out;
  for (const auto& baseline : task.op->baselines) {
    if (is_torch(baseline)) {
      out.push_back(ready_torch(task, baseline, sets));
    } else {
      auto made =
          baseline.kind == "cublaslt" ? ready_product(task, baseline, sets) : ready_naive(task, baseline);
      out.push_back(made ? std::move(*made)
                         : ReadyBaseline{missing(baseline, made.error().text()), {}, false});
    }
  }
  task_ = task_key(task);
  return out;
}

void Baselines::forget_sets() {
  for (auto& [name, naive] : naives_) {
    if (naive && !naive->runner->forget_sets()) naive.reset();
  }
  std::erase_if(naives_, [](const auto& entry) { return entry.second == nullptr; });
  if (torch_ && torch_mapped_) (void)torch_->unmap();
  torch_mapped_ = false;
}

}  // namespace kgen::judge
