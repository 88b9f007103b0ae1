#include "harness/judge/oracle_trial.hpp"

#include <algorithm>

#include "harness/compile/compiler_log.hpp"
#include "harness/judge/python_arrays.hpp"
#include "harness/judge/run_case.hpp"

namespace kgen::judge {
namespace {

/// What a reference did wrong, in its own file's name; a compiler's log behind its first line is left out.
Error reference_error(const core::Task& task, std::string message) {
  message = message.substr(0, message.find('\n'));
  const std::string file = task.op->name + "/reference.cu", own(compile::kCandidateFile);
  for (auto at = message.find(own); at != std::string::npos; at = message.find(own, at + file.size()))
    message.replace(at, own.size(), file);
  const bool named = message.find(file) != std::string::npos;
  return {ErrorKind::bad_input, (named ? "" : file + ": ") + message, ""};
}

Error failed(const core::Task& task, const run::RunFailure& failure) {
  if (failure.kind == run::RunFailure::Kind::world) return run::to_error(failure);
  return reference_error(task, std::string(run::name_of(failure.kind)) + ": " + failure.message);
}

}  // namespace

Result<OracleTrial> OracleTrial::open(const Workplace& workplace, const core::Task& task,
                                      run::Milliseconds limit) {
  OracleTrial out;
  out.device_ = workplace.device;
  out.task_ = task;
  out.limit_ = limit;
  KGEN_TRY(out.tensors_, core::tensors_of(task));
  if (has_python_oracle(*task.op)) {
    KGEN_TRY(out.python_, python_oracle_of(workplace.python_oracles, *task.op));
    out.on_device_ = out.device_->shares_with_oracles() && out.python_->has_device();
    if (out.on_device_) {
      KGEN_TRY(out.set_, out.device_->make_set({}));  // for what is expected alone
    }
    return out;
  }
  auto program = oracle_program(task, workplace.facts, workplace.compile_all);
  if (!program && program.error().kind == ErrorKind::bad_input)
    return tl::unexpected(reference_error(task, program.error().message));
  KGEN_TRY(out.program_, std::move(program));
  ShapeCase shape;
  KGEN_TRY(shape.task, oracle_task(task));
  shape.tensors = out.program_.tensors;
  shape.resolved.workspace = out.program_.workspace;
  KGEN_TRY(out.set_, out.device_->make_set(buffers_of(shape)));
  KGEN_TRY(out.runner_, out.device_->start_runner());
  const auto loaded = out.runner_->load(out.program_.cubin, out.program_.kernels, limit);
  if (!loaded) return tl::unexpected(failed(task, loaded.error()));
  return out;
}

Result<std::vector<ExpectedOutput>> OracleTrial::run(const InputCase& input, unsigned char poison) {
  if (on_device_) return run_python_on_device(input, poison);
  if (python_ != nullptr) return python_->expect(task_, tensors_, input, poison, limit_);
  KGEN_CHECK(fill_inputs(*device_, set_, tensors_, input));
  KGEN_CHECK(device_->prepare(set_, poison));
  KGEN_TRY(const U64 inputs, device_->hash(set_, BufferUse::input, input.seed));
  const auto ran = runner_->launch(set_, program_.sequence, limit_);
  if (!ran) return tl::unexpected(failed(task_, ran.error()));
  KGEN_CHECK(check_surroundings(input, inputs));
  std::vector<ExpectedOutput> out;
  for (const OracleOutput& output : program_.outputs) {
    ExpectedOutput& found = out.emplace_back(ExpectedOutput{output.output, {}, {}});
    KGEN_TRY(found.values, read(output.values));
    if (output.scale.empty()) continue;
    KGEN_TRY(found.scale, read(output.scale));
  }
  return out;
}

Result<std::vector<ExpectedOutput>> OracleTrial::run_python_on_device(const InputCase& input,
                                                                      unsigned char poison) {
  KGEN_CHECK(python_->expect_on(*device_, set_, task_, tensors_, input, poison, limit_));
  std::vector<ExpectedOutput> out;
  for (const OracleOutput& output : oracle_outputs(task_)) {
    const I64 count = tensor_named(tensors_, output.output).elements;
    KGEN_TRY(auto found, device_->read_expected(set_, output.output, 0, count));
    out.push_back(std::move(found));
  }
  return out;
}

Status OracleTrial::check_surroundings(const InputCase& input, U64 inputs) {
  KGEN_TRY(const auto breach, device_->guard_breach(set_));
  if (breach) {
    return tl::unexpected(reference_error(
        task_, "writes " + std::to_string(breach->distance) + " bytes " +
                   (breach->before ? "before the start of " : "behind the end of ") + breach->buffer));
  }
  KGEN_TRY(const U64 after, device_->hash(set_, BufferUse::input, input.seed));
  if (after != inputs) return tl::unexpected(reference_error(task_, "changes an input"));
  return {};
}

Result<std::vector<double>> OracleTrial::read(const std::string& buffer) {
  const auto tensor = std::find_if(program_.tensors.begin(), program_.tensors.end(),
                                   [&](const core::TensorFacts& t) { return t.name == buffer; });
  KGEN_TRY(const std::string bytes, device_->read(set_, buffer, 0, tensor->elements));
  return decode_on_host(reinterpret_cast<const std::byte*>(bytes.data()), static_cast<int>(tensor->dtype),
                        tensor->elements);
}

double OracleTrial::untouched(std::size_t output, unsigned char poison) const {
  const U64 pattern = 0x0101010101010101ull * poison;
  if (python_ != nullptr) return double_of(pattern);
  const OracleOutput& of = program_.outputs.at(output);
  const auto tensor = std::find_if(program_.tensors.begin(), program_.tensors.end(),
                                   [&](const core::TensorFacts& t) { return t.name == of.values; });
  const int size = bytes_of_code(static_cast<int>(tensor->dtype));
  return decode(static_cast<int>(tensor->dtype), size == 8 ? pattern : pattern & ((1ull << (8 * size)) - 1));
}

void OracleTrial::close() {
  if (runner_) (void)runner_->forget_sets();
  runner_.reset();
  device_->drop_sets();
}

}  // namespace kgen::judge
