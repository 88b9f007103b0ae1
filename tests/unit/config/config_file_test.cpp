#include "config/config_file.hpp"

#include <gtest/gtest.h>

namespace kgen::config {
namespace {

std::string error_of(std::string_view text) {
  const auto entries = parse_config_file(text, "kgen.toml");
  return entries ? "no error" : entries.error().text();
}

TEST(ConfigFile, ReadsEveryTypeOfValueWithItsLine) {
  const auto entries =
      parse_config_file("device = 'cuda:1'\n\ncandidates = 3\ndollars = 1.5\ngeneral = true\n", "f");
  ASSERT_TRUE(entries) << entries.error().text();
  ASSERT_EQ(entries->size(), 4u);
  EXPECT_EQ((*entries)[0].setting->key, "device");
  EXPECT_EQ((*entries)[0].value, Value(std::string("cuda:1")));
  EXPECT_EQ((*entries)[1].line, 3);
  EXPECT_EQ((*entries)[1].value, Value(std::int64_t{3}));
  EXPECT_EQ((*entries)[2].value, Value(1.5));
  EXPECT_EQ((*entries)[3].value, Value(true));
}

TEST(ConfigFile, UnknownKeyNamesFileLineAndNearestKey) {
  const std::string error = error_of("# budget\ncandidate = 3\n");
  EXPECT_NE(error.find("kgen.toml:2: unknown key 'candidate'"), std::string::npos) << error;
  EXPECT_NE(error.find("keys are: candidates,"), std::string::npos) << error;
}

TEST(ConfigFile, SyntaxErrorNamesItsLine) {
  const std::string error = error_of("device = 'none'\ncandidates = = 3\n");
  EXPECT_EQ(error.rfind("kgen.toml:2: ", 0), 0u) << error;
}

TEST(ConfigFile, SecretIsRefusedWithThePlaceItBelongsIn) {
  const std::string error = error_of("openai_api_key = 'sk-123'\n");
  EXPECT_NE(error.find("keys are read from the environment only"), std::string::npos) << error;
  EXPECT_EQ(error.find("sk-123"), std::string::npos) << error;
}

TEST(ConfigFile, TableInPlaceOfAValueIsRefused) {
  EXPECT_NE(error_of("[device]\nname = 'x'\n").find("device expects one value"), std::string::npos);
}

}  // namespace
}  // namespace kgen::config
