#include "core/proof.hpp"

#include <gtest/gtest.h>

#include "reference_ops/builtin_ops.hpp"
#include "util/json.hpp"

namespace kgen::core {
namespace {

/// add_relu with another cost model.
Finding costs(const char* flops, const char* bytes, const char* product_flops = "0") {
  auto op = std::make_shared<Op>(*reference_ops::find_builtin_op("add_relu").value());
  op->flops = util::Expr::parse(flops).value();
  op->bytes = util::Expr::parse(bytes).value();
  op->product_flops = util::Expr::parse(product_flops).value();
  return check_costs(op);
}

TEST(CheckCosts, BytesCoverTheTensorsAndAreNotManyTimesAsMany) {
  EXPECT_EQ(costs("2 * n", "bytes(a) + bytes(b) + bytes(y)").state, Finding::State::passed);
  const Finding few = costs("2 * n", "bytes(y)");
  EXPECT_EQ(few.state, Finding::State::failed);
  EXPECT_NE(few.detail.find("cost.bytes is "), std::string::npos) << few.detail;
  EXPECT_NE(few.where.find("add_relu"), std::string::npos) << few.where;
  EXPECT_EQ(costs("2 * n", "100 * bytes(y)").state, Finding::State::failed);
}

TEST(CheckCosts, ProductsAreAmongTheFlopsAndNothingIsNegative) {
  const char* bytes = "bytes(a) + bytes(b) + bytes(y)";
  EXPECT_EQ(costs("0", bytes).state, Finding::State::passed);
  EXPECT_EQ(costs("2 * n", bytes, "2 * n").state, Finding::State::passed);
  EXPECT_EQ(costs("2 * n", bytes, "3 * n").state, Finding::State::failed);
  EXPECT_EQ(costs("0 - n", bytes).state, Finding::State::failed);
}

TEST(CheckCosts, TablesThatIndicesChooseRowsOfNeedNotBeReadWhole) {
  EXPECT_EQ(check_costs(reference_ops::find_builtin_op("embedding").value()).state, Finding::State::passed);
}

/// Windows further apart than they are wide leave inputs out, at other attributes than the default ones only.
TEST(CheckCosts, WindowsMayLeaveInputsOut) {
  auto op = std::make_shared<Op>(*reference_ops::find_builtin_op("max_pool2d").value());
  EXPECT_EQ(check_costs(op).state, Finding::State::passed);
  op->bytes = util::Expr::parse("bytes(y)").value();
  EXPECT_EQ(check_costs(op).state, Finding::State::failed);
}

TEST(CheckCosts, OfEveryBuiltInOpAreTrue) {
  const auto ops = reference_ops::builtin_ops();
  ASSERT_TRUE(ops) << ops.error().text();
  for (const Op& op : *ops) {
    const Finding finding = check_costs(std::make_shared<const Op>(op));
    EXPECT_EQ(finding.state, Finding::State::passed)
        << op.name << ": " << finding.where << ": " << finding.detail;
  }
}

TEST(Proof, SurvivesTheWire) {
  const Task task = *make_task(*reference_ops::find_builtin_op("softmax"), "", {}, {});
  const ProofRequest request{task, 7, 2.5, true};
  const auto back = proof_request_from_json(to_json(request));
  ASSERT_TRUE(back) << back.error().text();
  EXPECT_EQ(to_json(*back), to_json(request));
  const ProofReply reply{
      {{"oracle", Finding::State::failed, "here", "why"}, {"x", Finding::State::missing, "", ""}}};
  EXPECT_EQ(to_json(*proof_reply_from_json(to_json(reply))), to_json(reply));
  EXPECT_FALSE(proof_reply_from_json({{"findings", {{{"name", 3}}}}}));
  auto odd = to_json(reply);
  odd["findings"][1]["state"] = "splendid";
  EXPECT_EQ(proof_reply_from_json(odd)->findings[1].state, Finding::State::failed);
}

}  // namespace
}  // namespace kgen::core
