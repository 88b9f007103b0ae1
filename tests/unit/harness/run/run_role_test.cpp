// The real kgen-worker in its run role, where there is no driver.
#include <gtest/gtest.h>

#include "harness/cuda/driver.hpp"
#include "harness/run/run_process.hpp"

namespace kgen::run {
namespace {

TEST(RunRole, SaysWhatIsMissingWhereThereIsNoDriver) {
  if (cuda::load_driver()) GTEST_SKIP() << "this machine has a driver";
  RunOptions options;
  options.command = {KGEN_WORKER, "run"};
  auto process = RunProcess::start(options);
  ASSERT_TRUE(process) << process.error().text();
  const auto ready = process->wait_ready();
  ASSERT_FALSE(ready);
  EXPECT_EQ(ready.error().kind, RunFailure::Kind::world);
  EXPECT_NE(ready.error().message.find("no CUDA driver"), std::string::npos) << ready.error().message;
}

}  // namespace
}  // namespace kgen::run
