#include "agent/search.hpp"

#include <algorithm>
#include <optional>
#include <sstream>

#include "agent/ranking.hpp"

namespace kgen::agent {
namespace {

using core::CandidateState;
using core::DeviceKind;
using core::Purpose;
using core::RunState;
using core::Verdict;
using Phase = core::CandidateState::Phase;

constexpr int kStuck = 2;
constexpr double kHopeless = 4;  ///< times as slow as the best: not swept

const CandidateState* first_in(const RunState& state, Phase phase) {
  for (const CandidateState& candidate : state.candidates) {
    if (candidate.phase == phase) return &candidate;
  }
  return nullptr;
}

int count_in(const RunState& state, Phase phase) {
  return static_cast<int>(std::count_if(state.candidates.begin(), state.candidates.end(),
                                        [&](const CandidateState& c) { return c.phase == phase; }));
}

int children(const RunState& state, int parent, Purpose purpose) {
  return static_cast<int>(
      std::count_if(state.candidates.begin(), state.candidates.end(),
                    [&](const CandidateState& c) { return c.parent == parent && c.purpose == purpose; }));
}

int plans(const RunState& state) {
  return children(state, 0, Purpose::plan);
}

/// Repairs in a row that end at `candidate`.
int repairs_up_to(const RunState& state, const CandidateState& candidate) {
  int turns = 0;
  const CandidateState* at = &candidate;
  while (at != nullptr && at->purpose == Purpose::repair && at->parent < at->number) {
    ++turns;
    at = state.find(at->parent);
  }
  return turns;
}

bool failed(const CandidateState& candidate) {
  return candidate.phase == Phase::judged && candidate.screen && !is_correct(candidate) &&
         candidate.screen->verdict != Verdict::not_run;
}

/// The newest failure with turns left. A refusal is not argued with: the next exploration differs instead.
const CandidateState* to_repair(const RunState& state) {
  const int limit = ranked(state).empty() ? state.search.repairs : std::min(state.search.repairs, 1);
  for (auto it = state.candidates.rbegin(); it != state.candidates.rend(); ++it) {
    if (!failed(*it) || it->screen->kind == "refusal") continue;
    if (children(state, it->number, Purpose::repair) > 0) continue;
    if (repairs_up_to(state, *it) < limit) return &*it;
  }
  return nullptr;
}

AskNew choose_ask(const RunState& state) {
  if (plans(state) < exploration_size(state.search)) return {Purpose::plan, 0, plans(state)};
  if (const CandidateState* candidate = to_repair(state)) return {Purpose::repair, candidate->number, 0};
  const auto correct = ranked(state);
  if (correct.empty()) return {Purpose::plan, 0, plans(state)};
  // Two refinements in vain: one plan of its own before the next, in case this one is at its end.
  if (without_progress(state) == kStuck && state.candidates.back().purpose == Purpose::refine)
    return {Purpose::plan, 0, plans(state)};
  const int best = correct.front()->number;
  return {Purpose::refine, best, children(state, best, Purpose::refine)};
}

/// Why the search is over whatever is left to spend; "" where it is not.
std::string goal_reached(const RunState& state) {
  switch (state.device.kind) {
    case DeviceKind::none:
      return first_compiled(state) != nullptr ? "compiled; not run" : "";
    case DeviceKind::emulator:
      return best_promoted(state) != nullptr ? "correct on the emulator" : "";
    case DeviceKind::cuda:
      break;
  }
  const CandidateState* best = best_promoted(state);
  return best != nullptr && meets(state.search.target, *best->promotion) ? "target met" : "";
}

std::string no_more_asks(const RunState& state) {
  if (std::string reason = goal_reached(state); !reason.empty()) return reason;
  if (std::string reason = spent_budget(state); !reason.empty()) return reason;
  if (without_progress(state) >= state.search.plateau) {
    return "plateau: the last " + std::to_string(without_progress(state)) +
           " candidates were no faster than the best";
  }
  return "";
}

std::string amount(double value, const char* unit) {
  std::ostringstream text;
  text << "budget: " << value << " " << unit;
  return text.str();
}

/// What is spent other than candidates: it ends even a call that was begun before.
std::string spent_money(const RunState& state) {
  const core::Budget& budget = state.search.budget;
  const core::Spend& spent = state.ledger.total;
  if (state.replies_exhausted) return "the transcript has no further reply";
  if (budget.tokens && spent.input_tokens + spent.output_tokens >= *budget.tokens)
    return amount(static_cast<double>(*budget.tokens), "tokens");
  if (budget.dollars && spent.cost_usd.value_or(0) >= *budget.dollars)
    return amount(*budget.dollars, "dollars");
  if (budget.minutes && state.active_s >= *budget.minutes * 60) return amount(*budget.minutes, "minutes");
  return "";
}

/// A correct candidate whose variants are still to be timed. One far behind the best has no variant that
/// would win.
const CandidateState* due_for_sweep(const RunState& state) {
  if (state.device.kind != DeviceKind::cuda || state.search.variants < 2) return nullptr;
  if (state.search.budget.minutes && state.active_s >= *state.search.budget.minutes * 60) return nullptr;
  const auto correct = ranked(state);
  if (correct.empty() || !standing(*correct.front())->time) return nullptr;
  const double limit_us = kHopeless * standing(*correct.front())->time->median_us;
  for (const CandidateState* candidate : correct) {
    const bool open = !candidate->promotion && !candidate->swept && candidate->variants >= 2;
    if (open && candidate->screen->time && candidate->screen->time->median_us <= limit_us) return candidate;
  }
  return nullptr;
}

/// A candidate whose screen reaches what the run wants, to be promoted at once.
const CandidateState* promising(const RunState& state) {
  const CandidateState* due = due_for_promotion(state);
  if (due == nullptr || !goal_reached(state).empty()) return nullptr;
  const bool wanted =
      state.device.kind == DeviceKind::emulator || (due->screen && meets(state.search.target, *due->screen));
  return wanted ? due : nullptr;
}

}  // namespace

int exploration_size(const core::SearchOptions& options) {
  return std::max(1, std::min(options.explore, (options.budget.candidates + 1) / 2));
}

std::string spent_budget(const RunState& state) {
  const int most = state.search.budget.candidates;
  if (static_cast<int>(state.candidates.size()) >= most)
    return amount(most, most == 1 ? "candidate" : "candidates");
  return spent_money(state);
}

int without_progress(const RunState& state) {
  const auto correct = ranked(state);
  if (correct.empty()) return 0;
  const int best = correct.front()->number;
  return static_cast<int>(
      std::count_if(state.candidates.begin(), state.candidates.end(), [&](const CandidateState& candidate) {
        return candidate.number > best && candidate.phase == Phase::judged &&
               candidate.purpose == Purpose::refine;
      }));
}

SearchStep next_step(const RunState& state) {
  const bool timed = state.device.kind == DeviceKind::cuda;
  if (timed && !state.baselines) return MeasureBaselines{};

  const int asking = count_in(state, Phase::asking);
  const int places = std::max(1, state.search.parallel) - asking;
  const bool done = !goal_reached(state).empty();
  const CandidateState* open = first_in(state, Phase::asking);
  if (open != nullptr && !open->paid)
    return AwaitReply{};  // its answer is there at once: look before asking more
  if (places > 0) {
    if (const auto* candidate = first_in(state, Phase::cut)) return ContinueReply{candidate->number};
    const auto* candidate = first_in(state, Phase::to_ask);
    if (candidate != nullptr && !done && (!candidate->paid || spent_money(state).empty()))
      return AskAgain{candidate->number};
  }
  if (const auto* candidate = first_in(state, Phase::replied)) return Screen{candidate->number};
  if (const auto* candidate = due_for_sweep(state)) return SweepVariants{candidate->number};
  if (const auto* candidate = promising(state)) return Promote{candidate->number};

  const int waiting = count_in(state, Phase::waiting);
  const std::string stop = no_more_asks(state);
  if (stop.empty() && waiting < places) return choose_ask(state);
  if (asking > 0) return AwaitReply{};
  if (waiting > 0 && !done) return StopWaiting{};
  if (const auto* candidate = due_for_promotion(state); candidate != nullptr && !done)
    return Promote{candidate->number};
  return Finish{stop};
}

}  // namespace kgen::agent
