#include "harness/emulator/kernel_profile.hpp"

#include "harness/emulator/instr_class.hpp"

namespace kgen::emulator {
namespace {

namespace m = core::metrics;
using core::metric_name;
using core::Metrics;

void add(Metrics& metrics, const std::string& name, double value) {
  if (value != 0) metrics[name] += value;
}

void add(Metrics& metrics, std::string_view name, U64 value) {
  add(metrics, std::string(name), static_cast<double>(value));
}

/// What a memory instruction is called behind "op_".
std::string_view memory_operation(std::string_view name) {
  if (name.starts_with("atom")) return "atom";
  if (name.starts_with("red")) return "red";
  if (name.starts_with("cp.async")) return "ldgsts";
  const bool stores = name.starts_with("st") || name.starts_with("wmma.store");
  return stores ? "st" : "ld";
}

void add_mix(Metrics& metrics, const std::string& name, const InstrCounts& counts) {
  const InstrClass what = class_of(name);
  const auto on = static_cast<double>(counts.active);
  add(metrics, metric_name(m::kThreadOps, what.kind, "_pred_on.sum"), on);
  if (!what.operation.empty()) {
    add(metrics, metric_name(m::kThreadOps, what.operation, "_pred_on.sum"), on);
    const char letter = what.operation.front();
    const std::string_view group = letter == 'f'   ? "fadd_fmul_ffma"
                                   : letter == 'd' ? "dadd_dmul_dfma"
                                                   : "hadd_hmul_hfma";
    add(metrics, metric_name(m::kThreadFlops, group, "_pred_on.sum"), on * what.flops);
  }
  if (!what.tensor.empty()) {
    add(metrics, m::kTensorInstructions, counts.warps);
    add(metrics, metric_name(m::kTensorOps, what.tensor, ".sum"), on * what.flops);
  }
}

void add_memory(Metrics& metrics, const std::string& name, const InstrCounts& counts) {
  const std::string_view operation = memory_operation(name);
  if (counts.global.requests > 0) {
    add(metrics, metric_name(m::kGlobalRequests, operation, ".sum"),
        static_cast<double>(counts.global.requests));
    add(metrics, metric_name(m::kGlobalSectors, operation, ".sum"), static_cast<double>(counts.global.units));
    add(metrics, metric_name(m::kGlobalBytes, operation, ".sum"), static_cast<double>(counts.global.bytes));
    add(metrics, m::kIdealGlobalSectors, counts.global.ideal);
  }
  if (counts.shared.requests > 0) {
    if (operation == "atom" || operation == "red") {
      add(metrics, m::kSharedAtomics, counts.shared.requests);
    } else {
      const std::string_view way = operation == "ldgsts" ? "st" : operation;
      add(metrics, metric_name(m::kSharedWavefronts, way, ".sum"), static_cast<double>(counts.shared.units));
      add(metrics, metric_name(m::kBankConflicts, way, ".sum"),
          static_cast<double>(counts.shared.units - counts.shared.ideal));
    }
  }
  if (has_part(name, "local"))
    add(metrics, operation == "st" ? m::kLocalStores : m::kLocalLoads, counts.warps);
}

void add_instruction(Metrics& metrics, const std::string& name, const Instr& instr,
                     const InstrCounts& counts) {
  add(metrics, m::kWarpInstructions, counts.warps);
  add(metrics, m::kThreadInstructions, counts.lanes);
  add(metrics, m::kThreadInstructionsOn, counts.active);
  if (instr.flow == Flow::branch || instr.flow == Flow::branch_indexed) {
    add(metrics, m::kBranchTargets, counts.warps);
    add(metrics, m::kDivergentBranches, counts.divergent);
  }
  add_mix(metrics, name, counts);
  add_memory(metrics, name, counts);
}

/// Ratios of what was summed up.
void add_ratios(Metrics& metrics) {
  const double warps = core::metric(metrics, m::kWarpInstructions);
  if (warps > 0)
    metrics[std::string(m::kThreadsPerInstruction)] = core::metric(metrics, m::kThreadInstructions) / warps;
  for (const std::string_view way : {"ld", "st"}) {
    const double requests = core::metric(metrics, metric_name(m::kGlobalRequests, way, ".sum"));
    if (requests == 0) continue;
    metrics[metric_name(m::kSectorsPerRequest, way, ".ratio")] =
        core::metric(metrics, metric_name(m::kGlobalSectors, way, ".sum")) / requests;
  }
}

}  // namespace

core::KernelProfile kernel_profile(const std::string& kernel, const Program& program,
                                   const CodeCounts& counts) {
  core::KernelProfile out;
  out.kernel = kernel;
  std::map<int, Metrics> lines;
  for (std::size_t pc = 0; pc < counts.size() && pc < program.code.size(); ++pc) {
    if (counts[pc].warps == 0) continue;
    const Instr& instr = program.code[pc];
    const std::string& name = program.names[static_cast<std::size_t>(instr.name)];
    add_instruction(out.metrics, name, instr, counts[pc]);
    add_instruction(lines[instr.line], name, instr, counts[pc]);
  }
  add_ratios(out.metrics);
  for (auto& [line, metrics] : lines) {
    add_ratios(metrics);
    out.lines.push_back({line, std::move(metrics)});
  }
  return out;
}

}  // namespace kgen::emulator
