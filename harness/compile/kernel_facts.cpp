#include "harness/compile/kernel_facts.hpp"

#include "harness/compile/kernel_signature.hpp"
#include "harness/compile/ptx_entries.hpp"
#include "harness/compile/result_diagnostics.hpp"

namespace kgen::compile {
namespace {

void copy_ptxas(const PtxasFacts& facts, CompiledKernel& kernel) {
  kernel.registers = facts.registers;
  kernel.stack_bytes = facts.stack_bytes;
  kernel.spill_store_bytes = facts.spill_store_bytes;
  kernel.spill_load_bytes = facts.spill_load_bytes;
  kernel.static_shared_bytes = facts.static_shared_bytes;
  kernel.constant_bytes = facts.constant_bytes;
  kernel.barriers = facts.barriers;
}

void copy_entry(const PtxEntry& entry, CompiledKernel& kernel) {
  kernel.max_threads = entry.max_threads;
  kernel.min_blocks = entry.min_blocks;
  kernel.max_registers = entry.max_registers;
  kernel.cluster = entry.cluster;
}

/// Whether the PTX has parameters of the sizes that the probe gave.
bool sizes_agree(const std::vector<core::ParameterType>& parameters, const PtxEntry& entry) {
  if (parameters.size() != entry.parameter_bytes.size()) return false;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].bytes != entry.parameter_bytes[i]) return false;
  }
  return true;
}

}  // namespace

void add_kernel_names(const CompileRequest& request, Program& program) {
  for (const std::string& kernel : request.kernels) {
    program.add_name(kernel);
    program.add_name(signature_expression(kernel));
  }
}

void read_kernels(const CompileRequest& request, const Program& program, const std::string& ptx,
                  const CompilerLog& log, CompileResult& result) {
  const std::map<std::string, PtxEntry> entries = ptx_entries(ptx);
  const auto give_up = [&](CompileFailure failure, std::string message) {
    result.failure = failure;
    result.message = std::move(message);
  };
  for (const std::string& expression : request.kernels) {
    CompiledKernel kernel;
    kernel.expression = expression;
    kernel.lowered_name = program.lowered(expression).value_or("");
    const auto entry = entries.find(kernel.lowered_name);
    if (entry == entries.end()) {
      return give_up(CompileFailure::kernel_missing,
                     "'" + expression + "' is no __global__ function; " + existing_kernels(request.source));
    }
    const std::optional<std::string> signature = program.lowered(signature_expression(expression));
    auto parameters = signature ? parameters_of_lowered_name(*signature) : std::nullopt;
    if (!parameters || !sizes_agree(*parameters, entry->second)) {
      // The source is what stands between the probe and the answer: names of kgen::probe taken or redefined.
      return give_up(CompileFailure::compile_error,
                     "the types of the parameters of '" + expression + "' could not be read (" +
                         signature.value_or("no name") + "); define nothing in namespace kgen");
    }
    kernel.parameters = std::move(*parameters);
    copy_entry(entry->second, kernel);
    if (const auto facts = log.functions.find(kernel.lowered_name); facts != log.functions.end()) {
      copy_ptxas(facts->second, kernel);
    }
    result.kernels.push_back(std::move(kernel));
  }
}

}  // namespace kgen::compile
