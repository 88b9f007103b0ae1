#include <algorithm>
#include <array>

#include "core/diagnosis_evidence.hpp"

namespace kgen::core::rules {
namespace {

struct Pipe {
  std::string_view metric, name, advice;
};
constexpr std::array<Pipe, 5> kPipes = {{
    {"sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active", "fp64",
     "write float literals with an f (0.5f): one double literal makes the whole expression double"},
    {"sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_active", "transcendental (XU)",
     "take fewer exp, log, rsqrt, sin and conversions: exp2f with a folded factor, one reciprocal for many "
     "divisions"},
    {"sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active", "FMA",
     "do less arithmetic an element, use packed half2 or bfloat162, or tensor cores where it is a product"},
    {"sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active", "ALU (integer, logic, compare)",
     "hoist address arithmetic out of the loop, use 32-bit indices, unroll, replace division and modulo by "
     "shifts; where comparisons are the work itself, an algorithm that makes fewer"},
    {"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active", "tensor",
     "the tensor cores are the limit: a smaller dtype, or less work"},
}};

}  // namespace

std::optional<Diagnosis> tensor_idle(const Evidence& e) {
  const ProfileTask& task = e.task();
  const auto instructions = e.get(metrics::kTensorInstructions);
  const auto pipe = e.get("sm__inst_executed_pipe_tensor.sum");
  if (task.product_flops <= 0 || task.tensor_flops_per_s <= 0 || (!instructions && !pipe))
    return std::nullopt;
  if (instructions.value_or(0) > 0 || e.sum({"sm__inst_executed_pipe_tensor_op_gmma.sum"}) > 0)
    return std::nullopt;
  const double needed_us = task.product_flops / task.tensor_flops_per_s * 1e6;
  const double needed = e.timed() ? std::min(1.0, needed_us / e.duration_us()) : 0;
  // The pipe also runs HFMA2.MMA, which compilers take to move constants: a few instructions are no product.
  const double busy = e.share("sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active").value_or(1);
  if (pipe.value_or(0) > 0 && busy * e.balance() >= 0.8 * needed) return std::nullopt;
  return e.say("tensor_idle", 1 - needed,
               "the op multiplies matrices and " +
                   (pipe.value_or(0) > 0 ? "the tensor pipe is busy only " + percent(busy) + " of the time"
                                         : std::string("no tensor-core instruction runs")) +
                   ": their time would be " + figure(needed_us) + " us" +
                   (e.timed() ? " of " + figure(e.duration_us()) + " us" : ""),
               e.lines({"math_pipe_throttle", "selected", "wait", "short_scoreboard"}),
               "use mma.sync (ldmatrix + mma) or wgmma for the product, with f32 accumulators");
}

std::optional<Diagnosis> pipe_bound(const Evidence& e) {
  const Pipe* busiest = nullptr;
  double most = 0;
  for (const Pipe& pipe : kPipes) {
    const double used = e.share(pipe.metric).value_or(0);
    if (used > most) {
      most = used;
      busiest = &pipe;
    }
  }
  if (!e.timed() || busiest == nullptr || most < kHighUse) return std::nullopt;
  std::string advice(busiest->advice);
  const double doubles = e.share(kPipes.front().metric).value_or(0);
  if (busiest != &kPipes.front() && doubles > 0.05) {
    advice += "; the fp64 pipe works too (" + percent(doubles) +
              "), and conversions to and from double take the XU pipe: " + std::string(kPipes.front().advice);
  }
  // Lanes that are switched off are divergence's share.
  return e.say("pipe_bound", most * e.balance() * e.lanes(),
               "the " + std::string(busiest->name) + " pipe is busy " + percent(most) + " of the time",
               e.lines({"math_pipe_throttle", "selected", "wait"}), std::move(advice));
}

std::optional<Diagnosis> issue_bound(const Evidence& e) {
  const auto issuing = e.share("smsp__issue_active.avg.pct_of_peak_sustained_active");
  if (!issuing || *issuing < 0.7) return std::nullopt;
  return e.say("issue_bound", *issuing * 0.8 * e.balance() * e.lanes(),
               "the schedulers issue an instruction in " + percent(*issuing) +
                   " of the cycles: the number of instructions is the limit",
               e.lines({"selected", "not_selected"}),
               "run fewer instructions for the same work (wider loads, packed arithmetic, unrolling, cheaper "
               "addresses), or another algorithm with less work");
}

std::optional<Diagnosis> divergence(const Evidence& e) {
  const auto active = e.get(metrics::kThreadsPerInstruction);
  if (!active || *active <= 0 || *active > 28) return std::nullopt;
  const double lost = 1 - *active / 32;
  const auto issuing = e.share("smsp__issue_active.avg.pct_of_peak_sustained_active");
  const double bound = e.timed() ? std::max({e.sm_use(), issuing.value_or(0), 0.3}) : 1;
  const auto divergent = [](const Metrics& line) { return metric(line, metrics::kDivergentBranches); };
  const double branches = e.sum({metrics::kDivergentBranches});
  return e.say(
      "divergence", lost * bound * e.balance(),
      "only " + figure(*active) + " of 32 lanes are active in an average instruction" +
          (branches > 0 ? ": " + figure(branches) + " branches send lanes of a warp different ways" : ""),
      e.lines({"branch_resolving", "selected", "wait", "no_instruction"}, divergent),
      "let all lanes of a warp take one branch: sort work by kind, give whole warps one case, turn short "
      "branches into selects, keep all 32 lanes busy in tails and reductions");
}

std::optional<Diagnosis> barrier_bound(const Evidence& e) {
  const double waiting = e.stalled({"barrier"});
  if (waiting < 0.2) return std::nullopt;
  return e.say(
      "barrier_bound", waiting * std::max(1 - e.use(), 0.3) * e.balance(),
      "warps wait at __syncthreads " + percent(waiting) + " of the time", e.lines({"barrier"}),
      "give every warp the same work between barriers, use fewer of them (warp shuffles, double buffering, "
      "one barrier a stage), smaller blocks, or named barriers for the warps that need them");
}

std::optional<Diagnosis> latency_bound(const Evidence& e) {
  if (!e.timed() || e.use() > kHighUse) return std::nullopt;
  const double waiting = e.stalled({"wait", "short_scoreboard", "branch_resolving", "no_instruction",
                                    "imc_miss", "dispatch_stall", "math_pipe_throttle"});
  const auto eligible = e.get("smsp__warps_eligible.avg.per_cycle_active");
  const auto warps = e.get("sm__warps_active.avg.per_cycle_active");
  if (waiting < 0.3) return std::nullopt;
  std::string what = "no unit is busy (" + percent(e.use()) +
                     " of the best): instructions wait for those before them " + percent(waiting) +
                     " of the time";
  if (warps) what += ", with " + figure(*warps / 4) + " warps a scheduler";
  if (eligible) what += ", of which " + figure(*eligible) + " can go on";
  return e.say("latency_bound", waiting * (1 - e.use()) * e.balance(), what,
               e.lines({"wait", "short_scoreboard", "branch_resolving", "no_instruction"}),
               "give each thread several independent chains (several accumulators, unrolled loops), or more "
               "warps; or less "
               "work: fewer instructions that wait for each other");
}

}  // namespace kgen::core::rules
