#include "selftest/adversarial_case.hpp"

#include <gtest/gtest.h>

namespace kgen::selftest {
namespace {

std::string file_with(const std::string& header) {
  return "/*kgen\n{}\n*/\n/*adversarial\n" + header + "\n*/\n__global__ void k() {}\n";
}

constexpr const char* kWhole = R"({"op": "softmax", "dtypes": ["bf16", "f32"], "device": "emulator_only",
  "task": {"rows": 4, "cols": 8}, "misbehaves": "never right", "accept": ["wrong_result", "race"],
  "neutralised_ok": true, "timing": true, "needs": "memcheck", "honest_variant": {"CHEAT": 0},
  "must_not_leak": ["root:"],
  "emulator": {"task": {"rows": 2}, "accept": ["not_emulated"], "not_visible": "no clock"}})";

std::string error_of(const std::string& header) {
  const auto read = parse_case("softmax/x", file_with(header));
  return read ? "" : read.error().text();
}

/// kWhole with one piece of text replaced.
std::string with(const std::string& from, const std::string& to) {
  std::string text = kWhole;
  return text.replace(text.find(from), from.size(), to);
}

TEST(AdversarialCase, ReadsEveryField) {
  const auto read = parse_case("softmax/x", file_with(kWhole));
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(read->name, "softmax/x");
  EXPECT_EQ(read->source, file_with(kWhole));
  EXPECT_EQ(read->dtypes, (std::vector{core::DType::bf16, core::DType::f32}));
  EXPECT_EQ(read->accept, (std::vector{core::Verdict::wrong_result, core::Verdict::race}));
  EXPECT_EQ(read->dims, (core::Dims{{"rows", 4}, {"cols", 8}}));
  EXPECT_EQ(read->where, AdversarialCase::Where::emulator_only);
  EXPECT_TRUE(read->neutralised_ok);
  EXPECT_TRUE(read->timing);
  EXPECT_EQ(read->needs, "memcheck");
  EXPECT_EQ(read->honest_variant->at("CHEAT"), 0);
  EXPECT_EQ(read->must_not_leak, std::vector<std::string>{"root:"});
  EXPECT_EQ(read->on_emulator.dims, (core::Dims{{"rows", 2}}));
  EXPECT_EQ(read->on_emulator.accept, std::vector{core::Verdict::not_emulated});
  EXPECT_EQ(read->on_emulator.not_visible, "no clock");
}

TEST(AdversarialCase, NamesTheFileAndWhatIsWrong) {
  EXPECT_NE(error_of(with("\"accept\"", "\"acept\"")).find("unknown field 'acept'"), std::string::npos);
  EXPECT_NE(error_of(with("race", "rase")).find("'rase' is no verdict"), std::string::npos);
  EXPECT_NE(error_of(with("emulator_only", "tpu")).find("'tpu'"), std::string::npos);
  EXPECT_NE(error_of(with("\"f32\"", "\"f33\"")).find("'f33'"), std::string::npos);
  EXPECT_NE(error_of(with("not_visible", "not_seen")).find("unknown field 'not_seen'"), std::string::npos);
  EXPECT_NE(error_of(with("\"not_emulated\"", "")).find("accept is empty"), std::string::npos);
  EXPECT_NE(error_of("{").find("softmax/x"), std::string::npos);
}

TEST(AdversarialCase, CorrectIsNoRejection) {
  EXPECT_NE(error_of(with("race", "correct")).find("'correct'"), std::string::npos);
}

TEST(AdversarialCase, AFileWithoutTheHeaderIsAnError) {
  const auto read = parse_case("softmax/x", "/*kgen {} */\n");
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().message.find("softmax/x"), std::string::npos);
}

}  // namespace
}  // namespace kgen::selftest
