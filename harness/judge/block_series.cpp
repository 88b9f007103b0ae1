#include "harness/judge/block_series.hpp"

#include <algorithm>
#include <cmath>

#include "harness/judge/median.hpp"

namespace kgen::judge {
namespace {

double median_of(std::vector<double> values) {
  return median_interval(std::move(values)).median_us;
}

/// Fisher-Yates by our own generator: a seed in the record gives the same order again.
void shuffle(std::vector<int>& order, U64 key) {
  for (std::size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[below(random_bits(key, i, 0), i)]);
}

/// What was measured of it before counts for nothing: a baseline that fails is not one to compare with.
void leave_out(TimedSubject& subject, const Error& error) {
  subject.why_stopped = "failed while being timed: " + error.message;
  subject.samples.clear();
  subject.ratios.clear();
}

/// One round; samples of each subject in it.
Result<std::vector<std::vector<double>>> time_round(std::vector<TimedSubject>& subjects,
                                                    run::TimeBlock& block, U64 key, int round) {
  std::vector<std::vector<double>> samples(subjects.size());
  const std::size_t n = subjects.size();
  for (std::size_t step = 0; step < 2 * n; ++step) {
    const std::size_t s = step < n ? step : 2 * n - 1 - step;
    if (round >= subjects[s].most_rounds || !subjects[s].why_stopped.empty()) continue;
    shuffle(block.order, mix64(key + step));
    const auto times = subjects[s].time(block);
    if (!times && s == 0) return tl::unexpected(times.error());
    if (!times) {
      leave_out(subjects[s], times.error());
      samples[s].clear();
      continue;
    }
    samples[s].insert(samples[s].end(), times->begin(), times->end());
  }
  return samples;
}

bool is_tight(const std::vector<TimedSubject>& subjects, double tight) {
  return relative_half_width(median_interval(subjects.front().samples)) <= tight &&
         std::all_of(subjects.begin() + 1, subjects.end(), [&](const TimedSubject& s) {
           return !s.why_stopped.empty() || relative_half_width(median_interval(s.samples)) <= 2 * tight ||
                  s.samples.size() >= 64;
         });
}

}  // namespace

Result<int> time_in_rounds(std::vector<TimedSubject>& subjects, run::TimeBlock block, std::uint64_t seed,
                           const SeriesLimits& limits, const std::function<double()>& now_ms,
                           const std::function<Status()>& after_round) {
  const double start = now_ms();
  double longest = 0;
  for (int round = 0;; ++round) {
    const double begin = now_ms();
    const bool enough = round >= limits.least_rounds;
    if (round > 0 && begin - start + longest > limits.budget_ms) return round;
    if (enough && is_tight(subjects, limits.tight)) return round;
    KGEN_TRY(auto samples, time_round(subjects, block, random_bits(seed, static_cast<U64>(round), 0), round));
    for (std::size_t s = 0; s < subjects.size(); ++s) {
      subjects[s].samples.insert(subjects[s].samples.end(), samples[s].begin(), samples[s].end());
      if (s > 0 && !samples[s].empty()) {
        subjects[s].ratios.push_back(median_of(samples[s]) / median_of(samples[0]));
      }
    }
    longest = std::max(longest, now_ms() - begin);
    KGEN_CHECK(after_round());
    if (median_interval(subjects[0].samples).low_us > limits.hopeless_above_us) return round + 1;
  }
}

void describe_baseline(const TimedSubject& subject, core::BaselineTiming& timing) {
  if (!subject.why_stopped.empty()) timing.why_missing = subject.why_stopped;
  if (subject.samples.empty()) return;
  timing.time = widened(median_interval(subject.samples), kProcessSpread);
  // Two processes have their part in a ratio, independent of each other.
  const auto ratios = widened(median_interval(subject.ratios), std::sqrt(2.0) * kProcessSpread);
  timing.speedup = ratios.median_us;
  timing.speedup_low = ratios.low_us;
  timing.speedup_high = ratios.high_us;
}

}  // namespace kgen::judge
