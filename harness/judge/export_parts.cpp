#include "harness/judge/export_parts.hpp"

#include <cmath>

#include "harness/judge/host_kernels.hpp"
#include "harness/judge/oracle.hpp"
#include "harness/judge/rules.hpp"

namespace kgen::judge {
namespace {

/// How far each element may be from what is expected; 0 where it must be equal.
Result<std::vector<double>> allowed_errors(const core::Task& task, const core::TensorFacts& tensor,
                                           const core::Distribution& distribution,
                                           const ExpectedOutput& expected) {
  KGEN_TRY(const ToleranceParams params, tolerance_params(task, tensor, distribution));
  std::vector<double> allowed(expected.values.size(), 0.0);
  if (must_be_equal(params)) return allowed;
  for (std::size_t i = 0; i < allowed.size(); ++i) {
    const double value = expected.values[i];
    const bool scaled = i < expected.scale.size() && std::isfinite(expected.scale[i]);
    allowed[i] = allowed_error(params, value, scaled ? expected.scale[i] : std::fabs(value));
  }
  return allowed;
}

std::string input_bytes(const core::Distribution& distribution, const core::TensorFacts& tensor,
                        std::size_t number, std::uint64_t seed) {
  std::string bytes(static_cast<std::size_t>(tensor.bytes), '\0');
  fill_on_host(reinterpret_cast<std::byte*>(bytes.data()), fill_params(distribution, tensor, number, seed),
               tensor.elements);
  return bytes;
}

std::string with_log(const compile::CompileResult& result) {
  return result.log.empty() ? result.message : result.message + "\n" + result.log;
}

}  // namespace

Result<core::BuildReply> build(const Workplace& workplace, const core::BuildRequest& request) {
  compile::CompileRequest wanted;
  wanted.source = request.source;
  wanted.macros = request.macros;
  wanted.type_aliases = request.type_aliases;
  wanted.kernels = request.kernels;
  wanted.arch = request.arch;
  wanted.standard = request.std;
  wanted.fast_math = request.fast_math;
  wanted.max_registers = request.max_registers;
  wanted.want_ptx = true;
  const auto results = workplace.compile_all({wanted});
  const compile::CompileResult& result = results.front();
  if (result.failure == compile::CompileFailure::unavailable)
    return fail(ErrorKind::missing, "the kernel could not be compiled: " + result.message,
                "see `kgen doctor`");
  core::BuildReply reply{result.ok, result.ok ? "" : with_log(result), result.cubin, result.ptx, {}};
  for (const auto& kernel : result.kernels)
    reply.kernels.push_back({kernel.expression, kernel.lowered_name, kernel.parameters});
  return reply;
}

Result<core::SampleReply> sample(const Workplace& workplace, const core::SampleRequest& request) {
  const core::Op& op = *request.task.op;
  const auto linked = workplace.references.find(op.name);
  if (linked == workplace.references.end() || linked->second != op.hash)
    return fail(ErrorKind::missing, "op " + op.name + " has no CPU reference in this worker");
  const core::Distribution& distribution = op.distributions.front();
  KGEN_TRY(const auto tensors, core::tensors_of(request.task));
  const InputCase input = input_case(request.seed, request.task, distribution, 0);
  KGEN_TRY(const auto expected, expected_on_host(request.task, tensors, input));
  core::SampleReply reply;
  reply.distribution = distribution.name;
  auto next = expected.begin();
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    core::SampleTensor& out = reply.tensors.emplace_back();
    out.name = tensors[i].name;
    if (tensors[i].role != core::Role::output)
      out.data = input_bytes(distribution, tensors[i], i, input.seed);
    if (tensors[i].role == core::Role::input) continue;
    out.expected = next->values;
    KGEN_TRY(out.allowed, allowed_errors(request.task, tensors[i], distribution, *next++));
  }
  return reply;
}

}  // namespace kgen::judge
