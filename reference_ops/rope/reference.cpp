#include "reference_ops/rope/reference.hpp"

#include <cmath>

namespace kgen::reference_ops {

/// x [B, S, H, 2 half], cosine, sine [S, half] -> y as x in fp64; scale = sum of the products' magnitudes. Su
/// et al., RoFormer, arXiv:2104.09864.
Status rope(const ReferenceCall& call) {
  const auto x = call.inputs.at("x");
  const auto cosine = call.inputs.at("cosine"), sine = call.inputs.at("sine");
  const auto y = call.expected.at("y"), scale = call.scale.at("y");
  const auto half = static_cast<std::size_t>(call.task->dims.at("half"));
  const auto heads = static_cast<std::size_t>(call.task->dims.at("H"));
  const auto positions = static_cast<std::size_t>(call.task->dims.at("S"));
  const bool interleaved = call.task->attributes.at("interleaved") != 0;
  const auto pairs = static_cast<std::int64_t>(y.size() / 2);
  parallel_for(pairs, call.threads, [&](std::int64_t begin, std::int64_t end) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
      const std::size_t j = i % half, angle = i / half / heads % positions * half + j;
      const std::size_t first = i / half * (2 * half) + (interleaved ? 2 * j : j);
      const std::size_t second = first + (interleaved ? 1 : half);
      const double c = cosine[angle], s = sine[angle];
      y[first] = x[first] * c - x[second] * s;
      y[second] = x[second] * c + x[first] * s;
      scale[first] = std::fabs(x[first] * c) + std::fabs(x[second] * s);
      scale[second] = std::fabs(x[second] * c) + std::fabs(x[first] * s);
    }
  });
  return {};
}

}  // namespace kgen::reference_ops
