#include "harness/run/fault_table.hpp"

#include <gtest/gtest.h>

#include <set>

#include "support/markdown_table.hpp"

namespace kgen::run {
namespace {

using Kind = RunFailure::Kind;

TEST(FaultTable, FaultsAreFaultsWheneverTheyComeOut) {
  for (const Phase phase : {Phase::load, Phase::launch, Phase::execution, Phase::world}) {
    const RunFailure failure = failure_of(CUDA_ERROR_MISALIGNED_ADDRESS, phase, "copy_rows");
    EXPECT_EQ(failure.kind, Kind::fault);
    EXPECT_EQ(failure.fine, "misaligned");
    EXPECT_TRUE(failure.spent());
    EXPECT_EQ(
        failure.message.rfind("copy_rows accessed memory at an address that its width does not divide", 0),
        0u)
        << failure.message;
  }
}

TEST(FaultTable, TheSameCodeIsTheCandidatesDoingOnlyWhereItWasLaunched) {
  const RunFailure launch = failure_of(CUDA_ERROR_INVALID_VALUE, Phase::launch, "k", 2);
  EXPECT_EQ(launch.kind, Kind::launch_error);
  EXPECT_EQ(launch.fine, "invalid_configuration");
  EXPECT_EQ(launch.step, 2);
  EXPECT_FALSE(launch.spent());
  EXPECT_EQ(failure_of(CUDA_ERROR_INVALID_VALUE, Phase::load, "k").fine, "shared_memory");
  EXPECT_EQ(failure_of(CUDA_ERROR_INVALID_VALUE, Phase::world, "k").kind, Kind::world);
  EXPECT_EQ(failure_of(CUDA_ERROR_OUT_OF_MEMORY, Phase::world, "k").kind, Kind::world);
}

TEST(FaultTable, CubinsForOtherDevicesAreUnsupported) {
  EXPECT_EQ(failure_of(CUDA_ERROR_NO_BINARY_FOR_GPU, Phase::load, "k").kind, Kind::unsupported_arch);
}

TEST(FaultTable, UnnamedErrorsDuringExecutionSpendTheProcess) {
  const RunFailure failure = failure_of(CUDA_ERROR_UNKNOWN, Phase::execution, "k");
  EXPECT_EQ(failure.kind, Kind::fault);
  EXPECT_EQ(failure.fine, "unnamed");
}

TEST(FaultTable, EveryKindHasAName) {
  EXPECT_EQ(name_of(Kind::launch_error), "launch_error");
  EXPECT_EQ(name_of(Kind::unsupported_arch), "unsupported_arch");
  EXPECT_EQ(to_error(failure_of(CUDA_ERROR_ASSERT, Phase::execution, "oracle"))
                .message.rfind("fault: oracle failed an", 0),
            0u);
}

/// "fault misaligned" for each kind that docs/verification.md names beside its verdict.
std::set<std::string> documented_kinds() {
  std::set<std::string> out;
  for (const auto& row : test::verdict_table())
    for (const auto& verdict : test::code_words(row.at("verdict")))
      for (const auto& kind : test::code_words(row.at("kind"))) out.insert(verdict + " " + kind);
  return out;
}

TEST(FaultTable, EveryKindIsInTheTableOfTheDocumentation) {
  const auto documented = documented_kinds();
  std::set<std::string> given;
  for (int code = 1; code < 1000; ++code)
    for (const Phase phase : {Phase::load, Phase::launch, Phase::execution}) {
      const RunFailure failure = failure_of(static_cast<CUresult>(code), phase, "k");
      if (failure.kind != Kind::world) given.insert(std::string(name_of(failure.kind)) + " " + failure.fine);
    }
  EXPECT_GE(given.size(), 20u);
  for (const auto& kind : given) EXPECT_TRUE(documented.contains(kind)) << kind;
}

}  // namespace
}  // namespace kgen::run
