#include <gtest/gtest.h>

#include <cstdio>
#include <set>

#include "kernel_bits/captured.hpp"
#include "util/file.hpp"

namespace kgen::kernel_bits {
namespace {

/// GPU and emulator each lie within what is allowed about the exact value, so that they are at most twice
/// that apart: neighbouring f16 values about a rounding boundary, where ex2.approx differs in its last bits.
constexpr double kMostShare = 2;

/// Whether its op, or its file ("softmax/kernels/any_cols.cu"), is yet to be captured.
bool is_pending(const CapturedFile& file, const Subject& subject) {
  return file.pending.contains(subject.task.op->name) ||
         file.pending.contains(subject.name.substr(0, subject.name.find(' ')));
}

/// The emulator is where it was when the bits were captured: its shares of the allowed error are no larger.
TEST(KernelBits, TheEmulatorWritesWhatTheDeviceWrote) {
  const auto text = util::read_file(committed_file());
  if (!text) GTEST_SKIP() << committed_file() << " is not captured yet: run kernel_bits_capture on a GPU";
  const auto file = parse_captured(*text);
  ASSERT_TRUE(file) << file.error().text();
  core::HelloRequest request;
  request.device = "emulator";
  request.python = "none";
  const auto opened = judge::open_workplace(request, KGEN_BINARY_DIR "/harness/kgen-worker");
  ASSERT_TRUE(opened) << opened.error().text();
  std::set<std::string> seen;
  for (const Subject& subject : all_subjects()) {
    const auto here = execute((*opened)->workplace, subject);
    ASSERT_TRUE(here) << here.error().text();
    if (is_pending(*file, subject)) {
      std::printf("not captured yet: %s\n", subject.name.c_str());
      continue;
    }
    for (const Output& output : here->outputs) {
      const std::string name = subject.name + " " + output.tensor;
      seen.insert(name);
      const auto captured = file->outputs.find(name);
      if (captured == file->outputs.end() || captured->second.inputs_hash != here->inputs_hash) {
        ADD_FAILURE() << name << ": not captured, or with other inputs: capture again";
        continue;
      }
      const Difference difference = compare_kept(captured->second.bytes, output);
      EXPECT_LE(difference.share, captured->second.share)
          << name << ": " << difference.differing << " of " << difference.elements << " elements differ";
      EXPECT_LE(captured->second.share, kMostShare) << name;
    }
  }
  for (const auto& [name, captured] : file->outputs)
    EXPECT_TRUE(seen.contains(name)) << name << " is no more: capture again";
}

TEST(KernelBits, ACapturedFileSurvivesItsText) {
  CapturedFile file{"a device", {{"op/kernels/a.cu f32 y", {0x12, 0.25, std::string("\0\x7f", 2)}}}};
  const auto back = parse_captured(to_text(file));
  ASSERT_TRUE(back) << back.error().text();
  EXPECT_EQ(back->device, "a device");
  EXPECT_EQ(back->outputs.at("op/kernels/a.cu f32 y").inputs_hash, 0x12u);
  EXPECT_EQ(back->outputs.at("op/kernels/a.cu f32 y").share, 0.25);
  EXPECT_EQ(back->outputs.at("op/kernels/a.cu f32 y").bytes, std::string("\0\x7f", 2));
  EXPECT_FALSE(parse_captured("# Captured on x\nname\t12\n"));
  EXPECT_TRUE(parse_captured("# Captured on x\n# not captured yet: an_op\n")->pending.contains("an_op"));
}

/// A comparison that could not fail would prove nothing.
TEST(KernelBits, AnotherBitIsNoticed) {
  Output output{"y", core::DType::f32, std::string(4000, '\0'), std::vector<double>(1000, 0.5)};
  const std::string captured = kept_bytes(output);
  EXPECT_EQ(compare_kept(captured, output).differing, 0u);
  output.bytes[3] = 0x3f;  // 0.5: as much as is allowed
  const Difference difference = compare_kept(captured, output);
  EXPECT_EQ(difference.differing, 1u);
  EXPECT_DOUBLE_EQ(difference.share, 1.0);
  output.allowed.assign(1000, 0.0);
  EXPECT_GT(compare_kept(captured, output).share, 1e300);
  EXPECT_GT(compare_kept("", output).share, 1e300);
}

}  // namespace
}  // namespace kgen::kernel_bits
