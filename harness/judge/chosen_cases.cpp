#include "harness/judge/chosen_cases.hpp"

#include <algorithm>

#include "harness/judge/branches_run_whole.hpp"
#include "harness/judge/check_summary.hpp"
#include "harness/judge/emulated_work.hpp"
#include "harness/judge/few_rows.hpp"
#include "harness/judge/run_case.hpp"
#include "util/text.hpp"

namespace kgen::judge {
namespace {

using core::Check;

/// Known-good kernels keep fewer shapes than this from being run by how many threads they start.
constexpr std::size_t kMostShutOut = 8;

/// Elements of a shape, or threads where those are more; but special values are left out for a shape's
/// elements alone, not for a grid that a candidate chose. One aside is run once whatever the grid,
/// and has no share of the distributions that larger shapes divide among them.
std::int64_t work_of(const ShapeCase& shape) {
  if (shape.is_aside) return kEmulatedOnce;
  const std::int64_t threads = threads_of(shape);
  return std::max(emulated_elements(shape.task),
                  threads <= kEmulatedOnce ? std::min(threads, kEmulatedInPart) : threads);
}

/// Of the shapes that the candidate's grids alone keep from being run one is run all the same, drawn by the
/// seed, and all of them where they are many: else a candidate could choose what it is not judged at.
void let_in(Session& session, std::vector<std::int64_t>& work) {
  std::vector<std::size_t> shut_out;
  for (std::size_t i = 1; i < work.size(); ++i) {
    if (is_shut_out(session.shapes[i])) shut_out.push_back(i);
  }
  if (shut_out.empty()) return;
  const std::size_t drawn = below(mix64(session.request.seed + 151), shut_out.size());
  for (std::size_t i = 0; i < shut_out.size(); ++i)
    if (i == drawn || shut_out.size() > kMostShutOut) work[shut_out[i]] = kEmulatedOnce;
}

/// Names the branches of the plan that not every distribution meets.
void say_not_whole(Session& session, const std::vector<Branch>& left_out) {
  if (left_out.empty())
    return add_state_check(session, Check::State::passed, "branch_values",
                           "each side of the plan's choices that a shape takes meets every distribution");
  std::vector<std::string> branches;
  for (const Branch& branch : left_out) branches.push_back(branch_text(branch));
  add_state_check(session, Check::State::skipped, "branch_values",
                  "met by some distributions alone, since the shapes there are too large for all: " +
                      util::join(branches));
}

/// Says what the emulator leaves out of the cases.
void say_left_out(Session& session, const std::vector<CheckCase>& all, const std::vector<CheckCase>& kept) {
  if (kept.size() == all.size()) return;
  std::string shapes;
  for (std::size_t shape = 0; shape < session.shapes.size(); ++shape) {
    const auto of_shape = [&](const CheckCase& one) { return one.shape == shape; };
    if (std::none_of(all.begin(), all.end(), of_shape) || std::any_of(kept.begin(), kept.end(), of_shape))
      continue;
    shapes += (shapes.empty() ? "; too large to be run at all: " : ", ") +
              shape_text(session, session.shapes[shape].task);
  }
  add_state_check(session, Check::State::skipped, "emulated",
                  "the emulator has time for " + std::to_string(kept.size()) + " of " +
                      std::to_string(all.size()) + " pairs of shape and distribution" + shapes +
                      "; a GPU runs all");
}

/// How often each distribution is drawn where it is met, but for the task's own shape: on a GPU, as the
/// emulator would take too long.
std::map<std::size_t, int> draws_of_shapes(const Session& session, const std::set<std::size_t>& whole) {
  std::map<std::size_t, int> out;
  if (session.is_emulated()) return out;
  const OracleCostModel oracle(*session.request.task.op);
  for (std::size_t i = 1; i < session.shapes.size(); ++i) {
    if (!session.shapes[i].made.empty() && !whole.contains(i)) continue;
    const int draws = draws_of(session.shapes[i].task, session.workplace.facts, oracle);
    if (draws > 1) out[i] = draws;
  }
  return out;
}

}  // namespace

bool is_shut_out(const ShapeCase& shape) {
  return threads_of(shape) > kEmulatedOnce && emulated_elements(shape.task) <= kEmulatedOnce &&
         !shape.is_aside;
}

std::vector<CheckCase> chosen_cases(Session& session) {
  const core::Op& op = *session.request.task.op;
  const core::Tier tier = session.request.tier;
  ShapeCounts counts = count_shapes(session);
  std::vector<std::int64_t> work;
  if (session.is_emulated()) {
    for (const ShapeCase& shape : session.shapes) work.push_back(work_of(shape));
  }
  if (tier == core::Tier::promotion) {
    auto whole = branches_run_whole(session.plan, session.shapes, work, session.workplace.facts.kind);
    say_not_whole(session, whole.left_out);
    counts.whole = std::move(whole.shapes);
    counts.draws = draws_of_shapes(session, counts.whole);
  }
  auto cases = check_cases(op, counts, tier, session.request.seed);
  if (!session.is_emulated()) return cases;
  let_in(session, work);
  for (const std::size_t shape : counts.whole) work[shape] = std::min(work[shape], kEmulatedWhole);
  auto kept = emulated_cases(cases, op, work, session.request.seed);
  say_left_out(session, cases, kept);
  return kept;
}

bool is_run_whole(const Session& session, const ShapeCase& shape) {
  return !session.is_emulated() || work_of(shape) <= kEmulatedWhole;
}

bool has_failed_enough(const Session& session) {
  const std::int64_t enough = session.is_emulated() ? 4 : 128;
  const auto has_failed = [](const Check& check) { return check.state == Check::State::failed; };
  return std::ranges::count_if(session.evaluation.checks, has_failed) >= enough;
}

}  // namespace kgen::judge
