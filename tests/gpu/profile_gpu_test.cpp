#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>

#include "core/profile_page.hpp"
#include "harness/cuda/device_query.hpp"
#include "planted_run.hpp"

namespace kgen::test {
namespace {

/// What a profile may cost once its processes are up.
constexpr double kMostMs = 1500;

/// Each planted kernel profiled once, for all tests here.
const std::map<std::string, PlantedReading>& readings() {
  static const std::map<std::string, PlantedReading> all = [] {
    std::map<std::string, PlantedReading> out;
    const auto device = take(cuda::query_device(0), "device");
    static const auto context = take(cuda::Context::retain(0), "context");
    PlantedProfiler profiler(device);
    for (const Planted& planted : planted_suite(device)) out[planted.name] = profiler.profile(planted);
    return out;
  }();
  return all;
}

std::vector<Planted> suite() {
  return planted_suite(take(cuda::query_device(0), "device"));
}

TEST(Profiler, NothingIsMissing) {
  for (const auto& [name, read] : readings()) {
    for (const auto& gap : read.reading.gaps) ADD_FAILURE() << name << ": " << gap.what << ": " << gap.why;
    ASSERT_EQ(read.reading.kernels.size(), 1u) << name;
    EXPECT_GT(core::metric(read.reading.kernels.front().metrics, core::metrics::kDuration), 0) << name;
    EXPECT_GT(core::metric(read.reading.kernels.front().metrics, core::metrics::kWarpInstructions), 0)
        << name;
  }
}

TEST(Profiler, PlantedBottlenecksComeFirst) {
  int right = 0;
  for (const Planted& planted : suite()) {
    const auto& found = readings().at(planted.name).diagnosis;
    const bool first = !found.empty() && found.front().rule == planted.rule;
    right += first ? 1 : 0;
    if (first) continue;
    std::printf("%s: %s expected, %s found\n", planted.name.c_str(), planted.rule.c_str(),
                found.empty() ? "nothing" : found.front().rule.c_str());
  }
  EXPECT_GE(right, static_cast<int>(suite().size()) - 1);
}

TEST(Profiler, CostsLittleOnceItsProcessesAreUp) {
  for (const auto& [name, read] : readings()) {
    std::printf("%s %.0f ms\n", name.c_str(), read.ms);
    EXPECT_LE(read.ms, kMostMs) << name;
  }
}

/// The line of planted.cu where warps wait must be the one that was planted: that which needs the value, not
/// that which loads it (of one line where both are).
TEST(Profiler, SamplesAreOfTheLinesThatWait) {
  const std::map<std::string, std::string> words = {{"uncoalesced", "x[row * columns + column]"},
                                                    {"bank_conflicts", "((volatile float*)tile)"},
                                                    {"in_flight", "+ v;"},
                                                    {"atomics", "atomicAdd"},
                                                    {"barrier", "__syncthreads"}};
  for (const auto& [name, text] : words) {
    const auto& kernel = readings().at(name).reading.kernels.front();
    const auto hot = core::hot_lines(kernel, 3);
    const bool found = std::any_of(hot.begin(), hot.end(), [&](const core::HotLine& line) {
      return planted_line(line.line).find(text) != std::string::npos;
    });
    EXPECT_TRUE(found) << name << ": " << text << " is none of " << hot.size() << " lines"
                       << (hot.empty() ? "" : ", the first: " + planted_line(hot.front().line));
  }
}

/// Counts that the kernels' text says: what was counted is the work that was done.
TEST(Profiler, CountsAreThoseOfTheSource) {
  const auto metrics_of = [](const char* name) {
    return readings().at(name).reading.kernels.front().metrics;
  };
  const double bytes = static_cast<double>(kPlantedFloats) * 4;
  const auto dram = metrics_of("dram");
  EXPECT_DOUBLE_EQ(core::metric(dram, "smsp__sass_data_bytes_mem_global_op_ld.sum"), bytes);
  EXPECT_DOUBLE_EQ(core::metric(dram, "smsp__sass_data_bytes_mem_global_op_st.sum"), bytes);
  EXPECT_NEAR(core::metric(dram, "dram__bytes_read.sum"), bytes, 0.03 * bytes);
  EXPECT_DOUBLE_EQ(core::metric(metrics_of("uncoalesced"),
                                "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio"),
                   32);
  EXPECT_DOUBLE_EQ(core::metric(metrics_of("launch"), "launch__count"), 24);
}

}  // namespace
}  // namespace kgen::test
