#include "reference_ops/scatter_add/reference.hpp"

#include <cmath>
#include <vector>

#include "reference_ops/sum_growth.hpp"

namespace kgen::reference_ops {

/// x [rows, width], ids [n], src [n, width] -> x in fp64; scale = growth of a sum of its terms, times their
/// magnitudes.
Status scatter_add(const ReferenceCall& call) {
  const auto x = call.inputs.at("x"), ids = call.inputs.at("ids"), src = call.inputs.at("src");
  const auto after = call.expected.at("x"), scale = call.scale.at("x");
  const auto rows = static_cast<std::size_t>(call.task->dims.at("rows")),
             width = static_cast<std::size_t>(call.task->dims.at("width"));
  std::vector<double> terms(rows, 1.0);
  for (std::size_t k = 0; k < x.size(); ++k) after[k] = x[k], scale[k] = std::fabs(x[k]);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const auto row = static_cast<std::size_t>(ids[i]);
    terms[row] += 1.0;
    for (std::size_t c = 0; c < width; ++c) {
      after[row * width + c] += src[i * width + c];
      scale[row * width + c] += std::fabs(src[i * width + c]);
    }
  }
  for (std::size_t k = 0; k < x.size(); ++k) scale[k] *= sum_growth(terms[k / width]);
  return {};
}

}  // namespace kgen::reference_ops
