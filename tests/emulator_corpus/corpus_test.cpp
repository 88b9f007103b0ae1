#include <gtest/gtest.h>

#include <cstdio>
#include <set>

#include "emulator_corpus/emulated_case.hpp"
#include "emulator_corpus/expectation.hpp"

namespace kgen::corpus {
namespace {

class Corpus : public testing::TestWithParam<Case> {};

TEST_P(Corpus, GivesTheExpectedValuesAndNoReport) {
  const auto file = compiled_file(GetParam());
  if (!file && file.error().kind == ErrorKind::missing) GTEST_SKIP() << file.error().text();
  ASSERT_TRUE(file) << file.error().text();
  for (const std::uint64_t order_of_blocks : {1u, 2u})
    EXPECT_EQ(problems_on_emulator(GetParam(), **file, order_of_blocks), "");
}

INSTANTIATE_TEST_SUITE_P(Kernels, Corpus, testing::ValuesIn(all_cases()), [](const auto& chosen) {
  return chosen.param.name + (chosen.param.arch == "sm_90a" ? "" : "_" + chosen.param.arch);
});

TEST(CorpusItself, HasMoreThanSixtyKernels) {
  std::set<std::string> kernels;
  for (const Case& one : all_cases()) {
    for (const Step& step : one.steps) kernels.insert(one.file + "/" + step.kernel);
  }
  std::printf("%zu kernels\n", kernels.size());
  EXPECT_GE(kernels.size(), 64u);
}

/// A check that accepts everything would make every kernel right.
TEST(CorpusItself, EveryCaseRejectsAnotherValueInEachOutput) {
  for (const Case& one : all_cases()) {
    std::size_t checked = 0;
    for (const Buffer& buffer : one.buffers) {
      if (!buffer.check) continue;
      EXPECT_NE(buffer.check(Bytes(buffer.bytes, std::byte{0x5a})), "") << one.name << ", " << buffer.name;
      checked += buffer.before.empty() || !buffer.check(buffer.before).empty();
    }
    EXPECT_GT(checked + one.output.size(), 0u) << one.name << " computes nothing";
  }
}

}  // namespace
}  // namespace kgen::corpus
