#include <gtest/gtest.h>

#include "core/launch_plan.hpp"
#include "plan_examples.hpp"

namespace kgen::core {
namespace {

using examples::candidate;

LaunchPlan parsed(const std::string& json) {
  auto plan = parse_plan(candidate(json));
  EXPECT_TRUE(plan) << plan.error().text();
  return plan.value_or(LaunchPlan{});
}

PlanProblem problem_of(const std::string& source) {
  const auto plan = parse_plan(source);
  EXPECT_FALSE(plan) << source;
  return plan ? PlanProblem{} : plan.error();
}

/// A plan whose one launch has `fields` besides the required ones.
std::string launch_with(const std::string& fields) {
  return candidate(R"({"launches": [{"kernel": "k", "grid": [1], "block": [32], "args": [])" + fields +
                   "}]}");
}

/// A plan that has `fields` besides one launch.
std::string plan_with(const std::string& fields) {
  return candidate("{" + fields +
                   R"(, "launches": [{"kernel": "k", "grid": [1], "block": [32], "args": []}]})");
}

TEST(PlanParse, ReadsTheSplitKGemm) {
  const LaunchPlan plan = parsed(examples::kSplitKGemm);
  ASSERT_EQ(plan.tunables.size(), 4U);
  EXPECT_EQ(plan.tunables[0].first, "BM");
  EXPECT_EQ(plan.tunables[3].first, "STAGES");
  EXPECT_EQ(plan.tunables[1].second, (std::vector<std::int64_t>{64, 128, 256}));
  EXPECT_EQ(plan.defaults.at("BM"), 128);
  EXPECT_EQ(plan.requirements.at(0).text(), "K % 8 == 0");
  EXPECT_EQ(plan.let.at(0).first, "tiles");
  EXPECT_EQ(plan.defines.at(0).second.text(), "K % 64 == 0");
  EXPECT_EQ(plan.workspace.at(0).name, "acc");
  ASSERT_EQ(plan.launches.size(), 2U);
  const auto& gemm = std::get<KernelLaunch>(plan.launches[0]);
  EXPECT_EQ(gemm.kernel, "gemm<true>");
  EXPECT_EQ(gemm.grid.size(), 3U);
  EXPECT_EQ(gemm.grid[1].text(), "1");
  EXPECT_EQ(gemm.args.at(3).text, "acc");
  EXPECT_FALSE(gemm.when);
  EXPECT_EQ(std::get<KernelLaunch>(plan.launches[1]).when->text(), "SPLITS > 1");
}

TEST(PlanParse, TensorMapLikeTakesOverWhatItDoesNotSay) {
  const LaunchPlan plan = parsed(examples::kTmaAttention);
  ASSERT_EQ(plan.tensor_maps.size(), 3U);
  const TensorMapSpec& v = plan.tensor_maps[2];
  EXPECT_EQ(v.name, "tmV");
  EXPECT_EQ(v.tensor, "v");
  EXPECT_EQ(v.box_dim.at(1).text(), "128");
  EXPECT_EQ(v.global_strides.at(2).text(), "S * D * 2");
  EXPECT_EQ(v.swizzle, "128B");
  EXPECT_EQ(v.l2_promotion, "256B");
  EXPECT_EQ(v.interleave, "none");
  EXPECT_TRUE(plan.compile.fast_math);
  EXPECT_EQ(plan.compile.max_registers, 168);
  EXPECT_EQ(plan.compile.std, "c++20");
  EXPECT_EQ(plan.notes, "One warp group loads, two compute.");
  const auto& launch = std::get<KernelLaunch>(plan.launches.at(0));
  EXPECT_EQ(launch.args.at(5).type, "f32");
  EXPECT_EQ(launch.args.at(5).text, "scale");
}

TEST(PlanParse, KeepsTheOrderOfTheFile) {
  const LaunchPlan plan =
      parsed(R"({"tunables": {"ZZ": [1], "AA": [2], "MM": [3]}, "let": {"z": "1", "a": "z"},
    "launches": [{"fill": "y", "value": 0}, {"kernel": "k", "grid": [1], "block": [1], "args": []}]})");
  EXPECT_EQ(plan.tunables.at(0).first, "ZZ");
  EXPECT_EQ(plan.tunables.at(2).first, "MM");
  EXPECT_EQ(plan.let.at(0).first, "z");
  EXPECT_EQ(std::get<FillStep>(plan.launches.at(0)).target, "y");
}

TEST(PlanParse, MissingDefaultsAreTheFirstValues) {
  const LaunchPlan plan = parsed(R"({"tunables": {"BM": [64, 128], "BN": [32, 16]}, "defaults": {"BM": 128},
    "launches": [{"kernel": "k", "grid": [1], "block": [1], "args": []}]})");
  EXPECT_EQ(plan.defaults, (std::map<std::string, std::int64_t>{{"BM", 128}, {"BN", 32}}));
}

TEST(PlanParse, ToleratesCommentsAndTrailingCommas) {
  const LaunchPlan plan = parsed(R"({ // the plan, with a comma, ]
    "launches": [ {"kernel": "k", "grid": [1,], "block": [32, // threads
      ], "args": ["x", "y",],}, ],
    "notes": "commas, ] // stay ,}", })");
  EXPECT_EQ(plan.notes, "commas, ] // stay ,}");
  EXPECT_EQ(std::get<KernelLaunch>(plan.launches.at(0)).args.size(), 2U);
}

TEST(PlanParse, FindsThePlanBehindBomSpacesAndIncludes) {
  const std::string plan =
      candidate(R"({"launches": [{"kernel": "k", "grid": [1], "block": [1], "args": []}]})");
  EXPECT_TRUE(parse_plan("\xef\xbb\xbf\r\n  " + plan));
  EXPECT_TRUE(parse_plan("#include <cuda_fp16.h>\n#define URL \"http://x\"\n" + plan));
  EXPECT_TRUE(parse_plan("/* kgen" + plan.substr(6)));
}

TEST(PlanParse, SaysWhatStandsWhereThePlanShould) {
  EXPECT_EQ(problem_of("").value, "an empty file");
  EXPECT_EQ(problem_of(" \n\t").value, "an empty file");
  EXPECT_EQ(problem_of("__global__ void k() {}").value, "a file without any comment");
  EXPECT_EQ(problem_of("#include <x>\n// hello\nint a;").value, "the comment '// hello' on line 2");
  EXPECT_EQ(problem_of("// hello\n/*kgen {} */").value,
            "the comment '// hello' on line 1 before the plan on line 2");
  EXPECT_EQ(problem_of("/* a kgen plan */").value, "the comment '/* a kgen plan */' on line 1");
  EXPECT_EQ(problem_of("/*kgenx {} */").value, "the comment '/*kgenx {} */' on line 1");
  EXPECT_EQ(problem_of("\n/*kgen {\"launches\": [").value, "a comment that begins on line 2 and never ends");
  EXPECT_EQ(problem_of("/*kgen */").value, "an empty comment");
  EXPECT_EQ(problem_of("/*kgen*/").value, "an empty comment");
  EXPECT_EQ(problem_of(std::string("/*kgen ") + std::string(40000, ' ') + "*/").expected,
            "at most 32768 bytes of launch plan");
}

TEST(PlanParse, NamesTheLineOfTheFileThatIsNotJson) {
  const PlanProblem problem =
      problem_of("#include <x>\n/*kgen\n{\n  \"launches\": [\n    {\"kernel\" \"k\"}\n  ]}\n*/");
  EXPECT_EQ(problem.field, "plan, line 5");
  EXPECT_EQ(problem.value, "{\"kernel\" \"k\"}");
  EXPECT_NE(problem.expected.find("valid JSON: "), std::string::npos) << problem.expected;
  EXPECT_NE(problem.expected.find("expected ':'"), std::string::npos) << problem.expected;
  EXPECT_EQ(problem_of("/*kgen\n{\"launches\": [}\n*/").field, "plan, line 2");
}

TEST(PlanParse, RefusesANumberThatNoTypeHolds) {
  const PlanProblem problem = problem_of("/*kgen {\"launches\": [{\"fill\": \"c\", \"value\": 4e4444}]} */");
  EXPECT_EQ(problem.value, "a number too large for any type");
}

TEST(PlanParse, RefusesAKeyThatStandsTwice) {
  const PlanProblem problem = problem_of(plan_with(R"("notes": "a", "notes": "b")"));
  EXPECT_EQ(problem.value, "the key \"notes\" twice in one object");
}

TEST(PlanParse, NamesTheNearestFieldForAnUnknownOne) {
  const PlanProblem top = problem_of(plan_with(R"("tunable": {})"));
  EXPECT_EQ(top.field, "tunable");
  EXPECT_EQ(top.value, "a field that does not exist");
  EXPECT_EQ(top.expected.rfind("one of: tunables, ", 0), 0U) << top.expected;
  const PlanProblem launch = problem_of(launch_with(R"(, "dynamic_shared": 4)"));
  EXPECT_EQ(launch.field, "launches[0].dynamic_shared");
  EXPECT_EQ(launch.expected.rfind("one of: dynamic_shared_bytes, ", 0), 0U) << launch.expected;
  const PlanProblem map =
      problem_of(plan_with(R"("tensor_maps": {"tm": {"tensor": "x", "box_dim": [8], "swizle": "32B"}})"));
  EXPECT_EQ(map.field, "tensor_maps.tm.swizle");
  EXPECT_EQ(map.expected.rfind("one of: swizzle, ", 0), 0U) << map.expected;
}

TEST(PlanParse, AFieldWithoutANameIsShownAsSuch) {
  EXPECT_EQ(problem_of(plan_with(R"("": [])")).field, "\"\"");
  EXPECT_EQ(problem_of(launch_with(R"(, "": 4)")).field, "launches[0].\"\"");
}

TEST(PlanParse, NamesAMissingField) {
  const PlanProblem no_launches = problem_of(candidate("{}"));
  EXPECT_EQ(no_launches.field, "launches");
  EXPECT_EQ(no_launches.value, "nothing");
  const PlanProblem no_block =
      problem_of(candidate(R"({"launches": [{"kernel": "k", "grid": [1], "args": []}]})"));
  EXPECT_EQ(no_block.field, "launches[0].block");
  const PlanProblem no_value = problem_of(candidate(R"({"launches": [{"fill": "y"}]})"));
  EXPECT_EQ(no_value.field, "launches[0].value");
  const PlanProblem no_box = problem_of(plan_with(R"("tensor_maps": {"tm": {"tensor": "x"}})"));
  EXPECT_EQ(no_box.field, "tensor_maps.tm.box_dim");
  const PlanProblem no_bytes = problem_of(plan_with(R"("workspace": {"acc": {}})"));
  EXPECT_EQ(no_bytes.field, "workspace.acc.bytes");
}

struct BadShape {
  std::string source, field, value;
};

TEST(PlanParse, NamesFieldAndValueOfAWrongShape) {
  const std::vector<BadShape> cases{
      {candidate("[1]"), "plan", "[1]"},
      {candidate(R"({"launches": []})"), "launches", "[]"},
      {candidate(R"({"launches": [3]})"), "launches[0]", "3"},
      {plan_with(R"("requires": "K")"), "requires", "\"K\""},
      {plan_with(R"("requires": [1])"), "requires[0]", "1"},
      {plan_with(R"("tunables": {"BM": 64})"), "tunables.BM", "64"},
      {plan_with(R"("tunables": {"BM": []})"), "tunables.BM", "[]"},
      {plan_with(R"("tunables": {"BM": [1.5]})"), "tunables.BM[0]", "1.5"},
      {plan_with(R"("tunables": {"BM": ["64"]})"), "tunables.BM[0]", "\"64\""},
      {plan_with(R"("tunables": {"BM": [true]})"), "tunables.BM[0]", "true"},
      {plan_with(R"("let": {"a": null})"), "let.a", "null"},
      {plan_with(R"("workspace": {"acc": 4})"), "workspace.acc", "4"},
      {plan_with(R"("compile": {"std": "c++23"})"), "compile.std", "\"c++23\""},
      {plan_with(R"("compile": {"max_registers": 1000})"), "compile.max_registers", "1000"},
      {plan_with(R"("notes": 3)"), "notes", "3"},
      {plan_with(R"("tensor_maps": {"tm": {"tensor": "x", "box_dim": [8], "swizzle": "256B"}})"),
       "tensor_maps.tm.swizzle", "\"256B\""},
      {plan_with(R"("tensor_maps": {"tm": {"tensor": "x", "box_dim": [1, 2, 3, 4, 5, 6]}})"),
       "tensor_maps.tm.box_dim", "[1,2,3,4,5,6]"},
      {launch_with(R"(, "pdl": 1)"), "launches[0].pdl", "1"},
      {launch_with(R"(, "cluster": [1, 1, 1, 1])"), "launches[0].cluster", "[1,1,1,1]"},
      {launch_with(R"(, "when": [])"), "launches[0].when", "[]"},
      {candidate(R"({"launches": [{"kernel": "k", "grid": 4, "block": [1], "args": []}]})"),
       "launches[0].grid", "4"},
      {candidate(R"({"launches": [{"kernel": "k", "grid": [1], "block": [1], "args": [1.5]}]})"),
       "launches[0].args[0]", "1.5"},
      {candidate(R"({"launches": [{"kernel": "k", "grid": [1], "block": [1], "args": [{}]}]})"),
       "launches[0].args[0]", "{}"},
  };
  for (const BadShape& c : cases) {
    const PlanProblem problem = problem_of(c.source);
    EXPECT_EQ(problem.field, c.field) << problem.text();
    EXPECT_EQ(problem.value, c.value) << problem.text();
    EXPECT_FALSE(problem.expected.empty());
  }
}

TEST(PlanParse, AnArgumentOfUnknownTypeListsTheTypes) {
  const PlanProblem problem = problem_of(
      candidate(R"({"launches": [{"kernel": "k", "grid": [1], "block": [1], "args": [{"float": 1}]}]})"));
  EXPECT_EQ(problem.field, "launches[0].args[0].float");
  EXPECT_NE(problem.expected.find("f32"), std::string::npos) << problem.expected;
}

TEST(PlanParse, NamesTheExpressionThatCannotBeRead) {
  const PlanProblem grid = problem_of(
      candidate(R"({"launches": [{"kernel": "k", "grid": [1, "M +"], "block": [1], "args": []}]})"));
  EXPECT_EQ(grid.field, "launches[0].grid[1]");
  EXPECT_EQ(grid.value, "M +");
  EXPECT_EQ(problem_of(plan_with(R"("defines": {"AB": "1.5"})")).field, "defines.AB");
  EXPECT_EQ(problem_of(plan_with(R"("tunables": {"BM": [9223372036854775808]})")).field, "tunables.BM[0]");
  EXPECT_EQ(problem_of(plan_with(R"("let": {"a": 9223372036854775808})")).field, "let.a");
}

TEST(PlanParse, ChecksMacroAndOtherNames) {
  const auto field = [](const std::string& fields) { return problem_of(plan_with(fields)).field; };
  EXPECT_EQ(field(R"("tunables": {"B": [1]})"), "tunables.B");
  EXPECT_EQ(field(R"("tunables": {"bm": [1]})"), "tunables.bm");
  EXPECT_EQ(field(R"("tunables": {"_BM": [1]})"), "tunables._BM");
  EXPECT_EQ(field(R"("defines": {"N A": 1})"), "defines.N A");
  EXPECT_EQ(field(R"("defines": {"NULL": 1})"), "defines.NULL");
  EXPECT_EQ(field(R"("defines": {"CUDA_VERSION": 1})"), "defines.CUDA_VERSION");
  EXPECT_EQ(field(R"("defines": {"UINT32_MAX": 1})"), "defines.UINT32_MAX");
  EXPECT_EQ(field(R"("let": {"1a": 1})"), "let.1a");
  EXPECT_EQ(field(R"("let": {"min": 1})"), "let.min");
  EXPECT_EQ(field(R"("let": {"sizeof": 1})"), "let.sizeof");
  EXPECT_EQ(field(R"("let": {"": 1})"), "let.\"\"");
  EXPECT_EQ(field(R"("workspace": {"a-b": {"bytes": 1}})"), "workspace.a-b");
  EXPECT_TRUE(parse_plan(plan_with(R"("tunables": {"BM": [1], "X_2": [1], "U8": [0]}, "let": {"_a1": 1})")));
}

TEST(PlanParse, RefusesTwoThingsOfOneName) {
  const PlanProblem let = problem_of(plan_with(R"("tunables": {"BM": [1]}, "let": {"BM": 1})"));
  EXPECT_EQ(let.field, "let.BM");
  EXPECT_NE(let.expected.find("tunables"), std::string::npos);
  EXPECT_EQ(problem_of(plan_with(R"("let": {"AB": 1}, "defines": {"AB": 1})")).field, "defines.AB");
  EXPECT_EQ(problem_of(plan_with(R"("let": {"acc": 1}, "workspace": {"acc": {"bytes": 1}})")).field,
            "workspace.acc");
  const std::string map = R"({"tensor": "x", "box_dim": [8]})";
  EXPECT_NE(problem_of(plan_with(R"("defines": {"TMX_BYTES": 1}, "tensor_maps": {"tmx": )" + map + "}"))
                .field.find("tensor_maps.tmx"),
            std::string::npos);
  EXPECT_FALSE(parse_plan(plan_with(R"("tensor_maps": {"tmx": )" + map + R"(, "tmX": )" + map + "}")));
}

TEST(PlanParse, DefaultsNameTunablesAndTheirValues) {
  const PlanProblem unknown =
      problem_of(plan_with(R"("tunables": {"BM": [1], "BN": [2]}, "defaults": {"BX": 1})"));
  EXPECT_EQ(unknown.field, "defaults.BX");
  EXPECT_NE(unknown.expected.find("BM, BN"), std::string::npos) << unknown.expected;
  const PlanProblem value = problem_of(plan_with(R"("tunables": {"BM": [64, 128]}, "defaults": {"BM": 32})"));
  EXPECT_EQ(value.value, "32");
  EXPECT_EQ(value.expected, "one of the tunable's values: 64, 128");
  EXPECT_EQ(problem_of(plan_with(R"("tunables": {"BM": [64, 64]})")).field, "tunables.BM[1]");
}

TEST(PlanParse, KernelNamesCannotSmuggleCode) {
  const auto accepts = [](const std::string& kernel) {
    return parse_plan(candidate(R"({"launches": [{"kernel": ")" + kernel +
                                R"(", "grid": [1], "block": [1], "args": []}]})"))
        .has_value();
  };
  for (const char* good :
       {"k", "detail::k", "::k", "gemm<true>", "gemm<BM, (BN * 2), float*>", "k<a::b<int>, 3>", "_k9"})
    EXPECT_TRUE(accepts(good)) << good;
  for (const char* bad :
       {"", "9k", "k()", "k; int x", "k<1>; evil<2>", "k<1", "k)", "k<(1>", "k<1>(", "k<{1}>", "k k",
        "k\\n#include <x>", "k::", "k<\\\"a\\\">", "k<1 /* >", "k<1 // >", "k<)(>"})
    EXPECT_FALSE(accepts(bad)) << bad;
}

TEST(PlanParse, TensorMapListsHaveOneEntryADimension) {
  const auto problem = [](const std::string& fields) {
    return problem_of(
        plan_with(R"("tensor_maps": {"tm": {"tensor": "x", "box_dim": [8, 8], )" + fields + "}}"));
  };
  EXPECT_EQ(problem(R"("global_dim": [8])").field, "tensor_maps.tm.global_dim");
  EXPECT_EQ(problem(R"("global_strides": [8, 8])").field, "tensor_maps.tm.global_strides");
  EXPECT_EQ(problem(R"("element_strides": [1])").field, "tensor_maps.tm.element_strides");
  const PlanProblem like = problem_of(
      plan_with(R"("tensor_maps": {"tmA": {"tensor": "x", "box_dim": [8]}, "tmB": {"like": "tmC"}})"));
  EXPECT_EQ(like.field, "tensor_maps.tmB.like");
  EXPECT_NE(like.expected.find("tmA"), std::string::npos);
}

TEST(PlanParse, BoundsWhatAPlanCanAskFor) {
  const std::string values = "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17]";
  const PlanProblem many = problem_of(
      plan_with(R"("tunables": {"AA": )" + values + R"(, "BB": )" + values + R"(, "CC": )" + values + "}"));
  EXPECT_EQ(many.field, "tunables.CC");
  std::string nested = plan_with("\"let\": " + std::string(1000, '[') + std::string(1000, ']'));
  EXPECT_EQ(problem_of(nested).value, "JSON nested deeper than 16 levels");
  std::string args = "1";
  for (int i = 0; i < 128; ++i) args += ",1";
  EXPECT_EQ(problem_of(candidate(R"({"launches": [{"kernel": "k", "grid": [1], "block": [1], "args": [)" +
                                 args + "]}]}"))
                .field,
            "launches[0].args");
}

TEST(PlanParse, ProblemsAreFitToBeShown) {
  const PlanProblem problem = problem_of("/*kgen {\"launches\": \xff\x01\n*/");
  for (const char c : problem.text()) EXPECT_TRUE(c >= ' ' && c <= '~');
  EXPECT_EQ((PlanProblem{"a", "b", "c"}.text()), "a: got b, expected c");
}

TEST(PlanSchema, IsEmbedded) {
  EXPECT_NE(plan_schema().find("\"kgen launch plan\""), std::string_view::npos);
}

}  // namespace
}  // namespace kgen::core
