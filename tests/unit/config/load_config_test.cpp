#include "config/load_config.hpp"

#include <gtest/gtest.h>

#include <set>

#include "config/setting.hpp"
#include "util/file.hpp"

namespace kgen::config {
namespace {

class LoadConfig : public testing::Test {
 protected:
  void SetUp() override {
    auto folder = util::TemporaryFolder::create("kgen-config-test");
    ASSERT_TRUE(folder) << folder.error().text();
    folder_.emplace(std::move(*folder));
    sources_.environment = [this](const std::string& name) -> std::optional<std::string> {
      const auto found = environment_.find(name);
      return found == environment_.end() ? std::nullopt : std::optional(found->second);
    };
  }
  std::filesystem::path write(const std::string& name, const std::string& text) {
    const auto path = folder_->path() / name;
    EXPECT_TRUE(util::write_file_atomic(path, text));
    return path;
  }
  std::string error() {
    const auto loaded = load_config(sources_);
    return loaded ? "no error" : loaded.error().text();
  }

  std::optional<util::TemporaryFolder> folder_;
  std::map<std::string, std::string> environment_;
  ConfigSources sources_;
};

TEST_F(LoadConfig, EachLayerWinsOverTheOneBeforeAndSaysWhere) {
  const auto user = write("user.toml", "device = 'none'\ncandidates = 2\ndollars = 1\nmodel = 'u'\n");
  const auto project = write("project.toml", "candidates = 3\ndollars = 2\nmodel = 'p'\n");
  sources_.files = {user, project};
  environment_ = {{"KGEN_DOLLARS", "3.5"}, {"KGEN_MODEL", "e"}};
  sources_.flags = {{"model", "f"}};
  const auto loaded = load_config(sources_);
  ASSERT_TRUE(loaded) << loaded.error().text();
  EXPECT_EQ(loaded->config.device, "none");
  EXPECT_EQ(loaded->config.candidates, 3);
  EXPECT_EQ(loaded->config.dollars, 3.5);
  EXPECT_EQ(loaded->config.model, "f");
  EXPECT_EQ(loaded->config.runs, "runs");
  EXPECT_EQ(loaded->origins.at("device"), user.string() + ":1");
  EXPECT_EQ(loaded->origins.at("candidates"), project.string() + ":1");
  EXPECT_EQ(loaded->origins.at("dollars"), "KGEN_DOLLARS");
  EXPECT_EQ(loaded->origins.at("model"), "--model");
  EXPECT_FALSE(loaded->origins.contains("runs"));
}

TEST_F(LoadConfig, AFileThatIsNotThereIsPassedOver) {
  sources_.files = {folder_->path() / "none.toml"};
  const auto loaded = load_config(sources_);
  ASSERT_TRUE(loaded) << loaded.error().text();
  EXPECT_TRUE(loaded->files_read.empty());
}

TEST_F(LoadConfig, AValueOfTheWrongTypeNamesItsPlaceAndWhatIsExpected) {
  const auto file = write("kgen.toml", "\ncandidates = 'many'\n");
  sources_.files = {file};
  EXPECT_EQ(error(), file.string() + ":2: candidates expects a whole number of at least 1, not 'many'");
  sources_.files.clear();
  environment_ = {{"KGEN_MINUTES", "soon"}};
  EXPECT_EQ(error(), "KGEN_MINUTES: minutes expects a number of at least 0, not 'soon'");
  environment_ = {{"KGEN_GENERAL", "yes please"}};
  EXPECT_EQ(error(), "KGEN_GENERAL: general expects true or false, not 'yes please'");
}

TEST_F(LoadConfig, NumbersBelowTheirLeastValueAreRefused) {
  for (const auto& [key, text] : std::vector<std::pair<std::string, std::string>>{{"candidates", "0"},
                                                                                  {"parallel", "-1"},
                                                                                  {"dollars", "-0.5"},
                                                                                  {"kernel_timeout", "0"},
                                                                                  {"minutes", "nan"}}) {
    sources_.flags = {{key, text}};
    EXPECT_NE(error().find("of at least"), std::string::npos) << key << "=" << text << ": " << error();
  }
}

TEST(Settings, EveryMemberHasOneNameAndRoundTripsItsText) {
  std::set<std::string> keys;
  Config config;
  for (const Setting& setting : settings()) {
    EXPECT_TRUE(keys.insert(std::string(setting.key)).second) << setting.key;
    const auto value = parse_value(setting, value_text(config, setting));
    ASSERT_TRUE(value) << setting.key << ": " << value.error().text();
    EXPECT_TRUE(apply(config, setting, *value)) << setting.key;
  }
  EXPECT_EQ(flag_name(*find_setting("kernel_timeout")), "--kernel-timeout");
  EXPECT_EQ(environment_name(*find_setting("kernel_timeout")), "KGEN_KERNEL_TIMEOUT");
}

TEST(ConfigFiles, ProjectFileComesAfterTheUsersOwn) {
  const auto files = config_files([](const std::string& name) -> std::optional<std::string> {
    return name == "HOME" ? std::optional<std::string>("/home/u") : std::nullopt;
  });
  EXPECT_EQ(files, (std::vector<std::filesystem::path>{"/home/u/.config/kgen/kgen.toml", "kgen.toml"}));
}

}  // namespace
}  // namespace kgen::config
