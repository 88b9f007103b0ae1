#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "emulator_differential/compare_outputs.hpp"
#include "emulator_differential/expected_file.hpp"

namespace kgen::differential {
namespace {

class Replay : public testing::TestWithParam<Theme> {};

std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

TEST_P(Replay, TheEmulatorGivesWhatTheDeviceGave) {
  const Theme& theme = GetParam();
  const std::filesystem::path path = committed_file(theme.name);
  if (!std::filesystem::exists(path))
    GTEST_SKIP() << path << " is not captured yet: run emulator_capture on a GPU";
  const ExpectedFile file = parse_expected(read_file(path));
  for (const Form& form : theme.forms) {
    const auto found = file.forms.find(form.name);
    if (found == file.forms.end()) {
      ADD_FAILURE() << form.name << " is not in " << path << ": capture again";
      continue;
    }
    const std::vector<std::byte> inputs = case_inputs(form, form.cases, kCommittedSeed);
    if (found->second.inputs_hash != hash_of(inputs)) {
      ADD_FAILURE() << form.name << ": its operands are no longer those captured: capture again";
      continue;
    }
    const Disagreements wrong = compare_outputs(form, inputs, found->second.outputs, emulated(form, inputs));
    EXPECT_EQ(wrong.count, 0u) << form.name << " on " << file.device << "\n" << wrong.text;
    if (form.exhaustive) {
      EXPECT_EQ(hash_of(emulated(form, exhaustive_inputs(form))), found->second.exhaustive_hash)
          << form.name << ": one of all 65536 operands differs";
    }
  }
  EXPECT_EQ(file.forms.size(), theme.forms.size()) << "forms that are no more: capture again";
}

INSTANTIATE_TEST_SUITE_P(Themes, Replay, testing::ValuesIn(all_themes()),
                         [](const auto& chosen) { return chosen.param.name; });

TEST(Forms, NamesAreUniqueAndInputsRepeat) {
  for (const Theme& theme : all_themes()) {
    std::set<std::string> names;
    for (const Form& form : theme.forms) {
      EXPECT_TRUE(names.insert(form.name).second) << form.name << " is there twice";
      EXPECT_EQ(case_inputs(form, 4, 1), case_inputs(form, 4, 1)) << form.name;
    }
  }
}

/// A comparison that could not fail would prove nothing: every form must notice a changed output.
TEST(Forms, EachNoticesAnotherResult) {
  for (const Theme& theme : all_themes()) {
    for (const Form& form : theme.forms) {
      const std::vector<std::byte> inputs = case_inputs(form, form.cases, 1);
      const std::vector<std::byte> outputs = emulated(form, inputs);
      EXPECT_EQ(compare_outputs(form, inputs, outputs, outputs).count, 0u) << form.name;
      std::vector<std::byte> wrong = outputs;
      for (std::byte& byte : wrong) byte ^= std::byte{0x5a};
      EXPECT_GT(compare_outputs(form, inputs, outputs, wrong).count, 0u) << form.name;
    }
  }
}

TEST(ExpectedFile, SurvivesItsText) {
  ExpectedFile file;
  file.device = "a device";
  file.forms["add.f32 x"] = {0x12, 0x34, {std::byte{1}, std::byte{0xff}}};
  const ExpectedFile back = parse_expected(to_text(file));
  EXPECT_EQ(back.device, file.device);
  ASSERT_EQ(back.forms.count("add.f32 x"), 1u);
  EXPECT_EQ(back.forms.at("add.f32 x").inputs_hash, 0x12u);
  EXPECT_EQ(back.forms.at("add.f32 x").exhaustive_hash, 0x34u);
  EXPECT_EQ(back.forms.at("add.f32 x").outputs, file.forms["add.f32 x"].outputs);
  EXPECT_THROW(parse_expected("# Captured on x\nname\t12\n"), std::runtime_error);
}

}  // namespace
}  // namespace kgen::differential
