#include "harness/profile/profiler.hpp"

#include <algorithm>
#include <map>

#include "harness/profile/counted_launches.hpp"
#include "harness/run/messages.hpp"
#include "util/clock.hpp"
#include "util/json.hpp"

namespace kgen::profile {

using nlohmann::json;

namespace {

/// Asks one process of the pool; what went wrong as a gap.
json ask(run::RunPool& pool, const ProfileJob& job, const std::string& what, ProfileReading& out) {
  const auto gap = [&](std::string why, std::string advice) {
    out.gaps.push_back({what, std::move(why), std::move(advice)});
    return json::object();
  };
  const util::Stopwatch watch;
  const auto stamp = [&](const char* step) {
    out.diary.push_back(what + ": " + step + " after " + std::to_string(watch.elapsed_ms()) + " ms");
  };
  auto process = pool.acquire();
  stamp("a process");
  if (!process) return gap(process.error().message, process.error().hint);
  const auto asked = [&]() -> run::RunResult<json> {
    KGEN_CHECK(process->load(job.cubin, job.kernels, job.limit));
    KGEN_CHECK(process->map(0, job.buffers));
    stamp("loaded and mapped");
    return process->ask({{"call", "profile"},
                         {"set", 0},
                         {"sequence", run::to_json(job.sequence)},
                         {"restore", job.restore},
                         {"flush_bytes", job.flush_bytes}},
                        job.limit);
  }();
  stamp("the answer");
  if (!asked) return gap("under the profiler: " + asked.error().message, "");
  for (const json& line : asked->value("diary", json::array()))
    out.diary.push_back(what + ": " + line.get<std::string>());
  if (asked->contains("problem")) {
    const json& problem = asked->at("problem");
    (void)gap(problem.at("message").get<std::string>(), problem.at("hint").get<std::string>());
  }
  return *asked;
}

/// The plan's name of a kernel.
std::string plan_name(const ProfileJob& job, const std::string& lowered) {
  const auto found = std::find_if(job.kernels.begin(), job.kernels.end(),
                                  [&](const auto& kernel) { return kernel.lowered_name == lowered; });
  return found == job.kernels.end() ? lowered : found->name;
}

/// Grid and block under Nsight Compute's names.
void add_launch(const run::LaunchKernel& launch, core::Metrics& metrics) {
  const auto volume = [](const auto& v) { return static_cast<double>(v[0] * v[1] * v[2]); };
  metrics["launch__grid_size"] = volume(launch.grid);
  metrics["launch__block_size"] = volume(launch.block);
  metrics["launch__shared_mem_per_block_dynamic"] = static_cast<double>(launch.dynamic_shared_bytes);
}

/// Passes are executions of their own, so that where little was asked of a cache its hits can outnumber its
/// requests: such a rate is not available.
void drop_impossible_rates(core::KernelProfile& kernel, std::vector<std::string>& not_available) {
  for (const char* rate : {"lts__t_sector_hit_rate.pct", "l1tex__t_sector_hit_rate.pct"}) {
    const auto found = kernel.metrics.find(rate);
    if (found == kernel.metrics.end() || found->second <= 100) continue;
    kernel.metrics.erase(found);
    not_available.push_back(std::string(rate) + " of " + kernel.kernel);
  }
}

/// One entry a kernel: its launches merged, those that were counted standing for all (counted_launches).
void add_counters(const ProfileJob& job, const json& answer, ProfileReading& out) {
  out.not_available = answer.value("not_available", std::vector<std::string>{});
  std::map<std::string, std::vector<core::Metrics>> launches;
  std::map<std::string, std::size_t> number_of;
  std::vector<std::string> order;
  const std::vector<bool> is_counted = counted_launches(job.sequence);
  const json counted = answer.value("launches", json::array());
  for (std::size_t step = 0; step < job.sequence.steps.size(); ++step) {
    const auto* launch = std::get_if<run::LaunchKernel>(&job.sequence.steps[step]);
    if (launch == nullptr) continue;
    if (number_of[launch->lowered_name]++ == 0) order.push_back(launch->lowered_name);
    if (!is_counted[step]) continue;
    core::Metrics metrics;
    for (const json& one : counted) {
      if (one.at("step").get<std::size_t>() == step) metrics = one.at("metrics").get<core::Metrics>();
    }
    add_launch(*launch, metrics);
    launches[launch->lowered_name].push_back(std::move(metrics));
  }
  for (const std::string& lowered : order) {
    const std::size_t number = number_of[lowered];
    core::KernelProfile kernel{plan_name(job, lowered), core::merge_launches(launches[lowered], number), {}};
    kernel.metrics["launch__count"] = static_cast<double>(number);
    drop_impossible_rates(kernel, out.not_available);
    out.kernels.push_back(std::move(kernel));
  }
}

void add_lines(const ProfileJob& job, const json& answer, ProfileReading& out) {
  for (const json& line : answer.value("lines", json::array())) {
    const std::string name = plan_name(job, line.at("kernel").get<std::string>());
    const auto kernel =
        std::find_if(out.kernels.begin(), out.kernels.end(), [&](const auto& k) { return k.kernel == name; });
    if (kernel == out.kernels.end()) continue;
    core::LineProfile one{line.at("line").get<int>(), line.at("metrics").get<core::Metrics>()};
    for (const auto& [reason, count] : one.metrics) kernel->metrics[reason] += count;
    kernel->lines.push_back(std::move(one));
  }
}

}  // namespace

Result<Profiler> Profiler::create(const run::RunOptions& options) {
  run::RunOptions counting = options, sampling = options;
  if (counting.profile.empty()) counting.profile = "counters";
  sampling.profile = "samples";
  KGEN_TRY(auto counters, run::RunPool::create(std::move(counting), 1));
  KGEN_TRY(auto samples, run::RunPool::create(std::move(sampling), 1));
  return Profiler(std::move(counters), std::move(samples));
}

ProfileReading Profiler::profile(const ProfileJob& job) {
  ProfileReading out;
  try {
    add_counters(job, ask(counters_, job, "counters", out), out);
    add_lines(job, ask(samples_, job, "stalls by line", out), out);
  } catch (const json::exception& e) {
    out.gaps.push_back({"profile", std::string("the profile process answered nonsense: ") + e.what(), ""});
  }
  return out;
}

Status Profiler::refill() {
  KGEN_CHECK(counters_.refill());
  return samples_.refill();
}

Status Profiler::settle() {
  KGEN_CHECK(counters_.settle());
  return samples_.settle();
}

}  // namespace kgen::profile
