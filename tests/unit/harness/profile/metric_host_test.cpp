#include "harness/profile/metric_host.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace kgen::profile {
namespace {

/// CUPTI loads a library of its own with RTLD_DEEPBIND, and AddressSanitizer ends every program that does.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool kCanLoad = false;
#else
constexpr bool kCanLoad = true;
#endif

/// One chip of each family that the table is for.
class MetricHostOf : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!kCanLoad) GTEST_SKIP() << "CUPTI does not load under AddressSanitizer";
    auto opened = Cupti::open(cupti_folders());
    if (!opened) GTEST_SKIP() << "no CUPTI here: " << opened.error().message;
    cupti_ = std::make_unique<Cupti>(std::move(*opened));
    auto host = MetricHost::open(*cupti_, GetParam(), {});
    ASSERT_TRUE(host) << host.error().text();
    host_ = std::make_unique<MetricHost>(std::move(*host));
  }
  std::unique_ptr<Cupti> cupti_;
  std::unique_ptr<MetricHost> host_;
};

TEST_P(MetricHostOf, HasAlmostEverythingThatAProfileAsksForInFewPasses) {
  const Status ready = host_->prepare(wanted_metrics());
  ASSERT_TRUE(ready) << ready.error().text();
  EXPECT_GE(host_->chosen().size(), 80U);
  EXPECT_LE(host_->not_available().size(), 4U);
  EXPECT_GE(host_->passes(), 5U);
  EXPECT_LE(host_->passes(), 24U) << "each pass costs a replay of the kernel";
  std::string names;
  for (const auto& name : host_->not_available()) names += " " + name;
  std::printf("  %s: %zu metrics in %zu passes; not available:%s\n", GetParam(), host_->chosen().size(),
              host_->passes(), names.c_str());
}

TEST_P(MetricHostOf, HasTheMetricsThatTheMainRulesNeed) {
  ASSERT_TRUE(host_->prepare(wanted_metrics()));
  std::set<std::string> recorded;
  for (const ChosenMetric& metric : host_->chosen()) recorded.insert(metric.recorded);
  for (const char* name : {"gpu__time_duration.sum", "sm__throughput.avg.pct_of_peak_sustained_elapsed",
                           "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", "dram__bytes_read.sum",
                           "smsp__average_warp_latency_per_inst_issued.ratio",
                           "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio",
                           "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"})
    EXPECT_TRUE(recorded.contains(name)) << name;
}

TEST_P(MetricHostOf, AMetricThatTheChipLacksIsNotAvailableAndSpoilsNothing) {
  const Status ready = host_->prepare(
      {{"no__such_metric.sum", {"nor__this_one.sum"}}, {"gone__by_now.sum", {"dram__bytes.sum"}}});
  ASSERT_TRUE(ready) << ready.error().text();
  EXPECT_EQ(host_->not_available(), std::vector<std::string>{"no__such_metric.sum"});
  ASSERT_EQ(host_->chosen().size(), 1U);
  EXPECT_EQ(host_->chosen()[0].recorded, "gone__by_now.sum");
  EXPECT_EQ(host_->chosen()[0].asked, "dram__bytes.sum");
}

TEST_P(MetricHostOf, NothingToCollectIsAnError) {
  EXPECT_FALSE(host_->prepare({{"no__such_metric.sum", {}}}));
}

INSTANTIATE_TEST_SUITE_P(Chips, MetricHostOf,
                         testing::Values("GA100", "GA102", "AD102", "GH100", "GB100", "GB202"),
                         [](const auto& chip) { return std::string(chip.param); });

TEST(MetricHost, AnUnknownChipIsAnErrorThatSaysWhatToDo) {
  if (!kCanLoad) GTEST_SKIP() << "CUPTI does not load under AddressSanitizer";
  auto cupti = Cupti::open(cupti_folders());
  if (!cupti) GTEST_SKIP() << "no CUPTI here: " << cupti.error().message;
  const auto host = MetricHost::open(*cupti, "XX999", {});
  ASSERT_FALSE(host);
  EXPECT_NE(host.error().message.find("cuptiProfilerHostInitialize"), std::string::npos);
}

TEST(MetricTable, NamesEachMetricOnce) {
  std::set<std::string_view> names;
  for (const WantedMetric& wish : wanted_metrics()) EXPECT_TRUE(names.insert(wish.name).second) << wish.name;
}

}  // namespace
}  // namespace kgen::profile
