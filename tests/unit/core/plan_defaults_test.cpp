#include "core/plan_defaults.hpp"

#include <gtest/gtest.h>

#include "plan_tasks.hpp"

namespace kgen::core {
namespace {

std::string file_with(const std::string& fields) {
  return "#include <cstdint>\n/*kgen\n{ // a \"defaults\" in a comment\n  " + fields + R"(
  "notes": "defaults",
  "launches": [ {"kernel": "k", "grid": [1], "block": ["BM"], "args": ["c"]}, ], }
*/
__global__ void k(c_t* c) { /* "defaults": {} */ }
)";
}

TEST(WithDefaults, ReplacesThoseOfTheFileAndNothingElse) {
  const std::string before =
      R"("tunables": {"BM": [64, 128], "BN": [8, 16]}, "defaults": {"BM": 64, "BN": 8},)";
  const std::string after =
      R"("tunables": {"BM": [64, 128], "BN": [8, 16]}, "defaults": {"BM": 128, "BN": 8},)";
  const auto out = with_defaults(file_with(before), {{"BM", 128}, {"BN", 8}});
  ASSERT_TRUE(out) << out.error().text();
  EXPECT_EQ(*out, file_with(after));
}

TEST(WithDefaults, AddsThemWhereTheFileHasNone) {
  const auto out =
      with_defaults(file_with(R"("tunables": {"BM": [64, 128], "BN": [8, 16]},)"), {{"BM", 128}, {"BN", 16}});
  ASSERT_TRUE(out) << out.error().text();
  const auto plan = parse_plan(*out);
  ASSERT_TRUE(plan) << plan.error().text() << *out;
  EXPECT_EQ(plan->defaults, (Variant{{"BM", 128}, {"BN", 16}}));
  EXPECT_EQ(plan->tunables.size(), 2u);
  EXPECT_NE(out->find("{ /* \"defaults\": {} */ }"), std::string::npos) << "device code is left alone";
}

TEST(WithDefaults, KeepsAFileThatHasThemAlready) {
  const std::string file = file_with(R"("tunables": {"BM": [64, 128]},)");
  EXPECT_EQ(*with_defaults(file, {{"BM", 64}}), file);
  const std::string none =
      R"(/*kgen { "launches": [ {"kernel": "k", "grid": [1], "block": [1], "args": []} ] } */)";
  EXPECT_EQ(*with_defaults(none, {}), none);
}

TEST(WithDefaults, SpansLinesAndOddSpacing) {
  const auto out = with_defaults(
      file_with("\"defaults\"\n :\n {\n  \"BM\" : 64 // why\n },\n  \"tunables\": {\"BM\": [64, 128]},"),
      {{"BM", 128}});
  ASSERT_TRUE(out) << out.error().text();
  const auto plan = parse_plan(*out);
  ASSERT_TRUE(plan) << plan.error().text() << *out;
  EXPECT_EQ(plan->defaults, (Variant{{"BM", 128}}));
}

TEST(WithDefaults, RefusesAVariantThatThePlanDoesNotHave) {
  const std::string file = file_with(R"("tunables": {"BM": [64, 128]},)");
  EXPECT_FALSE(with_defaults(file, {{"BM", 96}}));
  EXPECT_FALSE(with_defaults(file, {}));
  EXPECT_FALSE(with_defaults("no plan", {{"BM", 64}}));
}

}  // namespace
}  // namespace kgen::core
