#include "harness/judge/task_shapes.hpp"

#include <algorithm>
#include <cstdlib>

#include "harness/judge/smaller_shape.hpp"

namespace kgen::judge {
namespace {

constexpr std::int64_t kIndices = 64;  ///< into a dim that is long alone

/// Adds shapes while money lasts: no case may take more than a third of all.
class TaskOrder {
 public:
  TaskOrder(ShapeCollection& out, std::int64_t budget) : out_(out), most_(budget / 3), left_(budget) {}

  /// Adds one, or notes that it is too dear.
  void add(const core::Dims& dims, const core::Attributes& attributes, const char* why) {
    const auto too_dear = try_add(dims, attributes, why);
    if (too_dear) out_.leave_out(*too_dear, why);
  }

  /// Adds one where it is legal, new and within the budget; gives it back where only the budget is against
  /// it.
  std::optional<core::Task> try_add(const core::Dims& dims, const core::Attributes& attributes,
                                    const char* why) {
    auto wanted = out_.legal(dims, attributes);
    if (!wanted || is_empty(*wanted) || out_.knows(*wanted)) return std::nullopt;
    auto shape = out_.accept(dims, attributes, INT64_MAX);
    const std::int64_t price = shape ? out_.price(*shape) : INT64_MAX;
    const int distributions = price <= most_ / 64 ? 3 : price <= most_ / 8 ? 2 : 1;
    if (price > most_ || price * distributions > left_) return wanted;
    left_ -= price * distributions;
    out_.add(std::move(*shape), why, distributions);
    return std::nullopt;
  }

 private:
  ShapeCollection& out_;
  std::int64_t most_, left_;
};

/// One whole shape beside the task's own: where its tiles end.
void add_beside_task(ShapeCollection& out, TaskOrder& order, const ShapeSources& from, ShapeDraws& draws) {
  constexpr const char* kWhy = "beside the task's own shape";
  const std::size_t before = out.count();
  std::optional<core::Task> too_dear;
  for (int attempt = 0; attempt < 200 && out.count() == before; ++attempt) {
    core::Dims dims = from.task.dims;
    for (auto& [name, extent] : dims) {
      // One in three of the dims that a narrow `requires` may tie to a multiple stays as it is.
      if (draws.upto(3) == 0) continue;
      const auto reach = std::clamp<std::int64_t>(extent / 8, 1, 32);
      extent += static_cast<std::int64_t>(draws.upto(2 * static_cast<U64>(reach) + 1)) - reach;
    }
    if (auto one = order.try_add(dims, {}, kWhy)) too_dear = std::move(one);
  }
  if (too_dear && out.count() == before) out.leave_out(*too_dear, kWhy);
}

/// The shape with some indices into the dim: one alone is below any bound as likely as not.
core::Dims with_more_indices(const core::Task& shape, const std::string& dim) {
  core::Dims dims = shape.dims;
  for (const core::Tensor& tensor : shape.op->tensors) {
    if (!tensor.below.mentions(dim)) continue;
    for (const util::Expr& extent : tensor.shape) {
      for (const std::string& name : extent.names())
        if (name != dim && dims.contains(name)) dims[name] = std::max(dims[name], kIndices);
    }
  }
  return dims;
}

/// How far behind a round number: by an odd number, which leaves a rest behind any pack, or by an odd number
/// of packs, which wide loads divide.
std::int64_t behind(ShapeDraws& draws, std::int64_t pack) {
  if (pack == 0) return 3 + 2 * static_cast<std::int64_t>(draws.upto(500));
  return pack * (2 * static_cast<std::int64_t>(draws.upto(30)) + 1);
}

/// What an extent beyond a round number is a multiple of (0: of nothing), for each shape that is wanted
/// there. Where the op has one dim alone both kinds are, but for rounds of a grid, which are dear: no other
/// dim makes a size met with either.
std::vector<std::int64_t> packs_at(bool is_of_rounds, bool is_of_packs, bool is_only_dim, ShapeDraws& draws) {
  const std::int64_t pack = is_of_rounds ? 16 : draws.of({8, 16});
  if (is_only_dim && !is_of_rounds) return {pack, 0};
  return {is_of_packs ? pack : 0};
}

/// The dim alone at the extent, or just above; or a note that this is too dear. `is_of_rounds`: for rounds of
/// a grid, which the emulator takes long for.
void add_long_extent(ShapeCollection& out, const ShapeSources& from, const std::string& dim,
                     std::int64_t extent, bool is_of_rounds, const ShapeBudget& budget) {
  constexpr const char* kWhy = "one dim alone very long";
  const std::int64_t most_cost = is_of_rounds ? budget.rounds_cost : budget.lone_cost;
  const auto shape = smallest_from(out, from, dim, extent, {});
  if (!shape) return;
  const bool wanted = budget.long_products || !has_products(*shape);
  const core::Dims indexed = with_more_indices(*shape, dim);
  auto taken = wanted ? out.accept(indexed, {}, most_cost) : std::nullopt;
  if (wanted && !taken && indexed != shape->dims) taken = out.accept(shape->dims, {}, most_cost);
  if (!taken) {
    if (!out.knows(*shape)) out.leave_out(*shape, kWhy);
    return;
  }
  out.add(std::move(*taken), kWhy, 2);
  out.made.shapes.back().lenient = true;
}

}  // namespace

bool shapes_an_output(const core::Op& op, const std::string& dim) {
  return std::ranges::any_of(op.outputs(), [&](const core::Tensor* output) {
    return std::ranges::any_of(output->shape, [&](const util::Expr& extent) { return extent.mentions(dim); });
  });
}

bool has_products(const core::Task& task) {
  const auto cost = core::cost_of(task);
  return cost && cost->product_flops > 0;
}

void add_task_order(ShapeCollection& out, const ShapeSources& from, ShapeDraws& draws,
                    const ShapeBudget& budget) {
  const core::Task& task = from.task;
  TaskOrder order(out, budget.task_order_cost);
  for (const auto& attributes : other_attributes(draws, from))
    order.add(task.dims, attributes, "the task's own with another attribute");
  add_beside_task(out, order, from, draws);
  for (const bool doubled : {true, false}) {
    for (const std::string& name : task.op->dim_names) {
      core::Dims dims = task.dims;
      std::int64_t& extent = dims.at(name);
      extent = doubled ? extent * 2 : extent / 2;
      order.add(dims, {}, doubled ? "twice a dim of the task" : "half a dim of the task");
    }
  }
}

std::optional<core::Task> smallest_with(const ShapeCollection& known, const ShapeSources& from,
                                        const std::string& dim, std::int64_t extent,
                                        const core::Attributes& attributes) {
  std::vector<core::Dims> starts = {from.task.dims};
  for (const auto& shape : from.task.op->check_shapes) starts.push_back(shape.dims);
  const ShapePredicate holds = [&](const core::Dims& dims) {
    return known.legal(dims, attributes).has_value();
  };
  for (core::Dims& start : starts) {
    start[dim] = extent;
    if (std::any_of(start.begin(), start.end(), [](const auto& one) { return one.second == 0; }) ||
        start.size() != from.task.dims.size() || !holds(start))
      continue;
    return known.legal(smallest_where(start, {dim}, from, holds), attributes);
  }
  return std::nullopt;
}

std::optional<core::Task> smallest_from(const ShapeCollection& known, const ShapeSources& from,
                                        const std::string& dim, std::int64_t extent,
                                        const core::Attributes& attributes) {
  std::vector<std::int64_t> granules = {1};
  for (std::int64_t power = 2; power <= extent / 16; power *= 2) granules.push_back(power);
  for (const std::int64_t number : from.numbers.plan) {
    if (number <= extent / 16 && granules.size() < 64) granules.push_back(number);
  }
  for (const std::int64_t granule : granules) {
    const std::int64_t rounded = (extent + granule - 1) / granule * granule;
    if (auto shape = smallest_with(known, from, dim, rounded, attributes)) return shape;
  }
  return std::nullopt;
}

void add_long_extents(ShapeCollection& out, const ShapeSources& from, ShapeDraws& draws,
                      const ShapeBudget& budget) {
  const auto& names = from.task.op->dim_names;
  std::vector<std::int64_t> extents = budget.long_extents;
  if (names.size() == 1 && budget.rounds_of_grid > 0) extents.push_back(budget.rounds_of_grid);
  bool is_of_packs = draws.upto(2) == 0;
  for (const std::int64_t beyond : extents) {
    is_of_packs = !is_of_packs;
    const std::size_t first = draws.upto(names.size()), before = out.count();
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (out.count() - before >= static_cast<std::size_t>(budget.long_dims)) break;
      const std::string& dim = names[(first + i) % names.size()];
      const bool is_of_rounds = beyond == budget.rounds_of_grid;
      for (const std::int64_t pack : packs_at(is_of_rounds, is_of_packs, names.size() == 1, draws))
        add_long_extent(out, from, dim, beyond + behind(draws, pack), is_of_rounds, budget);
    }
  }
}

}  // namespace kgen::judge
