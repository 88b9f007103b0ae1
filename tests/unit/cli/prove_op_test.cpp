#include "cli/prove_op.hpp"

#include <gtest/gtest.h>

#include "cli/op_folder.hpp"
#include "cli/proof_text.hpp"
#include "cli/value_gaps.hpp"
#include "reference_ops/builtin_ops.hpp"
#include "util/json.hpp"

namespace kgen::cli {
namespace {

using core::Finding;
using State = core::Finding::State;

TEST(OpPaths, AreToldFromNames) {
  for (const char* path : {"./mine", "../mine", "/ops/mine", "ops/mine", "mine/op.toml", "op.toml", "."})
    EXPECT_TRUE(is_op_path(path)) << path;
  for (const char* name : {"softmax", "mine", ""}) EXPECT_FALSE(is_op_path(name)) << name;
  EXPECT_EQ(op_folder("a/mine/op.toml"), "a/mine");
  EXPECT_EQ(op_folder("op.toml"), ".");
  EXPECT_EQ(op_folder("./mine"), "./mine");
}

TEST(MergeFindings, WhatPassedInSeveralDtypesIsOneLineAndFailuresStayApart) {
  const Finding passed{"oracle", State::passed, "", "3 cases"};
  const auto merged = merge_findings(
      {{"f32", {passed}},
       {"f16", {passed, {"written", State::failed, "op f16", "y[0]"}}},
       {"bf16", {{"oracle", State::passed, "", "2 cases"}, {"written", State::failed, "op bf16", "y[1]"}}}});
  ASSERT_EQ(merged.size(), 4U);
  EXPECT_EQ(merged[0].detail, "f32, f16: 3 cases");
  EXPECT_EQ(merged[1].detail, "y[0]");
  EXPECT_EQ(merged[2].detail, "bf16: 2 cases");
  EXPECT_EQ(merged[3].where, "op bf16");
}

std::vector<std::string> names_of(const std::vector<Finding>& findings) {
  std::vector<std::string> names;
  for (const Finding& finding : findings) names.push_back(finding.name);
  return names;
}

TEST(ValueGaps, NameWhatNoDistributionHasOfAnInputThatMayHoldAnything) {
  core::Op op = *reference_ops::find_builtin_op("softmax").value();
  EXPECT_TRUE(value_gaps(op).empty());
  op.distributions = {{.name = "normal", .values = {}, .per_tensor = {}}};
  const auto gaps = value_gaps(op);
  ASSERT_EQ(gaps.size(), 1U);
  EXPECT_EQ(gaps[0].name, "values of x");
  EXPECT_EQ(gaps[0].state, State::missing);
  for (const char* part : {"beyond 89", "below 1e-4", "many equal values"})
    EXPECT_NE(gaps[0].detail.find(part), std::string::npos) << gaps[0].detail;

  core::Distribution wide = op.distributions[0];
  wide.per_tensor["x"].kind = core::GeneratorKind::log_scale;
  wide.per_tensor["x"].low = -40;
  wide.per_tensor["x"].high = 7;
  op.distributions.push_back(wide);
  ASSERT_EQ(value_gaps(op).size(), 1U);
  EXPECT_EQ(value_gaps(op)[0].detail.find("beyond 89"), std::string::npos) << value_gaps(op)[0].detail;
  EXPECT_NE(value_gaps(op)[0].detail.find("many equal values"), std::string::npos);
  core::Distribution special = op.distributions[0];
  special.values.kind = core::GeneratorKind::special;
  special.values.density = 0.99;
  op.distributions.push_back(special);
  ASSERT_EQ(value_gaps(op).size(), 1U) << "what is left are NaN and infinities, not zeros";
  op.distributions.pop_back();
  op.distributions[0].values.density = 0.5;  // zeros among them
  EXPECT_TRUE(value_gaps(op).empty());

  op.distributions.resize(1);
  op.special_values = core::SpecialValues::unspecified;
  EXPECT_TRUE(value_gaps(op).empty()) << "its inputs may have a range";

  core::Tensor lengths;
  lengths.name = "lengths";
  lengths.dtype = "i32";
  op.tensors.push_back(lengths);
  ASSERT_EQ(names_of(value_gaps(op)), std::vector<std::string>{"values of lengths"});
  EXPECT_NE(value_gaps(op)[0].detail.find("needs `below`"), std::string::npos);
}

TEST(UnvariedAttributes, AreThoseThatNoRangeRuleOrCheckShapeNames) {
  using Names = std::vector<std::string>;
  core::Op op = *reference_ops::find_builtin_op("softmax").value();
  op.attributes = {{"a", "float", 0.9, "", 0, 0}, {"n", "int", 3, "", 0, 0}, {"b", "bool", 0, "", 0, 0}};
  EXPECT_EQ(names_of(unvaried_attributes(op)), (Names{"attribute a", "attribute n"}));
  EXPECT_EQ(unvaried_attributes(op)[0].state, State::missing);
  EXPECT_EQ(unvaried_attributes(op)[0].detail,
            "never other than 0.9: give low and high, or a check shape with another value");
  op.dim_rules.push_back("n >= 1");
  EXPECT_EQ(names_of(unvaried_attributes(op)), Names{"attribute a"}) << "rules say what n may be";
  op.check_shapes.push_back({{}, {{"a", 0.9}}, false});
  EXPECT_EQ(names_of(unvaried_attributes(op)), Names{"attribute a"}) << "that is the default again";
  op.check_shapes.push_back({{}, {{"a", 0.5}}, false});
  EXPECT_EQ(names_of(unvaried_attributes(op)), Names{});
  op.check_shapes.clear();
  op.attributes[0].low = 0.1;
  op.attributes[0].high = 2;
  EXPECT_EQ(names_of(unvaried_attributes(op)), Names{});
}

TEST(UnvariedAttributes, NoBuiltInOpHasOne) {
  const auto ops = reference_ops::builtin_ops();
  ASSERT_TRUE(ops) << ops.error().text();
  for (const core::Op& op : *ops) EXPECT_TRUE(unvaried_attributes(op).empty()) << op.name;
}

ProofReport proof_of(State state) {
  ProofReport report;
  report.device = core::facts_for_arch("sm_90a").value();
  report.proofs.push_back({{reference_ops::find_builtin_op("softmax").value(), kBuiltIn},
                           {{"oracle", State::passed, "", "all"}, {"mutants", state, "", "\x1b[2J none"}}});
  return report;
}

TEST(ProofText, OnlyAFailureMakesASpecificationUnproven) {
  for (const State state : {State::passed, State::skipped, State::missing}) {
    EXPECT_EQ(exit_code_of(proof_of(state)), core::ExitCode::ok);
    const std::string end = state == State::missing ? "; missing evidence: 1 line above\n" : "\n";
    EXPECT_NE(proof_text(proof_of(state), false).find("\nproven: 1 specification" + end), std::string::npos);
  }
  EXPECT_EQ(exit_code_of(proof_of(State::failed)), core::ExitCode::not_met);
  const std::string text = proof_text(proof_of(State::failed), false);
  EXPECT_NE(text.find("FAILED  mutants"), std::string::npos) << text;
  EXPECT_NE(text.find("not proven: 1 of 1 specification"), std::string::npos) << text;
  EXPECT_EQ(text.find('\x1b'), std::string::npos) << "an oracle's words do not reach the terminal raw";
  EXPECT_EQ(proof_json(proof_of(State::failed)).at("ops").at(0).at("proven"), false);
}

}  // namespace
}  // namespace kgen::cli
