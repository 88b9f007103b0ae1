#pragma once

#include <map>

#include "harness/judge/execution_device.hpp"
#include "harness/judge/workplace.hpp"

namespace kgen::judge {

/// One way to fill a task's inputs.
struct InputCase {
  const core::Distribution* distribution = nullptr;
  std::uint64_t seed = 0;
};

/// The case of one execution of a task under an evaluation's seed. `distribution` must outlive it.
InputCase input_case(std::uint64_t seed, const core::Task& task, const core::Distribution& distribution,
                     int execution);

/// Fills every input of a set as the case says.
Status fill_inputs(ExecutionDevice& device, int set, const std::vector<core::TensorFacts>& tensors,
                   const InputCase& input);

/// Values of one input of the case, bit for bit the device's. `number`: the tensor's place in the op.
std::vector<double> input_on_host(const core::TensorFacts& tensor, std::size_t number,
                                  const InputCase& input);

/// What the op's CPU reference (fp64) expects of the case: inputs are made on the host, bit for bit the
/// device's. Errors: missing, where no reference of that name is linked in.
Result<std::vector<ExpectedOutput>> expected_on_host(const core::Task& task,
                                                     const std::vector<core::TensorFacts>& tensors,
                                                     const InputCase& input);

/// Where a task's reference.cu writes, output by output: f64 where the output is a float or has a tolerance.
std::vector<OracleOutput> oracle_outputs(const core::Task& task);

/// The task as its reference.cu sees it: outputs as oracle_outputs() says; a tensor in place is an input,
/// with its values before, and `<name>_after` beside it an output. Errors: bad_input where such a name is
/// taken.
Result<core::Task> oracle_task(const core::Task& task);

/// Programs of oracles by task_key(), kept from one evaluation to the next.
struct OracleCache {
  std::map<std::string, OracleProgram> programs;
};

/// Text that tells one task from another.
std::string task_key(const core::Task& task);

/// The op's reference.cu for a task: resolved, compiled, bound. Errors: bad_input (the reference does not
/// fit).
Result<OracleProgram> oracle_program(const core::Task& task, const core::DeviceFacts& facts,
                                     const CompileAll& compile_all);

/// A program in the candidate's format that is the op's own (a reference or a naive baseline), for a task.
Result<OracleProgram> own_program(const std::string& source, const core::Task& task,
                                  const core::DeviceFacts& facts, const CompileAll& compile_all,
                                  const std::string& what);

/// Expected values by the vendor's library in fp64, where the op is a product that it can do. False: it is
/// not.
Result<bool> expect_by_library(ExecutionDevice& device, int set, const core::Task& task);

/// Whether the CPU reference is quick enough (about a millisecond a thread).
bool small_enough_for_host(const core::Task& task);

}  // namespace kgen::judge
