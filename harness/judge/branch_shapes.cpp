#include "harness/judge/branch_shapes.hpp"

#include <algorithm>
#include <set>

#include "harness/judge/run_case.hpp"
#include "harness/judge/shape_collection.hpp"
#include "harness/judge/smaller_shape.hpp"

namespace kgen::judge {
namespace {

constexpr int kDraws = 3000;
constexpr std::int64_t kSmallBytes = 1 << 20;  ///< what the sanitizers take without further thought
constexpr std::size_t kMostSmallest = 6;

using Branch = std::pair<std::string, bool>;
/// What makes a compile of its own.
using ProgramKey = std::pair<std::vector<std::pair<std::string, std::int64_t>>, std::set<std::string>>;

bool compares(const util::Expr& expr) {
  return expr.text().find_first_of("<>=!&|?%") != std::string::npos;
}

/// Steps, macros and conditions, each with the way it goes.
std::map<std::string, bool> choices_of(const core::LaunchPlan& plan, const core::ResolvedPlan& resolved) {
  auto out = branches_of(plan, resolved);
  for (std::size_t i = 0; i < resolved.conditions.size(); ++i)
    out["condition " + plan.conditions[i].text()] = resolved.conditions[i];
  return out;
}

/// Whether no dim is so short that places of different dims fall together.
bool is_full(const core::Dims& dims) {
  return std::ranges::all_of(dims, [](const auto& dim) { return dim.second >= 2; });
}

ProgramKey program_key(const core::ResolvedPlan& resolved) {
  ProgramKey key{resolved.macros, {}};
  for (const auto& step : resolved.steps) {
    if (const auto* launch = std::get_if<core::ResolvedLaunch>(&step)) key.second.insert(launch->kernel);
  }
  return key;
}

class BranchSearch {
 public:
  BranchSearch(const core::LaunchPlan& plan, std::string_view source, const core::DeviceFacts& device,
               const std::vector<ShapeCase>& known, const ResolveAt& resolve, const ShapeBudget& budget,
               std::uint64_t seed)
      : plan_(plan),
        known_(known),
        resolve_(resolve),
        budget_(budget),
        from_(source, known.front().task),
        draws_(seed ^ 0x6272616e),
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
    return resolved && choices_of(plan_, *resolved).at(branch.first) == branch.second;
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

  /// Of the branches that may be taken those that no shape takes, or none that `counts`.
  template <class Predicate>
  std::set<Branch> branches_without(const Predicate& counts) const {
    std::set<Branch> left;
    for (const ShapeCase& shape : known_) {
      for (const auto& [name, value] : choices_of(plan_, shape.resolved)) {
        left.insert({name, true});
        left.insert({name, false});
      }
    }
    for (const ShapeCase& shape : known_) {
      if (is_empty(shape.task) || !counts(shape)) continue;  // where it is empty all steps are skipped
      for (const auto& branch : choices_of(plan_, shape.resolved)) left.erase(branch);
    }
    std::erase_if(left, [&](const Branch& branch) { return !may_change(branch.first); });
    return left;
  }

  /// Steps without a condition run wherever there is something to do.
  bool may_change(const std::string& name) const {
    for (std::size_t i = 0; i < plan_.launches.size(); ++i) {
      if (name != "step " + std::to_string(i)) continue;
      return std::visit([](const auto& step) { return step.when.has_value(); }, plan_.launches[i]);
    }
    return true;
  }

  std::int64_t drawn_extent(const std::string& dim) {
    switch (draws_.upto(4)) {
      case 0:
        return draws_.spread(1 << 20);
      case 1:
        return from_.constants.empty() ? draws_.spread(1 << 16) : draws_.beside(draws_.of(from_.constants));
      default:
        return draw_companion(draws_, from_, dim);
    }
  }

  void add_branches() {
    std::set<Branch> unseen = branches_without([](const ShapeCase&) { return true; });
    // Where one dim is 1, a workspace laid out the wrong way round is laid out the right way.
    std::set<Branch> thin = branches_without([](const ShapeCase& shape) { return is_full(shape.task.dims); });
    for (int draw = 0; draw < kDraws && !(unseen.empty() && thin.empty()) && !has_enough(); ++draw) {
      core::Dims dims;
      for (const auto& name : from_.task.op->dim_names) dims[name] = drawn_extent(name);
      const core::Attributes attributes = draw % 2 == 0 ? core::Attributes{} : draw_attributes(draws_, from_);
      const auto resolved = resolved_at(dims, attributes);
      if (!resolved) continue;
      for (const auto& [name, value] : choices_of(plan_, *resolved)) {
        const Branch branch{name, value};
        const bool is_wanted = unseen.contains(branch) || (thin.contains(branch) && is_full(dims));
        if (!is_wanted || !add_at_branch(dims, attributes, branch)) continue;
        unseen.erase(branch);
        if (is_full(dims)) thin.erase(branch);
      }
    }
  }

  /// False: even the smallest that was found is too dear.
  bool add_at_branch(const core::Dims& start, const core::Attributes& attributes, const Branch& branch) {
    constexpr const char* kWhy = "for a branch of the plan";
    const auto holds = [&, full = is_full(start)](const core::Dims& at) {
      return (!full || is_full(at)) && takes(at, attributes, branch);
    };
    const core::Dims smallest = smallest_where(start, {}, from_, holds);
    const bool found = add(smallest, attributes, kWhy);
    for (int attempt = 0; attempt < 20 && found && !has_enough(); ++attempt) {  // with the tails of tiles
      core::Dims larger = smallest;
      for (auto& [name, extent] : larger)
        if (draws_.upto(3) != 0) extent += 1 + static_cast<std::int64_t>(draws_.upto(31));
      if (holds(larger) && add(larger, attributes, kWhy)) break;
    }
    return found;
  }

  bool add(const core::Dims& dims, const core::Attributes& attributes, const char* why) {
    auto shape = out_.accept(dims, attributes, budget_.branch_cost);
    if (!shape) return false;
    const int distributions = whole_cost(*shape) <= budget_.branch_cost / 4 ? 3 : 2;
    out_.add(std::move(*shape), why, distributions);
    return true;
  }

  const core::LaunchPlan& plan_;
  const std::vector<ShapeCase>& known_;
  const ResolveAt& resolve_;
  const ShapeBudget& budget_;
  ShapeSources from_;
  ShapeDraws draws_;
  ShapeCollection out_;
};

}  // namespace

std::map<std::string, bool> branches_of(const core::LaunchPlan& plan, const core::ResolvedPlan& resolved) {
  std::map<std::string, bool> out;
  for (std::size_t i = 0; i < plan.launches.size(); ++i) out["step " + std::to_string(i)] = false;
  for (const auto& step : resolved.steps)
    out["step " + std::to_string(std::visit([](const auto& one) { return one.step; }, step))] = true;
  for (const auto& [name, expr] : plan.defines) {
    if (!compares(expr)) continue;
    const auto found = std::find_if(resolved.macros.begin(), resolved.macros.end(),
                                    [&, &define = name](const auto& macro) { return macro.first == define; });
    if (found != resolved.macros.end()) out[name] = found->second != 0;
  }
  return out;
}

MadeShapes branch_shapes(const core::LaunchPlan& plan, std::string_view source,
                         const core::DeviceFacts& device, const std::vector<ShapeCase>& known,
                         const ResolveAt& resolve, const ShapeBudget& budget, std::uint64_t seed) {
  if (known.empty() || known.front().task.op->dim_names.empty()) return {};
  return BranchSearch(plan, source, device, known, resolve, budget, seed).run();
}

}  // namespace kgen::judge
