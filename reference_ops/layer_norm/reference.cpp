#include "reference_ops/layer_norm/reference.hpp"

#include "reference_ops/norm_about_mean.hpp"

namespace kgen::reference_ops {

/// x [rows, cols], w, b [cols] -> y [rows, cols] in fp64; scale = its error in roundings of f32
/// (docs/verification.md, "Norms about a mean"). Ba, Kiros, Hinton, Layer Normalization, arXiv:1607.06450.
Status layer_norm(const ReferenceCall& call) {
  const auto x = call.inputs.at("x");
  const auto w = call.inputs.at("w");
  const auto b = call.inputs.at("b");
  const auto y = call.expected.at("y");
  const auto scale = call.scale.at("y");
  const auto cols = static_cast<std::size_t>(call.task->dims.at("cols"));
  const double eps = call.task->attributes.at("eps");
  parallel_for(call.task->dims.at("rows"), call.threads, [&](std::int64_t begin, std::int64_t end) {
    for (auto r = static_cast<std::size_t>(begin); r < static_cast<std::size_t>(end); ++r) {
      const auto row = x.subspan(r * cols, cols);
      const NormFacts facts = norm_facts(row, eps);
      for (std::size_t c = 0; c < cols; ++c) {
        y[r * cols + c] = (row[c] - facts.mean) * facts.factor * w[c] + b[c];
        scale[r * cols + c] = norm_error(facts, row[c], w[c], b[c]);
      }
    }
  });
  return {};
}

}  // namespace kgen::reference_ops
