#include "reference_ops/group_norm/reference.hpp"

#include "reference_ops/norm_about_mean.hpp"

namespace kgen::reference_ops {

/// x [N, C, S], w, b [C] -> y [N, C, S] in fp64; scale = its error in roundings of f32 (docs/verification.md,
/// "Norms about a mean"). Wu and He, Group Normalization, arXiv:1803.08494.
Status group_norm(const ReferenceCall& call) {
  const auto x = call.inputs.at("x"), w = call.inputs.at("w"), b = call.inputs.at("b");
  const auto y = call.expected.at("y"), scale = call.scale.at("y");
  const auto groups = static_cast<std::int64_t>(call.task->attributes.at("groups"));
  const auto channels = static_cast<std::size_t>(call.task->dims.at("C") / groups);  // of a group
  const auto space = static_cast<std::size_t>(call.task->dims.at("S")), count = channels * space;
  const double eps = call.task->attributes.at("eps");
  parallel_for(call.task->dims.at("N") * groups, call.threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t group = begin; group < end; ++group) {
      const std::size_t first = static_cast<std::size_t>(group) * count;
      const std::size_t first_channel = static_cast<std::size_t>(group % groups) * channels;
      const auto values = x.subspan(first, count);
      const NormFacts facts = norm_facts(values, eps);
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t c = first_channel + i / space;
        y[first + i] = (values[i] - facts.mean) * facts.factor * w[c] + b[c];
        scale[first + i] = norm_error(facts, values[i], w[c], b[c]);
      }
    }
  });
  return {};
}

}  // namespace kgen::reference_ops
