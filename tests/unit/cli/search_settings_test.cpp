#include "cli/search_settings.hpp"

#include <gtest/gtest.h>

namespace kgen::cli {
namespace {

TEST(SearchSettings, OnlyTheNamedSettingsReplaceARunsOwn) {
  core::SearchOptions own;
  own.budget.candidates = 5;
  own.budget.dollars = 2;
  config::Config config;
  config.candidates = 30;
  config.target = "1.5x";
  const auto resumed = with_settings(own, config, {"candidates"});
  ASSERT_TRUE(resumed);
  EXPECT_EQ(resumed->budget.candidates, 30);
  EXPECT_EQ(resumed->budget.dollars, 2);
  EXPECT_EQ(resumed->target.kind, core::Target::Kind::automatic);
  const auto all = with_settings(own, config, kSearchSettings);
  ASSERT_TRUE(all);
  EXPECT_EQ(all->budget.dollars, std::nullopt);
  EXPECT_EQ(all->target.value, 1.5);
}

TEST(SearchSettings, PromptsShowTheDiagnosisUnlessTheyAreToldNotTo) {
  config::Config config;
  EXPECT_TRUE(with_settings({}, config, kSearchSettings)->diagnosis);
  config.no_diagnosis = true;
  EXPECT_FALSE(with_settings({}, config, kSearchSettings)->diagnosis);
  EXPECT_TRUE(with_settings({}, config, {"candidates"})->diagnosis);  // a resumed run keeps its own
}

TEST(SearchSettings, ATargetThatDoesNotParseIsRefused) {
  config::Config config;
  config.target = "fast";
  EXPECT_FALSE(with_settings({}, config, {"target"}));
}

TEST(SearchSettings, ARunKeepsWhatResumeNeedsAndNothingElse) {
  config::Config config;
  config.provider = "exec";
  config.command = "my-model --x";
  config.runs = "elsewhere";
  config.device = "none";
  const std::string json = run_config_json(config);
  EXPECT_EQ(json, R"({"command":"my-model --x","device":"none","provider":"exec"})");
  EXPECT_EQ(run_config_flags(json),
            (FlagValues{{"command", "my-model --x"}, {"device", "none"}, {"provider", "exec"}}));
  EXPECT_TRUE(run_config_flags("[broken").empty());
  EXPECT_TRUE(run_config_flags(R"({"of_a_later_release":"x","device":3})").empty());
}

}  // namespace
}  // namespace kgen::cli
