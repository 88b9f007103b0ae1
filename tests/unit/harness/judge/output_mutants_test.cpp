#include "harness/judge/output_mutants.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

#include "harness/judge/proof_tally.hpp"

namespace kgen::judge {
namespace {

ToleranceParams f32_tolerance(double steps) {
  ToleranceParams params;
  params.dtype = kF32;
  params.u_out = params.u_acc = 0x1p-24;
  params.steps = steps;
  return params;
}

std::map<std::string, std::vector<double>> values_of(const std::vector<double>& expected,
                                                     const ToleranceParams& params) {
  std::map<std::string, std::vector<double>> out;
  const std::vector<double> no_scale;
  const std::map<std::string, std::vector<std::byte>> no_inputs;
  for (const auto& mutant : output_mutants({expected, no_scale, params, no_inputs}).wrong)
    out[mutant.name] = decode_on_host(mutant.bytes.data(), params.dtype, static_cast<I64>(expected.size()));
  return out;
}

TEST(OutputMutants, AreWhatWrongKernelsLeave) {
  const auto mutants = values_of({1.5, 1.5, 2.0, 3.0001}, f32_tolerance(2));
  EXPECT_EQ(mutants.at("zeros"), (std::vector<double>{0, 0, 0, 0}));
  EXPECT_EQ(mutants.at("last_dropped")[3], 0);
  EXPECT_EQ(mutants.at("last_dropped")[2], 2.0);
  EXPECT_EQ(mutants.at("neighbours_swapped")[1], 2.0) << "the first two that differ";
  EXPECT_EQ(mutants.at("neighbours_swapped")[2], 1.5);
  EXPECT_EQ(mutants.at("one_value")[3], 1.5);
  EXPECT_GT(mutants.at("beyond_tolerance")[0], 1.5);
  EXPECT_EQ(mutants.at("fewer_significant_bits")[3], 3.0) << "11 bits";
}

TEST(OutputMutants, ThoseThatAreRightAreNotAmongThem) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(values_of({0.0, -0.0}, f32_tolerance(1)).contains("zeros")) << "-0 is as good as 0";
  EXPECT_FALSE(values_of({nan, nan}, f32_tolerance(1)).contains("one_value"));
  EXPECT_FALSE(values_of({4, 4}, f32_tolerance(1)).contains("fewer_significant_bits"));
  EXPECT_TRUE(values_of({}, f32_tolerance(1)).empty());
}

OutputMutants mutants_of(const std::vector<double>& expected, int dtype) {
  ToleranceParams params = f32_tolerance(1);
  params.dtype = dtype;
  const std::vector<double> no_scale;
  const std::map<std::string, std::vector<std::byte>> no_inputs;
  return output_mutants({expected, no_scale, params, no_inputs});
}

TEST(OutputMutants, ThoseThatAreRightAreToldWhereTheOutputCouldShowThem) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(mutants_of({0, -0.0}, kF32).right, (Names{"zeros", "one_value", "fewer_significant_bits"}));
  EXPECT_EQ(mutants_of({4, 8}, kF32).right, Names{"fewer_significant_bits"});
  EXPECT_EQ(mutants_of({4, 8}, kF8e4m3).right, Names{}) << "8 bits have none to lose";
  EXPECT_EQ(mutants_of({4, 8}, kI32).right, Names{}) << "nor have whole numbers";
  EXPECT_EQ(mutants_of({1.1}, kF32).right, Names{}) << "a single element is one value";
  EXPECT_EQ(mutants_of({}, kF32).right, Names{});
}

TEST(OutputMutants, SayWhichValueAllElementsHave) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(mutants_of({3, 3, 3}, kF32).only_value, 3.0);
  EXPECT_EQ(mutants_of({7}, kI32).only_value, 7.0);
  EXPECT_TRUE(std::isnan(mutants_of({nan, nan}, kF32).only_value.value()));
  EXPECT_EQ(mutants_of({3, 4}, kF32).only_value, std::nullopt);
  EXPECT_EQ(mutants_of({}, kF32).only_value, std::nullopt);
}

TEST(OutputMutants, AnInputInPlaceOfTheResultIsOne) {
  const std::vector<double> expected = {2, 4}, no_scale;
  const float x[] = {1, 2}, same[] = {2, 4};
  std::map<std::string, std::vector<std::byte>> inputs;
  for (const auto& [name, from] : {std::pair{"x", x}, std::pair{"same", same}}) {
    inputs[name].resize(sizeof x);
    std::memcpy(inputs[name].data(), from, sizeof x);
  }
  const auto params = f32_tolerance(1);
  bool copies_x = false;
  EXPECT_EQ(output_mutants({expected, no_scale, params, inputs}).right,
            (std::vector<std::string>{"fewer_significant_bits", "copy_of_same"}));
  for (const auto& mutant : output_mutants({expected, no_scale, params, inputs}).wrong) {
    EXPECT_NE(mutant.name, "copy_of_same");
    copies_x = copies_x || mutant.name == "copy_of_x";
  }
  EXPECT_TRUE(copies_x);
}

TEST(OutputMutants, ValuesBeyondTheToleranceAreRejectedWhateverItIs) {
  const std::vector<double> expected = {1, -3, 1e20}, no_scale;
  const std::map<std::string, std::vector<std::byte>> no_inputs;
  for (const double steps : {1.0, 1e3, 1e6}) {
    const auto params = f32_tolerance(steps);
    const RightOutput right{expected, no_scale, params, no_inputs};
    EXPECT_EQ(compare_on_host(perfect_output(right).data(), expected, {}, params).wrong, 0);
    for (const auto& mutant : output_mutants(right).wrong) {
      if (mutant.name != "beyond_tolerance") continue;
      EXPECT_EQ(compare_on_host(mutant.bytes.data(), expected, {}, params).wrong, 3) << steps;
    }
  }
}

const core::Finding* finding_named(const std::vector<core::Finding>& findings, const std::string& name) {
  for (const auto& finding : findings)
    if (finding.name == name) return &finding;
  return nullptr;
}

TEST(ProofTally, OneFailureAmongManyCasesFailsAndTheFirstIsTold) {
  ProofTally tally;
  tally.pass("oracle");
  tally.pass("written");
  tally.fail("written", "here", "y[3]");
  tally.fail("written", "there", "y[4]");
  const auto findings = tally.findings();
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[0].state, core::Finding::State::passed);
  EXPECT_EQ(findings[1].state, core::Finding::State::failed);
  EXPECT_EQ(findings[1].where, "here");
  EXPECT_EQ(findings[1].detail, "y[3] (and in 1 more)");
}

TEST(ProofTally, AWrongOutputHasToBeRejectedOnceAndOneThatNeverIsFails) {
  ProofTally tally;
  tally.meet_mutant("y: zeros", false, "tiny");
  tally.meet_mutant("y: zeros", true, "normal");
  tally.meet_mutant("y: one_value", false, "tiny");
  tally.meet_mutant("y: one_value", false, "normal");
  const auto findings = tally.findings();
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[0].state, core::Finding::State::failed);
  EXPECT_EQ(findings[0].where, "tiny");
  EXPECT_NE(findings[0].detail.find("y: one_value passes in all cases"), std::string::npos);
  EXPECT_EQ(finding_named({findings[1]}, "wrong outputs")->detail, "rejected: y: zeros");
}

TEST(ProofTally, CasesWhoseToleranceLetsGrossOutputsPassAreCounted) {
  ProofTally tally;
  tally.meet_mutant("y: zeros within tolerance", false, "tiny");
  tally.meet_mutant("y: zeros within tolerance", true, "normal");
  tally.meet_mutant("y: one_value within tolerance", true, "normal");
  const auto findings = tally.findings();
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].state, core::Finding::State::passed);
  EXPECT_EQ(findings[0].detail,
            "rejected: y: one_value within tolerance, y: zeros within tolerance (but passes in 1 of 2 cases, "
            "first tiny)");
}

std::vector<core::Finding> findings_of_outputs(
    const std::vector<std::pair<std::optional<double>, std::vector<std::string>>>& cases) {
  ProofTally tally;
  for (const auto& [only_value, right] : cases) tally.meet_output("y", only_value, right);
  return tally.findings();
}

TEST(ProofTally, AnOutputThatIsOneNumberInAllCasesFails) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double value : {0.0, nan, 7.0}) {
    const auto findings = findings_of_outputs({{value, {"zeros", "one_value"}}, {value, {"one_value"}}});
    ASSERT_EQ(findings.size(), 1U) << value;
    EXPECT_EQ(findings[0].name, "constant output");
    EXPECT_EQ(findings[0].state, core::Finding::State::failed);
    EXPECT_NE(findings[0].detail.find("at every element in all 2 cases: any kernel that writes that passes"),
              std::string::npos)
        << findings[0].detail;
  }
  EXPECT_EQ(findings_of_outputs({{0.0, {"zeros"}}}).size(), 1U) << "a single 0 shows nothing";
  EXPECT_TRUE(findings_of_outputs({{7.0, {}}}).empty()) << "of one number in one case nobody knows";
  EXPECT_TRUE(findings_of_outputs({{0.0, {"zeros"}}, {7.0, {}}}).empty());
  EXPECT_TRUE(findings_of_outputs({{0.0, {"zeros"}}, {std::nullopt, {}}, {0.0, {"zeros"}}}).empty());
}

TEST(ProofTally, AnOutputOfOneValueInEachCaseFailsUnlessOneCaseDiffers) {
  ProofTally tally;
  tally.meet_output("y", 1.0, {"one_value"});
  tally.meet_output("y", 2.0, {"one_value"});
  ASSERT_EQ(tally.findings().size(), 1U);
  EXPECT_EQ(tally.findings()[0].state, core::Finding::State::failed);
  EXPECT_NE(tally.findings()[0].detail.find("y has one value at all elements in all 2 cases"),
            std::string::npos);
  tally.meet_mutant("y: one_value", true, "normal");
  tally.meet_output("y", std::nullopt, {});
  EXPECT_EQ(finding_named(tally.findings(), "constant output"), nullptr);
}

TEST(ProofTally, AWrongOutputThatIsRightInAllCasesIsMissing) {
  ProofTally tally;
  tally.meet_output("y", std::nullopt, {"copy_of_w", "copy_of_x", "fewer_significant_bits"});
  tally.meet_output("y", std::nullopt, {"copy_of_x", "fewer_significant_bits"});
  const auto findings = tally.findings();
  ASSERT_EQ(findings.size(), 2U) << "w has the size of y in one case alone";
  EXPECT_EQ(findings[0].state, core::Finding::State::missing);
  EXPECT_NE(
      findings[0].detail.find("y: copy_of_x equals the right output in all 2 cases: a kernel that writes x"),
      std::string::npos)
      << findings[0].detail;
  EXPECT_NE(findings[1].detail.find("fewer_significant_bits"), std::string::npos);
  tally.meet_mutant("y: copy_of_x", true, "normal");
  tally.meet_mutant("y: fewer_significant_bits", true, "normal");
  for (const auto& finding : tally.findings()) EXPECT_EQ(finding.state, core::Finding::State::passed);
}

TEST(ProofTally, WhatAFailureCutShortSaysNothingOfItsOutputs) {
  ProofTally tally;
  tally.meet_output("y", 0.0, {"zeros", "one_value"});
  tally.fail("written", "here", "y[3]");
  ASSERT_EQ(tally.findings().size(), 1U);
  EXPECT_EQ(tally.findings()[0].name, "written");
}

}  // namespace
}  // namespace kgen::judge
