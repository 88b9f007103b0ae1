#include "llm/model_table.hpp"

#include <gtest/gtest.h>

#include "llm/provider_config.hpp"
#include "util/file.hpp"

namespace kgen::llm {
namespace {

TEST(ModelTable, BuiltInTableHasADateAndPricesItsDefaults) {
  const ModelTable table = load_model_table({}).value();
  EXPECT_EQ(table.as_of.size(), 10u);
  ASSERT_FALSE(table.default_models.empty());
  for (const auto& [provider, model] : table.default_models) EXPECT_TRUE(table.find_price(model)) << provider;
}

TEST(ModelTable, FindsTheModelOfADatedSnapshot) {
  const ModelTable table = load_model_table({}).value();
  EXPECT_TRUE(table.find_price("gpt-6.1-sol-2026-09-01"));
  EXPECT_TRUE(table.find_price("claude-opus-5-5-20260901"));
  EXPECT_FALSE(table.find_price("gpt-6.1-sol-mini"));
  EXPECT_FALSE(table.find_price("gpt-6.1"));
  EXPECT_FALSE(table.find_price(""));
}

TEST(ModelTable, CountsCachedTokensAtTheirOwnPrice) {
  const Usage usage = {1000000, 400000, 100000, 50000, 0};
  EXPECT_DOUBLE_EQ(cost_usd({2, 10, 0.5, {}}, usage), 0.6 * 2 + 0.4 * 0.5 + 0.1 * 10);
  EXPECT_DOUBLE_EQ(cost_usd({2, 10, {}, {}}, usage), 2 + 1);
  EXPECT_DOUBLE_EQ(cost_usd({2, 10, 0.5, {}}, {10, 99, 0, 0, 0}), 10 * 0.5 / 1e6);
}

TEST(ModelTable, CountsTokensWrittenToTheCacheAtTheirOwnPrice) {
  Usage usage = {1000000, 400000, 100000, 0, 300000};
  EXPECT_DOUBLE_EQ(cost_usd({2, 10, 0.5, 2.5}, usage), 0.3 * 2 + 0.4 * 0.5 + 0.3 * 2.5 + 0.1 * 10);
  EXPECT_DOUBLE_EQ(cost_usd({2, 10, {}, {}}, usage), 2 + 1);
  usage.cache_write_tokens = 9000000;  // no more than what is left
  EXPECT_DOUBLE_EQ(cost_usd({2, 10, 0.5, 2.5}, usage), 0.4 * 0.5 + 0.6 * 2.5 + 0.1 * 10);
}

TEST(ModelTable, ReadsAFileOfTheUsers) {
  const auto folder = util::TemporaryFolder::create("kgen-models").value();
  const auto path = folder.path() / "models.json";
  ASSERT_TRUE(util::write_file_atomic(
      path, R"({"prices":[{"model":"mine","input":1,"output":2,"cached_input":0}]})"));
  const auto price = load_model_table(path).value().find_price("mine");
  ASSERT_TRUE(price);
  EXPECT_DOUBLE_EQ(price->cached_input.value(), 0);
  EXPECT_FALSE(load_model_table(folder.path() / "other.json"));
}

TEST(ModelTable, NamesTheEntryThatIsWrong) {
  const auto message = [](std::string_view text) {
    return parse_model_table(text, "m.json").error().message;
  };
  EXPECT_NE(message("[]").find("m.json"), std::string::npos);
  EXPECT_NE(message(R"({"prices":[{"input":1}]})").find("no \"model\""), std::string::npos);
  EXPECT_NE(message(R"({"prices":[{"model":"a","input":"1","output":2}]})").find("\"a\": \"input\""),
            std::string::npos);
  EXPECT_NE(message(R"({"prices":[{"model":"a","input":1,"output":-2}]})").find("\"output\""),
            std::string::npos);
}

}  // namespace
}  // namespace kgen::llm
