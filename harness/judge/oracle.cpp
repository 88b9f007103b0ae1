#include "harness/judge/oracle.hpp"

#include <algorithm>

#include "core/launch_plan.hpp"

#include "harness/judge/code_for_device.hpp"
#include "harness/judge/rules.hpp"
#include "reference_ops/reference.hpp"

namespace kgen::judge {
namespace {

constexpr std::int64_t kMostHostWork = 400'000;  ///< flops plus bytes that the CPU reference is asked for

core::PlanResult<OracleProgram> bind(const core::ResolvedPlan& resolved, const core::Task& task,
                                     const compile::CompileResult& compiled) {
  std::map<std::string, run::CompiledKernel> kernels;
  for (const auto& kernel : compiled.kernels)
    kernels[kernel.expression] = {kernel.lowered_name, kernel.parameters};
  OracleProgram program;
  KGEN_TRY(program.sequence, run::build_sequence(resolved, task, kernels, core::KernelOf::oracle));
  program.kernels = run::kernels_to_load(resolved, kernels);
  program.workspace = resolved.workspace;
  return program;
}

Error plan_error(const std::string& what, const core::PlanProblem& problem) {
  return {ErrorKind::bad_input, what + ": " + problem.text(),
          "the op's own text is at fault, not the candidate"};
}

compile::CompileRequest own_request(const std::string& source, const core::LaunchPlan& plan,
                                    const core::ResolvedPlan& resolved,
                                    const std::vector<core::TensorFacts>& tensors,
                                    const core::DeviceFacts& facts) {
  compile::CompileRequest request;
  request.source = source;
  request.macros = resolved.macros;
  ask_for(facts, request);
  request.standard = plan.compile.std;
  for (const auto& tensor : tensors) {
    request.type_aliases.emplace_back(tensor.name, std::string(core::name_of(tensor.dtype)));
  }
  for (const auto& step : resolved.steps) {
    if (const auto* launch = std::get_if<core::ResolvedLaunch>(&step))
      request.kernels.push_back(launch->kernel);
  }
  std::sort(request.kernels.begin(), request.kernels.end());
  request.kernels.erase(std::unique(request.kernels.begin(), request.kernels.end()), request.kernels.end());
  return request;
}

/// A thread for each 100,000 units of work: starting one costs as much as some thousands.
int threads_for(const core::Task& task) {
  const auto cost = core::cost_of(task);
  const std::int64_t work = cost ? cost->flops + cost->bytes : 0;
  return static_cast<int>(std::clamp<std::int64_t>(work / 100'000, 1, host_threads()));
}

}  // namespace

InputCase input_case(std::uint64_t seed, const core::Task& task, const core::Distribution& distribution,
                     int execution) {
  return {&distribution, case_seed(seed, core::describe_dims(task), distribution.name, execution)};
}

Status fill_inputs(ExecutionDevice& device, int set, const std::vector<core::TensorFacts>& tensors,
                   const InputCase& input) {
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i].role == core::Role::output) continue;
    KGEN_CHECK(
        device.fill(set, tensors[i].name, fill_params(*input.distribution, tensors[i], i, input.seed)));
  }
  return {};
}

std::vector<double> input_on_host(const core::TensorFacts& tensor, std::size_t number,
                                  const InputCase& input) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(tensor.bytes));
  const FillParams params = fill_params(*input.distribution, tensor, number, input.seed);
  fill_on_host(bytes.data(), params, tensor.elements);
  return decode_on_host(bytes.data(), params.dtype, tensor.elements);
}

Result<std::vector<ExpectedOutput>> expected_on_host(const core::Task& task,
                                                     const std::vector<core::TensorFacts>& tensors,
                                                     const InputCase& input) {
  const auto* const reference = reference_ops::find_reference(task.op->name);
  if (!reference) {
    return fail(ErrorKind::missing, "op " + task.op->name + " has no CPU reference in this worker",
                "use the worker of the same version as kgen");
  }
  reference_ops::ReferenceCall call;
  call.task = &task;
  call.threads = threads_for(task);
  std::vector<std::vector<double>> values;
  values.reserve(tensors.size());
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i].role == core::Role::output) continue;
    values.push_back(input_on_host(tensors[i], i, input));
    call.inputs[tensors[i].name] = values.back();
  }
  std::vector<ExpectedOutput> expected;
  expected.reserve(tensors.size());
  for (const auto& tensor : tensors) {
    if (tensor.role == core::Role::input) continue;
    auto& out = expected.emplace_back(ExpectedOutput{tensor.name, {}, {}});
    out.values.resize(static_cast<std::size_t>(tensor.elements));
    call.expected[tensor.name] = out.values;
    const auto tolerance = task.op->tolerances.find(tensor.name);
    if (tolerance == task.op->tolerances.end() || !tolerance->second.scale_from_reference) continue;
    out.scale.resize(out.values.size());
    call.scale[tensor.name] = out.scale;
  }
  KGEN_CHECK(reference->function(call));
  return expected;
}

std::vector<OracleOutput> oracle_outputs(const core::Task& task) {
  std::vector<OracleOutput> out;
  for (const core::Tensor* tensor : task.op->outputs()) {
    const auto tolerance = task.op->tolerances.find(tensor->name);
    const bool has_tolerance = tolerance != task.op->tolerances.end();
    const bool has_scale = has_tolerance && tolerance->second.scale_from_reference;
    const bool is_float = core::facts_of(core::dtype_of(*tensor, task.dtype)).is_float;
    out.push_back({tensor->name, tensor->name + (tensor->role == core::Role::inout ? "_after" : ""),
                   has_scale ? tensor->name + "_scale" : "", is_float || has_tolerance});
  }
  return out;
}

Result<core::Task> oracle_task(const core::Task& task) {
  auto op = std::make_shared<core::Op>(*task.op);
  std::vector<core::Tensor> added;
  for (const OracleOutput& output : oracle_outputs(task)) {
    const auto found = std::find_if(op->tensors.begin(), op->tensors.end(),
                                    [&](const core::Tensor& t) { return t.name == output.output; });
    core::Tensor values = *found;
    values.name = output.values;
    values.role = core::Role::output;
    if (output.is_double) values.dtype = "f64";
    if (!output.scale.empty()) {
      core::Tensor& scale = added.emplace_back(values);
      scale.name = output.scale;
    }
    if (found->role == core::Role::inout) {
      found->role = core::Role::input;
      added.push_back(std::move(values));
    } else {
      *found = std::move(values);
    }
  }
  for (core::Tensor& tensor : added) {
    if (op->find_tensor(tensor.name) != nullptr) {
      return fail(ErrorKind::bad_input, "op " + op->name + ": tensor " + tensor.name +
                                            " has the name of what the reference writes beside an output");
    }
    op->tensors.push_back(std::move(tensor));
  }
  core::Task out = task;
  out.op = std::move(op);
  return out;
}

Result<OracleProgram> own_program(const std::string& source, const core::Task& task,
                                  const core::DeviceFacts& facts, const CompileAll& compile_all,
                                  const std::string& what) {
  const auto as_error = [&](const core::PlanProblem& problem) { return plan_error(what, problem); };
  KGEN_TRY(const auto plan, core::parse_plan(source).map_error(as_error));
  KGEN_TRY(const auto variant, core::variant_near(plan, task, facts, plan.defaults).map_error(as_error));
  KGEN_TRY(const auto resolved, core::resolve_plan(plan, task, facts, variant).map_error(as_error));
  KGEN_TRY(const auto tensors, core::tensors_of(task));
  const compile::CompileRequest request = own_request(source, plan, resolved, tensors, facts);
  const auto results = compile_all({request});
  if (!results.front().ok) {
    return fail(ErrorKind::bad_input,
                what + " does not compile: " + results.front().message + "\n" + results.front().log);
  }
  KGEN_TRY(OracleProgram program, bind(resolved, task, results.front()).map_error(as_error));
  program.cubin = loadable(request, results.front());
  program.tensors = tensors;
  return program;
}

Result<OracleProgram> oracle_program(const core::Task& task, const core::DeviceFacts& facts,
                                     const CompileAll& compile_all) {
  KGEN_TRY(const auto as_oracle, oracle_task(task));
  KGEN_TRY(auto program, own_program(task.op->reference_cu, as_oracle, facts, compile_all,
                                     task.op->name + "/reference.cu"));
  program.outputs = oracle_outputs(task);
  return program;
}

std::string task_key(const core::Task& task) {
  std::string key = task.op->hash + " " + core::describe(task);
  for (const auto& [name, value] : task.attributes) key += " " + name + "=" + std::to_string(value);
  return key;
}

bool small_enough_for_host(const core::Task& task) {
  const auto cost = core::cost_of(task);
  return cost && cost->flops <= kMostHostWork && cost->bytes <= kMostHostWork;
}

Result<bool> expect_by_library(ExecutionDevice& device, int set, const core::Task& task) {
  KGEN_TRY(const auto gemm, core::gemm_of(task));
  if (!gemm) return false;
  const auto tolerance = task.op->tolerances.find(gemm->out);
  const bool with_scale = tolerance != task.op->tolerances.end() && tolerance->second.scale_from_reference;
  return device.expect_product(set, *gemm, with_scale);
}

}  // namespace kgen::judge
