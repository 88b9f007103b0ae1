#include "cli/command_line.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "util/json.hpp"

namespace kgen::cli {
namespace {

std::string error_of(const std::vector<std::string>& words) {
  ParsedLine parsed;
  const Status status = parse_command_line(words, parsed);
  if (status) return "no error";
  EXPECT_EQ(status.error().kind, ErrorKind::bad_input);
  return status.error().text();
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(CommandLine, AWrongCommandSuggestsTheNearest) {
  EXPECT_TRUE(contains(error_of({"genrate", "--op", "softmax"}),
                       "unknown command 'genrate'; the commands are: generate"));
  EXPECT_TRUE(contains(error_of({"ops", "lst"}), "unknown command 'lst'; the commands are: list"));
  EXPECT_TRUE(contains(error_of({}), "no command is given"));
}

TEST(CommandLine, AWrongFlagSuggestsTheNearest) {
  EXPECT_TRUE(contains(error_of({"eval", "k.cu", "--op", "softmax", "--dtpe", "f32"}),
                       "unknown flag --dtpe of eval; nearest: --dtype"));
  EXPECT_TRUE(contains(error_of({"eval", "k.cu", "--op", "softmax", "--shap=rows=1"}),
                       "unknown flag --shap of eval; nearest: --shape"));
  const std::string nested = error_of({"ops", "show", "softmax", "--jsn"});
  EXPECT_TRUE(contains(nested, "unknown flag --jsn of ops show; nearest: --json")) << nested;
  EXPECT_TRUE(contains(nested, "`kgen ops show --help`")) << nested;
  EXPECT_TRUE(contains(error_of({"--versoin"}), "unknown flag --versoin of kgen; nearest: --version"));
}

TEST(CommandLine, WhatIsMissingOrNotAllowedIsNamed) {
  EXPECT_TRUE(contains(error_of({"eval", "k.cu"}), "--op"));
  EXPECT_TRUE(contains(error_of({"eval", "--op", "softmax"}), "FILE"));
  EXPECT_TRUE(contains(error_of({"eval", "k.cu", "--op", "softmax", "--tier", "best"}), "best"));
  EXPECT_TRUE(contains(error_of({"eval", "k.cu", "--op", "softmax", "--seed", "x"}), "--seed"));
  EXPECT_TRUE(contains(error_of({"resume"}), "RUN"));
}

TEST(CommandLine, HelpAndVersionAreTextAndNoError) {
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"--help"}, {"--version"}, {"eval", "--help"}, {"ops", "show", "--help"}}) {
    ParsedLine parsed;
    ASSERT_TRUE(parse_command_line(words, parsed)) << words[0];
    EXPECT_TRUE(parsed.finished);
    EXPECT_TRUE(contains(parsed.text, "kgen")) << parsed.text;
  }
  ParsedLine help;
  ASSERT_TRUE(parse_command_line({"eval", "--help"}, help));
  EXPECT_TRUE(contains(help.text, "--checks-only"));
  EXPECT_TRUE(contains(help.text, "Examples:"));
  EXPECT_TRUE(contains(help.text, "Usage: kgen eval [OPTIONS]")) << help.text;
  ParsedLine nested;
  ASSERT_TRUE(parse_command_line({"ops", "show", "--help"}, nested));
  EXPECT_TRUE(contains(nested.text, "Usage: kgen ops show [OPTIONS]")) << nested.text;
}

TEST(CommandLine, TheChosenCommandAndItsJsonPathAreKept) {
  ParsedLine parsed;
  ASSERT_TRUE(parse_command_line({"ops", "show", "softmax", "--json", "-"}, parsed));
  EXPECT_EQ(parsed.invocation.command, "ops show");
  EXPECT_EQ(parsed.invocation.json_path, "-");
  ASSERT_TRUE(parsed.invocation.run);
}

TEST(CommandLine, JsonIsWrittenForALineThatIsWrongToo) {
  ParsedLine parsed;
  EXPECT_FALSE(parse_command_line({"eval", "--json", "out.json", "--no-such"}, parsed));
  EXPECT_EQ(parsed.invocation.json_path, "out.json");
  EXPECT_EQ(parsed.invocation.command, "eval");
}

TEST(CommandLine, OpsShowRunsWithoutAWorker) {
  ParsedLine parsed;
  ASSERT_TRUE(parse_command_line({"ops", "show", "softmax"}, parsed));
  const auto result = parsed.invocation.run();
  ASSERT_TRUE(result) << result.error().text();
  EXPECT_TRUE(contains(result->text, "softmax: Softmax over rows"));
  const auto json = nlohmann::json::parse(result->json);
  EXPECT_EQ(json.at("schema_version"), kJsonSchemaVersion);
  EXPECT_EQ(json.at("op").at("name"), "softmax");
}

TEST(CommandLine, EveryCommandIsKnownToCompletion) {
  const auto names = command_names();
  for (const char* name : {"generate", "resume", "eval", "ops", "show", "doctor"})
    EXPECT_NE(std::find(names.begin(), names.end(), name), names.end()) << name;
  const auto flags = flags_of("generate");
  EXPECT_NE(std::find(flags.begin(), flags.end(), "--base-url"), flags.end());
}

}  // namespace
}  // namespace kgen::cli
