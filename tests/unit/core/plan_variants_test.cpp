#include <gtest/gtest.h>

#include "core/resolved_plan.hpp"
#include "plan_tasks.hpp"

namespace kgen::core {
namespace {

using namespace examples;

std::string with(const std::string& fields) {
  return "{" + fields + R"(, "launches": [{"kernel": "k", "grid": [1], "block": [32], "args": ["c"]}]})";
}

TEST(PlanVariants, ARequirementThatFailsIsNamed) {
  const LaunchPlan plan = plan_of(kSplitKGemm);
  EXPECT_EQ(*unmet_requirement(plan, gemm_task(), kHopper), std::nullopt);
  EXPECT_EQ(*unmet_requirement(plan, gemm_task(16, 16, 255), kHopper), "K % 8 == 0");
}

TEST(PlanVariants, RequirementsSpeakOfDtypesAttributesAndTheDevice) {
  const LaunchPlan plan = plan_of(with(R"("requires": ["dtype(a) == bf16", "dtype(T) == bf16", "cc >= 90",
    "sizeof(a) == 2 && numel(a) == M * K && bytes(b) == 2 * K * N", "num_sms == 132 && max_dynamic_shared > 200000"])"));
  EXPECT_EQ(*unmet_requirement(plan, gemm_task(), kHopper), std::nullopt);
}

TEST(PlanVariants, RequirementsMayNotSpeakOfTunables) {
  const LaunchPlan plan =
      plan_of(with(R"("tunables": {"BM": [64]}, "let": {"t": 1}, "requires": ["M % BM == 0"])"));
  const PlanProblem problem = problem_in(unmet_requirement(plan, gemm_task(), kHopper));
  EXPECT_EQ(problem.field, "requires[0]");
  EXPECT_TRUE(has(problem.expected, "'BM' is a tunable")) << problem.expected;
}

TEST(PlanVariants, DefaultsComeFirstThenTheOrderOfTheLists) {
  const LaunchPlan plan =
      plan_of(with(R"("tunables": {"BM": [64, 128], "AA": [1, 2]}, "defaults": {"BM": 128, "AA": 1})"));
  const std::vector<Variant> expected{
      {{"BM", 128}, {"AA", 1}}, {{"BM", 64}, {"AA", 1}}, {{"BM", 64}, {"AA", 2}}, {{"BM", 128}, {"AA", 2}}};
  EXPECT_EQ(*feasible_variants(plan, gemm_task(), kHopper), expected);
}

TEST(PlanVariants, ConstraintsLeaveVariantsOut) {
  const auto variants = feasible_variants(plan_of(kSplitKGemm), gemm_task(), kHopper);
  ASSERT_TRUE(variants) << variants.error().text();
  EXPECT_EQ(variants->front(), (Variant{{"BM", 128}, {"BN", 128}, {"SPLITS", 1}, {"STAGES", 3}}));
  std::size_t expected = 0;
  for (const int bm : {64, 128})
    for (const int bn : {64, 128, 256})
      for (const int stages : {2, 3, 4}) expected += stages * (bm + bn) * 128 <= 232448 ? 4 : 0;
  EXPECT_EQ(variants->size(), expected);
}

TEST(PlanVariants, TheNearestIsTheOneWantedElseTheDefaultsElseTheFirst) {
  const LaunchPlan plan = plan_of(
      with(R"("tunables": {"BM": [64, 128, 256]}, "defaults": {"BM": 128}, "constraints": ["BM <= M"])"));
  const auto near = [&](std::int64_t m, std::int64_t wanted) {
    return variant_near(plan, gemm_task(m, 64, 64), kHopper, {{"BM", wanted}}).value().at("BM");
  };
  EXPECT_EQ(near(256, 256), 256);
  EXPECT_EQ(near(128, 256), 128);
  EXPECT_EQ(near(64, 256), 64);
  EXPECT_FALSE(variant_near(plan, gemm_task(32, 64, 64), kHopper, {{"BM", 256}}));
}

TEST(PlanVariants, DefaultsThatFailGiveWayToTheFirstFeasibleOnes) {
  const LaunchPlan plan = plan_of(
      with(R"("tunables": {"BM": [64, 128, 256]}, "defaults": {"BM": 256}, "constraints": ["BM < 200"])"));
  EXPECT_EQ(*feasible_variants(plan, gemm_task(), kHopper),
            (std::vector<Variant>{{{"BM", 64}}, {{"BM", 128}}}));
}

TEST(PlanVariants, NoFeasibleVariantIsAProblemThatNamesTheConstraint) {
  const LaunchPlan plan =
      plan_of(with(R"("tunables": {"BM": [64, 128]}, "constraints": ["BM > 0", "BM * 4 > M * 1000"])"));
  const PlanProblem problem = problem_in(feasible_variants(plan, gemm_task(), kHopper));
  EXPECT_EQ(problem.field, "constraints[1]");
  EXPECT_EQ(problem.value, "BM * 4 > M * 1000");
  EXPECT_TRUE(has(problem.expected, "2 variants")) << problem.expected;
}

TEST(PlanVariants, APlanWithoutTunablesHasOneVariant) {
  const LaunchPlan plan = plan_of(with(R"("notes": "")"));
  EXPECT_EQ(*feasible_variants(plan, gemm_task(), kHopper), std::vector<Variant>{Variant{}});
}

TEST(PlanVariants, NamesOfTheTaskCannotBeTakenAgain) {
  const auto field = [](const std::string& fields) {
    return problem_in(unmet_requirement(plan_of(with(fields)), attention_task(), kHopper)).field;
  };
  EXPECT_EQ(field(R"("let": {"S": 1})"), "let.S");
  EXPECT_EQ(field(R"("let": {"num_sms": 1})"), "let.num_sms");
  EXPECT_EQ(field(R"("let": {"bf16": 1})"), "let.bf16");
  EXPECT_EQ(field(R"("let": {"q": 1})"), "let.q");
  EXPECT_EQ(field(R"("let": {"scale": 1})"), "let.scale");
  EXPECT_EQ(field(R"("let": {"window": 1})"), "let.window");
  EXPECT_EQ(field(R"("workspace": {"o": {"bytes": 1}})"), "workspace.o");
  EXPECT_EQ(field(R"("tensor_maps": {"v": {"tensor": "v", "box_dim": [8]}})"), "tensor_maps.v");
}

TEST(PlanVariants, ADefineMayPassADimOnUnderItsOwnName) {
  Op op;
  op.name = "copy";
  op.dtypes = {DType::f32};
  op.tensors = {tensor("c", Role::output, "T", {"ROWS"})};
  const Task task = task_of(op, {{"ROWS", 8}});
  EXPECT_TRUE(unmet_requirement(plan_of(with(R"("defines": {"ROWS": "ROWS"})")), task, kHopper));
  const PlanProblem problem =
      problem_in(unmet_requirement(plan_of(with(R"("defines": {"ROWS": 3})")), task, kHopper));
  EXPECT_EQ(problem.field, "defines.ROWS");
}

TEST(PlanVariants, UnknownNamesAreFoundWhereNothingIsEvaluated) {
  const LaunchPlan plan = plan_of(R"({"launches": [{"kernel": "k", "grid": [1], "block": [32], "args": ["c"]},
    {"kernel": "k", "when": "0", "grid": ["1 || rowz"], "block": [32], "args": ["c"]}]})");
  const PlanProblem problem = problem_in(feasible_variants(plan, gemm_task(), kHopper));
  EXPECT_EQ(problem.field, "launches[1].grid[0]");
  EXPECT_TRUE(has(problem.expected, "not 'rowz'")) << problem.expected;
}

TEST(PlanVariants, LetNamesAreComputedInOrder) {
  const LaunchPlan plan = plan_of(with(R"("let": {"t1": "t2 + 1", "t2": 1})"));
  const PlanProblem problem = problem_in(feasible_variants(plan, gemm_task(), kHopper));
  EXPECT_EQ(problem.field, "let.t1");
  EXPECT_TRUE(has(problem.expected, "further down")) << problem.expected;
}

TEST(PlanVariants, ArithmeticThatFailsNamesTheField) {
  const LaunchPlan plan = plan_of(with(R"("tunables": {"BM": [0]}, "constraints": ["M / BM > 1"])"));
  const PlanProblem problem = problem_in(feasible_variants(plan, gemm_task(), kHopper));
  EXPECT_EQ(problem.field, "constraints[0]");
  EXPECT_TRUE(has(problem.expected, "division by zero")) << problem.expected;
}

}  // namespace
}  // namespace kgen::core
