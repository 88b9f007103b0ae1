#include "kernel_bits/subjects.hpp"

#include <stdexcept>

#include "harness/judge/rules.hpp"
#include "harness/judge/run_case.hpp"
#include "harness/judge/variant_stages.hpp"
#include "reference_ops/builtin_ops.hpp"
#include "reference_ops/op_kernels.hpp"

namespace kgen::kernel_bits {
namespace {

constexpr std::uint64_t kSeed = 0x62697473;
constexpr judge::U64 kHashKey = 1;

/// False: the verdict says why not.
Result<bool> prepare(judge::Session& session) {
  constexpr judge::Stage kStages[] = {judge::read_plan, judge::choose_task_shape, judge::compile_programs,
                                      judge::bind_launches, judge::load_candidate};
  for (const judge::Stage stage : kStages) {
    KGEN_TRY(const bool go_on, stage(session));
    if (!go_on) return false;
  }
  return judge::load_program(session, session.task_case().program);
}

Result<std::vector<double>> allowed_errors(const core::Task& task, const core::TensorFacts& output,
                                           const judge::InputCase& input,
                                           const std::vector<judge::ExpectedOutput>& expected) {
  KGEN_TRY(const auto params, judge::tolerance_params(task, output, *input.distribution));
  std::vector<double> allowed(static_cast<std::size_t>(output.elements), 0.0);
  if (judge::must_be_equal(params)) return allowed;
  for (const judge::ExpectedOutput& of : expected) {
    if (of.name != output.name) continue;
    for (std::size_t i = 0; i < allowed.size(); ++i)
      allowed[i] =
          judge::allowed_error(params, of.values[i], of.scale.empty() ? std::abs(of.values[i]) : of.scale[i]);
  }
  return allowed;
}

Result<Execution> run(judge::Session& session) {
  const judge::ShapeCase& shape = session.task_case();
  judge::ExecutionDevice& device = *session.workplace.device;
  const judge::InputCase input =
      judge::input_case(kSeed, shape.task, shape.task.op->distributions.front(), 0);
  KGEN_TRY(const int set, judge::set_of(session, 0));
  KGEN_CHECK(judge::fill_inputs(device, set, shape.tensors, input));
  KGEN_CHECK(device.prepare(set, judge::kNanPoison));
  Execution execution;
  KGEN_TRY(execution.inputs_hash, device.hash(set, judge::BufferUse::input, kHashKey));
  if (const auto launched = session.bench.runner->launch(set, shape.sequence, session.launch_limit());
      !launched) {
    KGEN_CHECK(judge::stop_at_failure(session, launched.error(), "one execution"));
    return execution;
  }
  KGEN_TRY(const auto expected, judge::expected_on_host(shape.task, shape.tensors, input));
  for (const core::TensorFacts& tensor : shape.tensors) {
    if (tensor.role == core::Role::input) continue;
    Output& output = execution.outputs.emplace_back();
    output.tensor = tensor.name;
    output.dtype = tensor.dtype;
    KGEN_TRY(output.bytes, device.read(set, tensor.name, 0, tensor.elements));
    KGEN_TRY(output.allowed, allowed_errors(shape.task, tensor, input, expected));
  }
  return execution;
}

bool may_stay_out(core::Verdict verdict) {
  return verdict == core::Verdict::not_covered || verdict == core::Verdict::not_emulated;
}

}  // namespace

std::vector<Subject> all_subjects() {
  const auto ops = reference_ops::builtin_ops();
  if (!ops) throw std::runtime_error(ops.error().text());
  std::vector<Subject> out;
  for (const core::Op& op : *ops) {
    const auto shared = std::make_shared<const core::Op>(op);
    for (const auto& kernel : reference_ops::builtin_kernels(op.name)) {
      if (kernel.is_mutant) continue;
      for (const core::DType dtype : op.dtypes) {
        auto task = core::make_task(shared, core::name_of(dtype), op.emulator_dims, {});
        if (!task) throw std::runtime_error(op.name + ": " + task.error().text());
        out.push_back({op.name + "/" + kernel.file + " " + std::string(core::name_of(dtype)), kernel.source,
                       std::move(*task)});
      }
    }
  }
  return out;
}

Result<Execution> execute(const judge::Workplace& workplace, const Subject& subject) {
  core::EvaluateRequest request;
  request.task = subject.task;
  request.source = subject.source;
  request.seed = kSeed;
  const judge::StageEvent ignore = [](const core::Stage&) {};
  judge::Session session{workplace, request, ignore, {}, {}, {}, {}, {}};
  const Closing closing{session};
  KGEN_TRY(const bool prepared, prepare(session));
  Execution execution;
  if (prepared) {
    KGEN_TRY(execution, run(session));
  }
  const auto& evaluation = session.evaluation;
  if (!execution.outputs.empty()) return execution;
  if (!may_stay_out(evaluation.verdict))
    return fail(ErrorKind::internal, subject.name + ": " + std::string(core::name_of(evaluation.verdict)) +
                                         ": " + evaluation.message);
  execution.not_run = std::string(core::name_of(evaluation.verdict)) + ": " + evaluation.message;
  return execution;
}

}  // namespace kgen::kernel_bits
