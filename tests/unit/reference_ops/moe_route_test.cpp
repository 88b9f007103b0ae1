#include "reference_ops/moe_route/reference.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/task.hpp"
#include "reference_ops/builtin_ops.hpp"
#include "reference_ops/reference.hpp"

namespace kgen::reference_ops {
namespace {

/// What the reference says of one token: weights and the errors that it grants, in roundings of f32.
struct Routed {
  std::vector<double> weights, chosen, scale;
};

Routed route(const std::vector<double>& logits, std::int64_t k, bool renormalise) {
  const auto experts = static_cast<std::int64_t>(logits.size());
  const auto op = find_builtin_op("moe_route").value();
  const core::Task task =
      core::make_task(op, "bf16", {{"tokens", 1}, {"experts", experts}},
                      {{"k", static_cast<double>(k)}, {"renormalise", renormalise ? 1.0 : 0.0}})
          .value();
  const auto count = static_cast<std::size_t>(k);
  Routed out{std::vector<double>(count), std::vector<double>(count), std::vector<double>(count)};
  ReferenceCall call;
  call.task = &task;
  call.inputs = {{"logits", logits}};
  call.expected = {{"weights", out.weights}, {"chosen", out.chosen}};
  call.scale = {{"weights", out.scale}};
  EXPECT_TRUE(moe_route(call));
  return out;
}

// Logits that are whole numbers, of which many are equal: in falling order they round alike.
TEST(MoeRoute, GrantsWhatAPlainSumOfTheChosenLoses) {
  const int counts[] = {9, 9, 13, 40, 49, 41, 43, 24, 47, 48};
  std::vector<double> logits;
  for (int below = 0; below < 10; ++below)
    logits.insert(logits.end(), static_cast<std::size_t>(counts[below]), 200 - below);
  const auto k = static_cast<std::int64_t>(logits.size());
  float sum = 0;
  for (const double logit : logits) sum += std::exp(static_cast<float>(logit - 200));
  const Routed routed = route(logits, k, true);
  const double error = std::fabs(1.0 / sum - routed.weights[0]) / 0x1p-24;
  EXPECT_GT(error, 130 * routed.weights[0]);  // more than four times the root of the terms
  EXPECT_LE(error, routed.scale[0]);
}

// The sum over all experts is added in their order, of unlike terms: one expert of thousands that is left out
// is seen.
TEST(MoeRoute, SeesAnExpertThatIsLeftOutOfAll) {
  const Routed routed = route(std::vector<double>(8192, -7.0), 8, false);
  const double without_one = 1.0 / 8191;
  EXPECT_GT(std::fabs(without_one - routed.weights[0]) / 0x1p-24, 2 * routed.scale[0]);
}

}  // namespace
}  // namespace kgen::reference_ops
