#include <algorithm>
#include <cmath>

#include "core/diagnosis_evidence.hpp"

namespace kgen::core::rules {
namespace {

/// What a launch costs beside its work: an empty kernel takes 3.1 to 3.2 us between events, nothing 1.3 us
/// (docs/measured-h200.md, "What times what").
constexpr double kLaunchUs = 1.9;

/// Which resource allows the fewest blocks, and what one more block would ask for.
std::string limit_text(const Evidence& e) {
  struct Limit {
    std::string_view metric, name;
  };
  constexpr Limit kLimits[] = {{"launch__occupancy_limit_registers", "registers"},
                               {"launch__occupancy_limit_shared_mem", "shared memory"},
                               {"launch__occupancy_limit_warps", "threads"},
                               {"launch__occupancy_limit_blocks", "blocks"}};
  const Limit* tightest = nullptr;
  for (const Limit& limit : kLimits) {
    const auto value = e.get(limit.metric);
    if (value && (tightest == nullptr || *value < *e.get(tightest->metric))) tightest = &limit;
  }
  if (tightest == nullptr) return "";
  const double blocks = *e.get(tightest->metric);
  std::string text = ", limited by " + std::string(tightest->name);
  if (tightest->name == "registers") {
    text += ": at " + figure(e.sum({"launch__registers_per_thread"})) + " registers " + figure(blocks) +
            " blocks fit";
    const auto next = e.get("launch__registers_for_one_more_block");
    if (next && *next > 0) text += "; " + figure(*next) + " would fit " + figure(blocks + 1);
  } else if (tightest->name == "shared memory") {
    text += ": with " +
            figure(e.sum({"launch__shared_mem_per_block_static", "launch__shared_mem_per_block_dynamic"})) +
            " bytes " + figure(blocks) + " blocks fit";
    const auto next = e.get("launch__shared_mem_for_one_more_block");
    if (next && *next > 0) text += "; " + figure(*next) + " would fit " + figure(blocks + 1);
  }
  return text;
}

}  // namespace

std::optional<Diagnosis> occupancy(const Evidence& e) {
  const auto possible = e.share("sm__maximum_warps_per_active_cycle_pct");
  if (!e.timed() || !possible || *possible > 0.5) return std::nullopt;
  const double waves = e.get("launch__waves_per_multiprocessor").value_or(1);
  const double waiting = e.stalled({"long_scoreboard", "short_scoreboard", "wait", "barrier", "lg_throttle"});
  if (waves < 0.9 || waiting < 0.3 || e.use() > 0.8) return std::nullopt;
  return e.say(
      "occupancy", (1 - *possible) * waiting * (1 - e.use()) * e.balance(),
      "at most " + percent(*possible) + " of a multiprocessor's warps fit" + limit_text(e) +
          "; those that run wait " + percent(waiting) + " of the time",
      e.lines({"long_scoreboard", "short_scoreboard", "wait"}),
      "use less of what limits, or let each thread have more independent work in flight: both hide latency");
}

std::optional<Diagnosis> small_grid(const Evidence& e) {
  const auto grid = e.get("launch__grid_size");
  const auto sms = e.get("device__attribute_multiprocessor_count");
  const double launches = std::max(1.0, e.get("launch__count").value_or(1));
  if (!e.timed() || !grid || !sms || *grid >= *sms) return std::nullopt;
  if (e.duration_us() / launches < 2 * kLaunchUs) return std::nullopt;  // launch_bound says it
  return e.say(
      "small_grid", 1 - *grid / *sms,
      figure(*grid) + " blocks leave " + figure(*sms - *grid) + " of " + figure(*sms) +
          " multiprocessors idle",
      {},
      "split the work into more blocks: along the reduction (split-K, partial results and a second step), or "
      "smaller tiles");
}

std::optional<Diagnosis> tail_effect(const Evidence& e) {
  const auto waves = e.get("launch__waves_per_multiprocessor");
  const auto grid = e.get("launch__grid_size");
  const auto sms = e.get("device__attribute_multiprocessor_count");
  if (!e.timed() || !waves) return std::nullopt;
  if (grid && sms && *grid < *sms) return std::nullopt;  // small_grid says it
  const double idle = 1 - e.balance();
  if (idle < 0.1) return std::nullopt;
  return e.say("tail_effect", idle,
               "multiprocessors are busy " + percent(1 - idle) + " as long as the busiest: the grid is " +
                   figure(*waves) + " waves of blocks, or blocks differ in work",
               {},
               "make the number of blocks a multiple of what fits at once, use smaller blocks or a "
               "persistent loop over "
               "tiles (grid = multiprocessors x blocks that fit), start long blocks first");
}

std::optional<Diagnosis> launch_bound(const Evidence& e) {
  const double launches = std::max(1.0, e.get("launch__count").value_or(1));
  if (!e.timed() || e.duration_us() <= 0) return std::nullopt;
  const double each = e.duration_us() / launches;
  if (each > 3 * kLaunchUs) return std::nullopt;
  // A short kernel is mostly its own start and end too.
  return e.say("launch_bound", launches * kLaunchUs / (launches * kLaunchUs + 0.5 * e.duration_us()),
               figure(launches) + (launches > 1 ? " launches of " : " launch of ") + figure(each) +
                   " us each: starting and ending them takes about as long as their work",
               {},
               "do it in fewer launches: fuse the steps, loop inside the kernel, let the last block finish a "
               "reduction");
}

}  // namespace kgen::core::rules
