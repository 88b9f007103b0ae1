#include <gtest/gtest.h>

#include "emulator_corpus/device_case.hpp"
#include "harness/cuda/handles.hpp"

namespace kgen::corpus {
namespace {

class CorpusGpu : public testing::TestWithParam<Case> {};

TEST_P(CorpusGpu, GivesTheExpectedValues) {
  static const auto context = cuda::Context::retain(0);
  ASSERT_TRUE(context) << context.error().text();
  const auto file = compiled_file(GetParam());
  ASSERT_TRUE(file) << file.error().text();
  testing::internal::CaptureStdout();
  const auto problems = problems_on_gpu(GetParam(), **file);
  const std::string printed = testing::internal::GetCapturedStdout();
  ASSERT_TRUE(problems) << problems.error().text();
  EXPECT_EQ(*problems, "");
  EXPECT_EQ(printed, GetParam().output);
}

INSTANTIATE_TEST_SUITE_P(Kernels, CorpusGpu, testing::ValuesIn(all_cases()), [](const auto& chosen) {
  return chosen.param.name + (chosen.param.arch == "sm_90a" ? "" : "_" + chosen.param.arch);
});

}  // namespace
}  // namespace kgen::corpus
