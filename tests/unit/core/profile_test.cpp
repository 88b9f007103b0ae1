#include "core/profile.hpp"

#include <gtest/gtest.h>

#include "core/evaluation.hpp"
#include "core/profile_findings.hpp"
#include "util/json.hpp"

namespace kgen::core {
namespace {

namespace m = metrics;

Metrics loads(double requests, double sectors, double ideal) {
  return {{metric_name(m::kGlobalRequests, "ld", ".sum"), requests},
          {metric_name(m::kGlobalSectors, "ld", ".sum"), sectors},
          {std::string(m::kIdealGlobalSectors), ideal}};
}

/// Line 3 reads apart, line 5 in a row.
Profile profile() {
  Profile out;
  out.source = "emulator";
  out.simulated = true;
  out.dims = {{"rows", 64}, {"cols", 1024}};
  out.gaps = {{"stalls by line", "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES", "ask an administrator"}};
  out.not_available = {"smsp__inst_executed_pipe_tma.sum"};
  KernelProfile& kernel = out.kernels.emplace_back(KernelProfile{"k", loads(20, 360, 80), {}});
  kernel.metrics[std::string(m::kWarpInstructions)] = 100;
  kernel.metrics[std::string(m::kThreadsPerInstruction)] = 32;
  kernel.lines = {{3, loads(10, 320, 40)}, {5, loads(10, 40, 40)}};
  return out;
}

TEST(Profile, TravelsInsideAnEvaluation) {
  Evaluation evaluation;
  evaluation.profile = profile();
  const auto back = evaluation_from_json(to_json(evaluation));
  ASSERT_TRUE(back) << back.error().text();
  ASSERT_TRUE(back->profile);
  EXPECT_TRUE(back->profile->simulated);
  EXPECT_EQ(back->profile->source, "emulator");
  EXPECT_EQ(back->profile->dims, profile().dims);
  ASSERT_EQ(back->profile->gaps.size(), 1U);
  EXPECT_EQ(back->profile->gaps[0].why, "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES");
  EXPECT_EQ(back->profile->not_available, profile().not_available);
  ASSERT_EQ(back->profile->kernels.size(), 1U);
  EXPECT_EQ(back->profile->kernels[0].metrics, profile().kernels[0].metrics);
  ASSERT_EQ(back->profile->kernels[0].lines.size(), 2U);
  EXPECT_EQ(back->profile->kernels[0].lines[1].line, 5);
  EXPECT_FALSE(evaluation_from_json(to_json(Evaluation{}))->profile);
}

TEST(Profile, OneOfAnEarlierVersionHasNoGaps) {
  Evaluation evaluation;
  evaluation.profile = profile();
  nlohmann::json json = to_json(evaluation);
  for (const char* key : {"gaps", "not_available", "cost_ms"}) json["profile"].erase(key);
  const auto back = evaluation_from_json(json);
  ASSERT_TRUE(back) << back.error().text();
  EXPECT_TRUE(back->profile->gaps.empty());
}

TEST(Profile, LaunchesOfOneKernelAreMergedByWhatTheirMetricsMean) {
  const Metrics quick = {{"gpu__time_duration.sum", 1000},
                         {"dram__bytes_read.sum", 10},
                         {"a.pct", 80},
                         {"c.max", 5},
                         {"c.min", 5},
                         {"only.sum", 1}};
  const Metrics slow = {{"gpu__time_duration.sum", 3000},
                        {"dram__bytes_read.sum", 30},
                        {"a.pct", 40},
                        {"c.max", 9},
                        {"c.min", 1}};
  const Metrics both = merge_launches({quick, slow});
  EXPECT_EQ(both.at("gpu__time_duration.sum"), 4000);
  EXPECT_EQ(both.at("dram__bytes_read.sum"), 40);
  EXPECT_EQ(both.at("a.pct"), 50);  // by time
  EXPECT_EQ(both.at("c.max"), 9);
  EXPECT_EQ(both.at("c.min"), 1);
  EXPECT_FALSE(both.contains("only.sum")) << "half counted is not counted";
  EXPECT_TRUE(merge_launches({}).empty());
  const Metrics of_six = merge_launches({quick, slow}, 6);
  EXPECT_EQ(of_six.at("gpu__time_duration.sum"), 12000) << "the two stand for six";
  EXPECT_EQ(of_six.at("a.pct"), 50);
  EXPECT_EQ(of_six.at("c.max"), 9);
}

TEST(Profile, ABrokenOneIsAnErrorOfTheEvaluation) {
  Evaluation evaluation;
  evaluation.profile = profile();
  nlohmann::json json = to_json(evaluation);
  json["profile"].erase("kernels");
  EXPECT_FALSE(evaluation_from_json(json));
}

TEST(ProfileFindings, NameTheLineThatWastesSectorsAndNotTheOther) {
  const auto findings = profile_findings(profile());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].line, 3);
  EXPECT_EQ(findings[0].kernel, "k");
  EXPECT_NE(findings[0].text.find("loads take 32 sectors a request where 4 would"), std::string::npos)
      << findings[0].text;
  EXPECT_NEAR(findings[0].share, 280.0 / 360, 1e-9);
}

TEST(ProfileFindings, BankConflictsAndDivergence) {
  Profile own = profile();
  KernelProfile& kernel = own.kernels[0];
  kernel.lines = {{7,
                   {{metric_name(m::kSharedWavefronts, "ld", ".sum"), 320},
                    {metric_name(m::kBankConflicts, "ld", ".sum"), 310}}},
                  {9, {{std::string(m::kDivergentBranches), 8}, {std::string(m::kBranchTargets), 16}}}};
  kernel.metrics[metric_name(m::kSharedWavefronts, "ld", ".sum")] = 400;
  kernel.metrics[std::string(m::kBranchTargets)] = 20;
  EXPECT_EQ(profile_findings(own).size(), 1U) << "all lanes are active: nothing is lost";
  kernel.metrics[std::string(m::kThreadsPerInstruction)] = 17;
  const auto findings = profile_findings(own);
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_NE(findings[0].text.find("32 wavefronts where 1"), std::string::npos) << findings[0].text;
  EXPECT_NE(findings[1].text.find("8 of 16 branches"), std::string::npos) << findings[1].text;
}

TEST(ProfileFindings, NoMoreThanAskedForOfAKernel) {
  Profile own = profile();
  for (int line = 10; line < 13; ++line) own.kernels[0].lines.push_back({line, loads(10, 320, 40)});
  EXPECT_EQ(profile_findings(own, 2).size(), 2U);
}

TEST(ProfileSummary, SaysThatNothingWasTimed) {
  EXPECT_NE(profile_origin(profile()).find("cols=1024, rows=64 (simulated"), std::string::npos);
  EXPECT_NE(profile_summary(profile().kernels[0]).find("360 sectors (11520 bytes)"), std::string::npos)
      << profile_summary(profile().kernels[0]);
}

}  // namespace
}  // namespace kgen::core
