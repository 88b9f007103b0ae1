#include "report/number_text.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/worst_exit.hpp"

namespace kgen::report {
namespace {

TEST(NumberText, KeepsTheDigitsThatMatter) {
  EXPECT_EQ(significant(79.123), "79.1");
  EXPECT_EQ(significant(1234.5), "1234");
  EXPECT_EQ(significant(0.04321), "0.0432");
  EXPECT_EQ(significant(0), "0");
  EXPECT_EQ(significant(-0.0), "-0");
  EXPECT_EQ(significant(-2.5), "-2.50");
  EXPECT_EQ(significant(1e-9), "1e-09");
  EXPECT_EQ(significant(std::nan("")), "nan");
  EXPECT_EQ(significant(-INFINITY), "-inf");
}

TEST(NumberText, AnErrorWithoutANumberDiffers) {
  EXPECT_EQ(error_ratio_text(0.44), "0.440");
  EXPECT_EQ(error_ratio_text(1e299), "1e+299");
  EXPECT_EQ(error_ratio_text(core::kInfiniteRatio), "differs");
  EXPECT_EQ(error_ratio_text(INFINITY), "differs");
}

TEST(NumberText, TimesChangeTheirUnitWithTheirSize) {
  EXPECT_EQ(time_text(79.12), "79.1 us");
  EXPECT_EQ(time_text(1234), "1.23 ms");
  EXPECT_EQ(time_text(2.5e6), "2.50 s");
  EXPECT_EQ(interval_text({1234, 1200, 1300, 50}), "1.234 ms [1.200, 1.300]");
}

TEST(NumberText, SpeedUpsShowTheirIntervalWhereItIsKnown) {
  EXPECT_EQ(speedup_text(2.013, 1.987, 2.044), "2.01x [1.99, 2.04]");
  EXPECT_EQ(speedup_text(0.5, 0, 0), "0.50x");
}

TEST(NumberText, BytesAndDurationsAreRoundedForPeople) {
  EXPECT_EQ(bytes_text(512), "512 B");
  EXPECT_EQ(bytes_text(16384), "16 KiB");
  EXPECT_EQ(bytes_text(INT64_MAX), "8 EiB");
  EXPECT_EQ(duration_text(0.43), "0.4 s");
  EXPECT_EQ(duration_text(200), "3 min 20 s");
  EXPECT_EQ(duration_text(7500), "2 h 5 min");
  EXPECT_EQ(count_text(950), "950");
  EXPECT_EQ(count_text(12345), "12.3k");
  EXPECT_EQ(count_text(1'200'000), "1.20M");
  EXPECT_EQ(plural(1, "call"), "1 call");
}

TEST(WorstExit, CountsAsABatchDoes) {
  using core::ExitCode;
  EXPECT_EQ(worse_of(ExitCode::ok, ExitCode::waiting), ExitCode::waiting);
  EXPECT_EQ(worse_of(ExitCode::not_met, ExitCode::waiting), ExitCode::not_met);
  EXPECT_EQ(worse_of(ExitCode::provider, ExitCode::usage), ExitCode::provider);
  EXPECT_EQ(worse_of(ExitCode::missing, ExitCode::interrupted), ExitCode::interrupted);
  EXPECT_EQ(worse_of(ExitCode::internal, ExitCode::interrupted), ExitCode::internal);
}

}  // namespace
}  // namespace kgen::report
