#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "core/diagnosis.hpp"
#include "util/json.hpp"

namespace kgen::core {
namespace {

/// Counters of tests/gpu/kernels/planted.cu as an H200 gave them on 2026-11-22 (what rules read of
/// them). The ranges of that day held the host's wait as well: the rules must see through it.
nlohmann::json recorded() {
  std::ifstream file(std::string(KGEN_SOURCE_DIR) + "/tests/unit/core/recorded/h200_planted.json");
  return nlohmann::json::parse(file);
}

Profile profile_of(const std::string& name, const nlohmann::json& metrics) {
  Profile out;
  out.source = "CUPTI";
  out.kernels.push_back({"planted_" + name, metrics.get<Metrics>(), {}});
  // The product of 2048 x 2048 halves, at about what an H200's tensor cores reach.
  if (name == "tensor_idle") {
    out.task.product_flops = 2.0 * 2048 * 2048 * 2048;
    out.task.tensor_flops_per_s = 600e12;
  }
  return out;
}

/// What stands in the way of each. `tail` was then one wave of eight full blocks a multiprocessor and a block
/// more: its FMA pipe was busy 91% of a time of which the last block was 11%, so the pipe is the right
/// answer. (The plant has been changed since.)
const std::map<std::string, std::string>& causes() {
  static const std::map<std::string, std::string> all = {
      {"dram", "dram_bound"},       {"uncoalesced", "uncoalesced"},   {"bank_conflicts", "bank_conflicts"},
      {"occupancy", "occupancy"},   {"tensor_idle", "tensor_idle"},   {"tail", "pipe_bound"},
      {"launch", "launch_bound"},   {"barrier", "barrier_bound"},     {"local", "local_memory"},
      {"divergence", "divergence"}, {"in_flight", "bytes_in_flight"}, {"dependent_math", "latency_bound"},
      {"fp64", "pipe_bound"},       {"atomics", "atomics"},
  };
  return all;
}

TEST(RecordedProfiles, TheHeaviestCauseIsTheRightOne) {
  const nlohmann::json all = recorded();
  ASSERT_EQ(all.size(), causes().size());
  for (const auto& [name, metrics] : all.items()) {
    const auto found = diagnose(profile_of(name, metrics));
    ASSERT_FALSE(found.empty()) << name;
    EXPECT_EQ(found.front().rule, causes().at(name)) << name;
  }
}

/// A second cause that weighs about as much would make the first a matter of luck.
TEST(RecordedProfiles, NoOtherCauseComesNear) {
  const nlohmann::json all = recorded();
  for (const auto& [name, metrics] : all.items()) {
    const auto found = diagnose(profile_of(name, metrics));
    if (found.size() > 1 && name != "tail") {
      EXPECT_LT(found[1].weight, 0.7 * found[0].weight) << name << ": " << found[1].rule;
    }
  }
}

TEST(RecordedProfiles, ATimeIsTheKernelsOwn) {
  const nlohmann::json all = recorded();
  // 24 launches of 0.4 us, each in a range of 29 us; and a copy of 512 MiB that DRAM moves at 73% of its peak
  // in 141 us, in a range of 237.
  EXPECT_NE(diagnose(profile_of("launch", all.at("launch"))).front().what.find("24 launches of 0.406 us"),
            std::string::npos);
  EXPECT_NE(diagnose(profile_of("dram", all.at("dram"))).front().what.find("73% of its peak"),
            std::string::npos);
}

}  // namespace
}  // namespace kgen::core
