#include "reference_ops/histogram/reference.hpp"

namespace kgen::reference_ops {

/// x [n] -> counts [bins].
Status histogram(const ReferenceCall& call) {
  const auto counts = call.expected.at("counts");
  for (double& count : counts) count = 0;
  for (const double value : call.inputs.at("x")) counts[static_cast<std::size_t>(value)] += 1;
  return {};
}

}  // namespace kgen::reference_ops
