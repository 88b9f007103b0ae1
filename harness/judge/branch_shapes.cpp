#include "harness/judge/branch_shapes.hpp"

#include <algorithm>
#include <set>

#include "harness/judge/plan_branches.hpp"
#include "harness/judge/run_case.hpp"
#include "harness/judge/shape_collection.hpp"
#include "harness/judge/smaller_shape.hpp"

namespace kgen::judge {
namespace {

constexpr int kDraws = 20000, kLeastDraws = 200;
constexpr std::size_t kManyVariants = 16;      ///< fewer draws where a plan has more
constexpr std::int64_t kSmallBytes = 1 << 20;  ///< what the sanitizers take without further thought
constexpr std::size_t kMostSmallest = 6;
constexpr std::size_t kMeetings = 3;  ///< of a branch, at other extents than the task's
constexpr const char* kForABranch = "for a branch of the plan";

/// What makes a compile of its own.
using ProgramKey = std::pair<std::vector<std::pair<std::string, std::int64_t>>, std::set<std::string>>;

ProgramKey program_key(const core::ResolvedPlan& resolved) {
  ProgramKey key{resolved.macros, {}};
  for (const auto& step : resolved.steps) {
    if (const auto* launch = std::get_if<core::ResolvedLaunch>(&step)) key.second.insert(launch->kernel);
  }
  return key;
}

/// How many shapes are drawn: each may have to look at all of the plan's variants.
int draws_of(const core::LaunchPlan& plan) {
  std::size_t variants = 1;
  for (const auto& [name, values] : plan.tunables) variants *= std::max<std::size_t>(1, values.size());
  return std::max(kLeastDraws, kDraws / static_cast<int>(1 + variants / kManyVariants));
}

class BranchSearch {
 public:
  BranchSearch(const core::LaunchPlan& plan, std::string_view source, const core::DeviceFacts& device,
               const std::vector<ShapeCase>& known, const ResolveAt& resolve, const ShapeBudget& budget,
               std::uint64_t seed)
      : branches_(plan),
        known_(known),
        resolve_(resolve),
        budget_(budget),
        from_(source, known.front().task),
        draws_(seed ^ 0x6272616e),
        most_draws_(draws_of(plan)),
        out_(plan, known.front().task, device, budget) {
    for (const ShapeCase& shape : known) out_.know(shape.task);
  }

  MadeShapes run() {
    add_smallest_of_programs();
    add_branches();
    return std::move(out_.made);
  }

 private:
  bool has_enough() const { return out_.count() >= static_cast<std::size_t>(budget_.branches); }

  std::optional<core::ResolvedPlan> resolved_at(const core::Dims& dims,
                                                const core::Attributes& attributes) const {
    const auto task = out_.legal(dims, attributes);
    return task && !is_empty(*task) ? resolve_(*task) : std::nullopt;
  }

  bool takes(const core::Dims& dims, const core::Attributes& attributes, const Branch& branch) const {
    const auto resolved = resolved_at(dims, attributes);
    return resolved && branches_.choices_of(*resolved).at(branch.first) == branch.second;
  }

  void add_smallest_of_programs() {
    std::map<ProgramKey, const ShapeCase*> smallest;
    for (const ShapeCase& shape : known_) {
      if (shape.resolved.steps.empty()) continue;
      const ShapeCase*& own = smallest[program_key(shape.resolved)];
      if (!own || buffer_bytes(shape) < buffer_bytes(*own)) own = &shape;
    }
    for (const auto& [key, shape] : smallest) {
      if (buffer_bytes(*shape) <= kSmallBytes || out_.count() >= kMostSmallest || has_enough()) continue;
      const core::Attributes& attributes = shape->task.attributes;
      const core::Dims dims =
          smallest_where(shape->task.dims, {}, from_, [&, &own_key = key](const core::Dims& at) {
            const auto resolved = resolved_at(at, attributes);
            return resolved && program_key(*resolved) == own_key;
          });
      add(dims, attributes, "the smallest of its program");
    }
  }

  /// The branches that may be taken: both sides of what shapes decide. Steps without a condition run wherever
  /// there is something to do, and what depends on the dtype alone is the same at all shapes.
  std::set<Branch> possible_branches() const {
    std::set<Branch> out;
    for (const ShapeCase& shape : known_) {
      for (const auto& [name, value] : branches_.choices_of(shape.resolved)) {
        if (out.contains({name, true}) || !branches_.is_decided_by_task(name, from_.task)) continue;
        out.insert({name, true});
        out.insert({name, false});
      }
    }
    return out;
  }

  /// How often each branch is still to be met where what decides is another than at the task: what is right
  /// at one extent, the task's own above all, may be wrong at others.
  std::map<Branch, int> meetings_missing() const {
    std::map<Branch, std::set<core::Dims>> met;
    for (const Branch& branch : possible_branches()) met[branch];
    for (const ShapeCase& shape : known_) {
      if (is_empty(shape.task)) continue;  // all steps are skipped
      for (const auto& branch : branches_.choices_of(shape.resolved)) {
        const auto one = met.find(branch);
        if (one == met.end() || one->second.size() >= kMeetings) continue;
        if (branches_.is_decided_elsewhere(branch.first, from_.task, shape.task))
          one->second.insert(branches_.deciding_dims(branch.first, shape.task));
      }
    }
    std::map<Branch, int> missing;
    for (const auto& [branch, dims] : met)
      if (dims.size() < kMeetings) missing[branch] = static_cast<int>(kMeetings - dims.size());
    return missing;
  }

  /// Those that only shapes take in which a dim is 1: a workspace laid out the wrong way round is laid out
  /// the right way there.
  std::set<Branch> thin_branches() const {
    std::set<Branch> out = possible_branches();
    for (const ShapeCase& shape : known_) {
      if (is_empty(shape.task) || !is_full(shape.task.dims)) continue;
      for (const auto& branch : branches_.choices_of(shape.resolved)) out.erase(branch);
    }
    return out;
  }

  std::int64_t drawn_extent(const std::string& dim) {
    switch (draws_.upto(4)) {
      case 0:
        return draws_.spread(1 << 20);
      case 1:
        return from_.constants.empty() ? draws_.spread(1 << 16) : draws_.beside(draws_.of(from_.constants));
      case 2:  // all alike, for what holds at one extent in hundreds
        return 1 + static_cast<std::int64_t>(draws_.upto(1 << 14));
      default:
        return draw_companion(draws_, from_, dim);
    }
  }

  void add_branches() {
    std::map<Branch, int> unseen = meetings_missing();
    std::set<Branch> thin = thin_branches();
    for (int draw = 0; draw < most_draws_ && !(unseen.empty() && thin.empty()) && !has_enough(); ++draw) {
      core::Dims dims;
      for (const auto& name : from_.task.op->dim_names) dims[name] = drawn_extent(name);
      const core::Attributes attributes = draw % 2 == 0 ? core::Attributes{} : draw_attributes(draws_, from_);
      const auto resolved = resolved_at(dims, attributes);
      if (!resolved) continue;
      for (const auto& [name, value] : branches_.choices_of(*resolved)) {
        const Branch branch{name, value};
        const auto left = unseen.find(branch);
        const bool is_new =
            left != unseen.end() &&
            branches_.is_decided_elsewhere(name, from_.task, out_.legal(dims, attributes).value());
        if (!is_new && !(thin.contains(branch) && is_full(dims))) continue;
        const bool is_first = !is_new || left->second == static_cast<int>(kMeetings);
        const bool at_smallest = is_first && add_at_branch(dims, attributes, branch);
        const bool added = (is_new && add_elsewhere(dims, attributes, branch)) || at_smallest;
        if (!added) continue;
        if (is_new && --left->second == 0) unseen.erase(left);
        if (is_full(dims)) thin.erase(branch);
      }
    }
  }

  /// Whether a shape takes the branch and is as full as `start`.
  ShapePredicate holds_from(const core::Dims& start, const core::Attributes& attributes,
                            const Branch& branch) const {
    return [this, attributes, branch, full = is_full(start)](const core::Dims& at) {
      return (!full || is_full(at)) && takes(at, attributes, branch);
    };
  }

  /// False: even the smallest that was found is too dear.
  bool add_at_branch(const core::Dims& start, const core::Attributes& attributes, const Branch& branch) {
    const auto holds = holds_from(start, attributes, branch);
    const core::Dims smallest = smallest_where(start, {}, from_, holds);
    const bool found = add(smallest, attributes, kForABranch);
    for (int attempt = 0; attempt < 20 && found && !has_enough(); ++attempt) {  // with the tails of tiles
      core::Dims larger = smallest;
      for (auto& [name, extent] : larger)
        if (draws_.upto(3) != 0) extent += 1 + static_cast<std::int64_t>(draws_.upto(31));
      if (holds(larger) && add(larger, attributes, kForABranch)) break;
    }
    return found;
  }

  /// At the drawn extent of each dim that the branch depends on, where that is not the task's own: what is
  /// right at one extent may be wrong at another. False: none was added.
  bool add_elsewhere(const core::Dims& start, const core::Attributes& attributes, const Branch& branch) {
    bool added = false;
    for (const auto& [name, extent] : start) {
      if (!branches_.depends_on(branch.first, name) || extent == from_.task.dims.at(name) || has_enough())
        continue;
      const auto holds = holds_from(start, attributes, branch);
      added = add(smallest_where(start, {name}, from_, holds), attributes, kForABranch) || added;
    }
    return added;
  }

  bool add(const core::Dims& dims, const core::Attributes& attributes, const char* why) {
    auto shape = out_.accept(dims, attributes, budget_.branch_cost);
    if (!shape) return false;
    const int distributions = whole_cost(*shape) <= budget_.branch_cost / 4 ? 3 : 2;
    out_.add(std::move(*shape), why, distributions);
    return true;
  }

  PlanBranches branches_;
  const std::vector<ShapeCase>& known_;
  const ResolveAt& resolve_;
  const ShapeBudget& budget_;
  ShapeSources from_;
  ShapeDraws draws_;
  int most_draws_;
  ShapeCollection out_;
};

}  // namespace

MadeShapes branch_shapes(const core::LaunchPlan& plan, std::string_view source,
                         const core::DeviceFacts& device, const std::vector<ShapeCase>& known,
                         const ResolveAt& resolve, const ShapeBudget& budget, std::uint64_t seed) {
  if (known.empty() || known.front().task.op->dim_names.empty()) return {};
  return BranchSearch(plan, source, device, known, resolve, budget, seed).run();
}

}  // namespace kgen::judge
