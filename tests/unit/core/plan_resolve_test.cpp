#include <gtest/gtest.h>

#include "core/resolved_plan.hpp"
#include "plan_tasks.hpp"

namespace kgen::core {
namespace {

using namespace examples;

PlanResult<ResolvedPlan> resolve(const std::string& json, const Task& task, const Variant& variant = {}) {
  return resolve_plan(plan_of(json), task, kHopper, variant);
}

/// A plan for the GEMM whose one launch has these fields.
std::string launch(const std::string& fields) {
  return R"({"launches": [{"kernel": "k", "args": ["a", "b", "c"], )" + fields + "}]}";
}

PlanProblem launch_problem(const std::string& fields) {
  return problem_in(resolve(launch(fields), gemm_task()));
}

/// c += a * b, with c in place.
Task in_place_task() {
  Op op = *gemm_task().op;
  for (Tensor& tensor : op.tensors) {
    if (tensor.role == Role::output) tensor.role = Role::inout;
  }
  Task task = gemm_task();
  task.op = std::make_shared<const Op>(std::move(op));
  return task;
}

TEST(PlanResolve, ATensorInPlaceMayBeLeftAloneWhereItsStepIsSkipped) {
  const std::string idle = launch(R"("grid": [0], "block": [32])");
  EXPECT_TRUE(resolve(idle, in_place_task()));
  EXPECT_FALSE(resolve(idle, gemm_task()));
  const auto beside_a_fill = [](const std::string& step) {
    return resolve(R"({"workspace": {"lock": {"bytes": 4}}, "tensor_maps": {"tmC": {"tensor": "c",
      "box_dim": [64, 64]}}, "launches": [{"fill": "lock", "value": 0}, {)" +
                       step + "}]}",
                   in_place_task());
  };
  const auto plan = beside_a_fill(R"("kernel": "k", "grid": ["M - 1024"], "block": [1], "args": ["c"])");
  ASSERT_TRUE(plan) << plan.error().text();
  EXPECT_EQ(plan->steps.size(), 1U);
  EXPECT_TRUE(beside_a_fill(R"("kernel": "k", "grid": [1, 0], "block": [1], "args": ["tmC"])"));
  EXPECT_TRUE(beside_a_fill(R"("kernel": "k", "when": 0, "grid": [1], "block": [1], "args": ["c"])"));
  EXPECT_TRUE(beside_a_fill(R"("fill": "c", "value": 0, "when": 0)"));
}

TEST(PlanResolve, ATensorInPlaceNeedsAStepThatTakesIt) {
  for (const char* grid : {"0", "1"}) {
    const PlanProblem problem = problem_in(
        resolve(std::string(R"({"launches": [{"kernel": "k", "args": ["a"], "block": [32], "grid": [)") +
                    grid + "]}]}",
                in_place_task()));
    EXPECT_EQ(problem.value, "no active step that is given the output c");
  }
}

TEST(PlanResolve, AnOutputWhoseStepIsSkippedIsToldWhatSkipsIt) {
  const PlanProblem grid = problem_in(
      resolve(R"({"launches": [{"kernel": "k", "grid": [1, "M / 2048"], "block": [1], "args": ["c"]}]})",
              gemm_task()));
  EXPECT_EQ(
      grid.text(),
      "launches[0].grid[1]: got 0 (M / 2048), expected a step that writes the output c, which has elements "
      "here; this one takes c but is skipped, since its grid is 0, and max(M / 2048, 1) would run it");
  const PlanProblem when =
      problem_in(resolve(R"({"launches": [{"fill": "c", "value": 0, "when": "K == 0"}]})", gemm_task()));
  EXPECT_EQ(when.field, "launches[0].when");
  EXPECT_TRUE(has(when.expected, "since its `when` is 0")) << when.expected;
  EXPECT_TRUE(
      resolve(R"({"launches": [{"kernel": "k", "grid": ["M"], "block": [1], "args": ["c"]}]})", gemm_task(0)))
      << "an output without elements needs no step";
}

TEST(PlanResolve, SplitKGemmWithoutSplitsSkipsTheSecondKernel) {
  const auto plan = resolve(kSplitKGemm, gemm_task());
  ASSERT_TRUE(plan) << plan.error().text();
  ASSERT_EQ(plan->steps.size(), 1U);
  const auto& gemm = std::get<ResolvedLaunch>(plan->steps[0]);
  EXPECT_EQ(gemm.kernel, "gemm<true>");
  EXPECT_EQ(gemm.grid, (std::array<std::int64_t, 3>{32, 1, 1}));
  EXPECT_EQ(gemm.block, (std::array<std::int64_t, 3>{256, 1, 1}));
  EXPECT_EQ(gemm.cluster, (std::array<std::int64_t, 3>{0, 0, 0}));
  EXPECT_EQ(gemm.dynamic_shared_bytes, 3 * 256 * 128);
  ASSERT_EQ(gemm.args.size(), 7U);
  EXPECT_EQ(gemm.args[0].kind, ResolvedArgument::Kind::buffer);
  EXPECT_EQ(gemm.args[3].name, "acc");
  EXPECT_EQ(gemm.args[4].kind, ResolvedArgument::Kind::integer);
  EXPECT_EQ(gemm.args[4].integer, 1024);
  EXPECT_EQ(plan->workspace.at(0).bytes, 0);
  const std::vector<std::pair<std::string, std::int64_t>> macros{
      {"BM", 128}, {"BN", 128}, {"SPLITS", 1}, {"STAGES", 3}, {"K_ALIGNED", 1}};
  EXPECT_EQ(plan->macros, macros);
}

TEST(PlanResolve, SplitKGemmWithSplitsRunsBothKernels) {
  const auto plan = resolve(kSplitKGemm, gemm_task(), {{"SPLITS", 4}});
  ASSERT_TRUE(plan) << plan.error().text();
  ASSERT_EQ(plan->steps.size(), 2U);
  EXPECT_EQ(std::get<ResolvedLaunch>(plan->steps[0]).grid[2], 4);
  const auto& fixup = std::get<ResolvedLaunch>(plan->steps[1]);
  EXPECT_EQ(fixup.step, 1U);
  EXPECT_EQ(fixup.grid[0], 512);
  EXPECT_EQ(fixup.args[2].integer, 1024 * 512);
  EXPECT_EQ(plan->workspace.at(0).bytes, 4LL * 1024 * 512 * 4);
  EXPECT_EQ(plan->variant.at("SPLITS"), 4);
  EXPECT_EQ(plan->variant.at("BM"), 128);
}

TEST(PlanResolve, RefusesAVariantThatThePlanDoesNotOffer) {
  EXPECT_EQ(problem_in(resolve(kSplitKGemm, gemm_task(), {{"SPLIT", 4}})).field, "variant.SPLIT");
  EXPECT_EQ(problem_in(resolve(kSplitKGemm, gemm_task(), {{"SPLITS", 3}})).field, "variant.SPLITS");
}

TEST(PlanResolve, RefusesAVariantThatBreaksAConstraint) {
  const std::string json = R"({"tunables": {"BM": [64, 128]}, "constraints": ["BM < 100"],
    "launches": [{"kernel": "k", "grid": [1], "block": [1], "args": ["c"]}]})";
  EXPECT_EQ(problem_in(resolve(json, gemm_task(), {{"BM", 128}})).field, "constraints[0]");
  EXPECT_TRUE(resolve(json, gemm_task(), {{"BM", 64}}));
}

TEST(PlanResolve, AGridOfZeroSkipsTheStep) {
  const auto plan = resolve(kSplitKGemm, gemm_task(0, 512, 256));
  ASSERT_TRUE(plan) << plan.error().text();
  EXPECT_TRUE(plan->steps.empty());
}

TEST(PlanResolve, AnOutputWithElementsNeedsAnActiveWriter) {
  const PlanProblem unused = problem_in(
      resolve(R"({"launches": [{"kernel": "k", "grid": [1], "block": [1], "args": ["a"]}]})", gemm_task()));
  EXPECT_EQ(unused.field, "launches");
  EXPECT_TRUE(has(unused.value, "output c")) << unused.value;
  EXPECT_FALSE(
      resolve(R"({"launches": [{"kernel": "k", "grid": [0], "block": [1], "args": ["c"]}]})", gemm_task()));
  EXPECT_FALSE(resolve(R"({"launches": [{"fill": "c", "value": 0, "when": "K == 0"}]})", gemm_task()));
  EXPECT_TRUE(resolve(R"({"launches": [{"fill": "c", "value": 0, "when": "K == 256"}]})", gemm_task()));
  EXPECT_TRUE(resolve(R"({"tensor_maps": {"tmC": {"tensor": "c", "box_dim": [64, 64]}},
    "launches": [{"kernel": "k", "grid": [1], "block": [1], "args": ["tmC"]}]})",
                      gemm_task()));
}

TEST(PlanResolve, ChecksGridAndBlockLimits) {
  EXPECT_EQ(launch_problem(R"("grid": [2147483648], "block": [1])").field, "launches[0].grid[0]");
  EXPECT_EQ(launch_problem(R"("grid": [1, 65536], "block": [1])").field, "launches[0].grid[1]");
  EXPECT_EQ(launch_problem(R"("grid": [1, 1, 65536], "block": [1])").field, "launches[0].grid[2]");
  EXPECT_EQ(launch_problem(R"("grid": ["M - 1025"], "block": [1])").value, "-1");
  EXPECT_EQ(launch_problem(R"("grid": [0, -1], "block": [1])").field, "launches[0].grid[0]");
  EXPECT_EQ(launch_problem(R"("grid": [1], "block": [0])").field, "launches[0].block[0]");
  EXPECT_EQ(launch_problem(R"("grid": [1], "block": [1025])").field, "launches[0].block[0]");
  EXPECT_EQ(launch_problem(R"("grid": [1], "block": [1, 1, 65])").field, "launches[0].block[2]");
  EXPECT_EQ(launch_problem(R"("grid": [1], "block": [64, 32])").value, "2048 threads");
  EXPECT_TRUE(resolve(launch(R"("grid": [2147483647, 65535, 65535], "block": [32, 32, 1])"), gemm_task()));
  EXPECT_TRUE(resolve(launch(R"("grid": [1], "block": [16, 1, 64])"), gemm_task()));
}

TEST(PlanResolve, ChecksDynamicSharedMemory) {
  EXPECT_TRUE(resolve(launch(R"("grid": [1], "block": [1], "dynamic_shared_bytes": 232448)"), gemm_task()));
  const PlanProblem problem =
      launch_problem(R"("grid": [1], "block": [1], "dynamic_shared_bytes": "232448 + 1")");
  EXPECT_EQ(problem.text(),
            "launches[0].dynamic_shared_bytes: got 232449, expected 0 to 232448 (max_dynamic_shared)");
  EXPECT_FALSE(resolve(launch(R"("grid": [1], "block": [1], "dynamic_shared_bytes": -1)"), gemm_task()));
}

TEST(PlanResolve, ChecksClusters) {
  const auto plan = resolve(launch(R"("grid": [8, 2], "block": [1], "cluster": [4, 2])"), gemm_task());
  ASSERT_TRUE(plan) << plan.error().text();
  EXPECT_EQ(std::get<ResolvedLaunch>(plan->steps[0]).cluster, (std::array<std::int64_t, 3>{4, 2, 1}));
  EXPECT_EQ(launch_problem(R"("grid": [9], "block": [1], "cluster": [2])").field, "launches[0].cluster[0]");
  EXPECT_EQ(launch_problem(R"("grid": [16], "block": [1], "cluster": [16])").field, "launches[0].cluster[0]");
  EXPECT_EQ(launch_problem(R"("grid": [8, 8], "block": [1], "cluster": [4, 4])").value, "16 blocks");
  EXPECT_EQ(launch_problem(R"("grid": [8], "block": [1], "cluster": [0])").field, "launches[0].cluster[0]");
  DeviceFacts ampere;
  ampere.max_cluster = 1;
  EXPECT_FALSE(
      resolve_plan(plan_of(launch(R"("grid": [8], "block": [1], "cluster": [2])")), gemm_task(), ampere, {}));
}

TEST(PlanResolve, ACooperativeGridMustFitTheDevice) {
  EXPECT_TRUE(
      resolve(launch(R"("grid": ["num_sms * 2"], "block": [1024], "cooperative": true)"), gemm_task()));
  const PlanProblem threads =
      launch_problem(R"("grid": ["num_sms * 2 + 1"], "block": [1024], "cooperative": true)");
  EXPECT_EQ(threads.field, "launches[0].cooperative");
  EXPECT_TRUE(has(threads.expected, "at most 264 blocks")) << threads.expected;
  EXPECT_FALSE(resolve(
      launch(
          R"("grid": ["num_sms + 1"], "block": [32], "dynamic_shared_bytes": 200000, "cooperative": true)"),
      gemm_task()));
}

TEST(PlanResolve, ProgrammaticDependentLaunchIsNotForTheFirstActiveStep) {
  const std::string second =
      R"({"launches": [{"kernel": "i", "when": "M > 1", "grid": [1], "block": [1], "args": ["c"]},
    {"kernel": "k", "grid": [1], "block": [1], "args": ["c"], "pdl": true}]})";
  const auto plan = resolve(second, gemm_task());
  ASSERT_TRUE(plan) << plan.error().text();
  EXPECT_TRUE(std::get<ResolvedLaunch>(plan->steps[1]).pdl);
  EXPECT_EQ(problem_in(resolve(second, gemm_task(1))).field, "launches[1].pdl");
}

TEST(PlanResolve, FillsHaveTheRangeOfTheirElements) {
  const auto fill = [](const std::string& target, const std::string& value) {
    const std::string rest =
        R"(, {"kernel": "k", "grid": [1], "block": [1], "args": ["y", "h", "q8", "state"]}]})";
    return resolve(R"({"workspace": {"ws": {"bytes": "n * 4"}, "odd": {"bytes": 6}, "none": {"bytes": 0}},
      "launches": [{"fill": ")" +
                       target + R"(", "value": ")" + value + "\"}" + rest,
                   mixed_task());
  };
  EXPECT_TRUE(fill("q8", "-128"));
  EXPECT_TRUE(fill("q8", "127"));
  EXPECT_FALSE(fill("q8", "128"));
  EXPECT_FALSE(fill("q8", "-129"));
  EXPECT_TRUE(fill("h", "-65504"));
  EXPECT_TRUE(fill("h", "2048"));
  EXPECT_EQ(problem_in(fill("h", "2049")).expected, "a whole number that f16 holds exactly");
  EXPECT_FALSE(fill("h", "65536"));
  EXPECT_TRUE(fill("y", "16777216"));
  EXPECT_FALSE(fill("y", "16777217"));
  EXPECT_TRUE(fill("y", "-9223372036854775807 - 1"));
  EXPECT_TRUE(fill("state", "9223372036854775807"));
  EXPECT_FALSE(fill("state", "-1"));
  EXPECT_TRUE(fill("ws", "4294967295"));
  EXPECT_TRUE(fill("ws", "-2147483648"));
  EXPECT_FALSE(fill("ws", "4294967296"));
  EXPECT_FALSE(fill("ws", "-2147483649"));
  EXPECT_EQ(problem_in(fill("odd", "0")).value, "odd of 6 bytes");
  EXPECT_EQ(fill("none", "0")->steps.size(), 1U);
  EXPECT_TRUE(has(problem_in(fill("x", "0")).expected, "inputs are not to be written"));
  EXPECT_EQ(problem_in(fill("wz", "0")).expected.rfind("one of: ws, ", 0), 0U);
}

TEST(PlanResolve, ArgumentsAreNamesExpressionsAndTypedNumbers) {
  const auto plan = resolve(R"({"launches": [{"kernel": "k", "grid": [1], "block": [1],
    "args": [" o ", " scale ", {"f32": "scale"}, {"f32": 0.5}, {"f64": "S + 1"}, {"i64": "S"}, "window + causal", -3, {"f32": "-inf"}]}]})",
                            attention_task());
  ASSERT_TRUE(plan) << plan.error().text();
  const auto& args = std::get<ResolvedLaunch>(plan->steps[0]).args;
  EXPECT_EQ(args[1].kind, ResolvedArgument::Kind::floating);
  EXPECT_EQ(args[1].floating, 0.125);
  EXPECT_EQ(args[2].type, "f32");
  EXPECT_EQ(args[3].floating, 0.5);
  EXPECT_EQ(args[4].floating, 1001);
  EXPECT_EQ(args[5].integer, 1000);
  EXPECT_EQ(args[6].integer, 8);
  EXPECT_EQ(args[7].integer, -3);
  EXPECT_EQ(args[8].floating, -std::numeric_limits<double>::infinity());
}

TEST(PlanResolve, ArgumentsThatAreNothingKnownListWhatExists) {
  const auto argument = [](const std::string& text) {
    return problem_in(
        resolve(R"({"launches": [{"kernel": "k", "grid": [1], "block": [1], "args": ["o", )" + text + "]}]}",
                attention_task()));
  };
  const PlanProblem unknown = argument("\"kk\"");
  EXPECT_EQ(unknown.field, "launches[0].args[1]");
  EXPECT_EQ(unknown.value, "kk");
  EXPECT_TRUE(has(unknown.expected, "not 'kk': k, ")) << unknown.expected;
  EXPECT_TRUE(has(argument("\"q + 1\"").expected, "'q' is a tensor"));
  EXPECT_TRUE(has(argument("\"scale * 2\"").expected, "float attribute"));
  EXPECT_FALSE(argument(R"({"i32": "q"})").expected.empty());
  EXPECT_FALSE(argument(R"({"i32": "scale"})").expected.empty());
  EXPECT_EQ(argument(R"({"i8": "S"})").value, "1000");
  EXPECT_FALSE(argument(R"({"f32": 1e39})").expected.empty());
}

TEST(PlanResolve, WorkspacesMustFitTheDevice) {
  DeviceFacts small;
  small.memory_bytes = 1000;
  const auto problem = [&](const std::string& workspace) {
    const LaunchPlan plan =
        plan_of(R"({"workspace": )" + workspace +
                R"(, "launches": [{"kernel": "k", "grid": [1], "block": [1], "args": ["c"]}]})");
    return problem_in(resolve_plan(plan, gemm_task(), small, {})).field;
  };
  EXPECT_EQ(problem(R"({"a1": {"bytes": 600}, "a2": {"bytes": 401}})"), "workspace.a2.bytes");
  EXPECT_EQ(problem(R"({"a1": {"bytes": -1}})"), "workspace.a1.bytes");
  EXPECT_EQ(problem(R"({"a1": {"bytes": "M * 4000000000000000000"}})"), "workspace.a1.bytes");
}

TEST(PlanResolve, ADefineIsNoNameOfExpressions) {
  const PlanProblem problem = problem_in(resolve(
      R"({"defines": {"FAST": 1}, "launches": [{"kernel": "k", "grid": ["FAST"], "block": [1], "args": ["c"]}]})",
      gemm_task()));
  EXPECT_TRUE(has(problem.expected, "'FAST' is a define")) << problem.expected;
}

}  // namespace
}  // namespace kgen::core
