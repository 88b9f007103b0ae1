#include "harness/judge/shape_collection.hpp"

#include <algorithm>
#include <bit>

#include "core/judged_bytes.hpp"
#include "harness/judge/emulated_work.hpp"

namespace kgen::judge {
namespace {

constexpr std::int64_t kLongestExtent = std::int64_t{1} << 31;
/// Where the device does not say how much it has.
constexpr std::int64_t kUnknownMemory = std::int64_t{8} << 30;
/// Steps of attributes that take one warp a second or two.
constexpr double kMostSteps = 1ull << 31;
constexpr int kDistributionsOfMany = 2;

/// Of two programs each is compiled once, whatever the extents.
bool is_yes_or_no(const util::Expr& expr) {
  return std::ranges::any_of(expr.conditions(), [&](const util::ExprCondition& condition) {
    return condition.expr.text() == expr.text();
  });
}

}  // namespace

bool is_empty(const core::Task& task) {
  const auto tensors = core::tensors_of(task);
  return tensors && std::any_of(tensors->begin(), tensors->end(), [](const core::TensorFacts& tensor) {
           return tensor.role != core::Role::input && tensor.elements == 0;
         });
}

std::int64_t count_thin(const core::Dims& dims) {
  return std::ranges::count_if(dims, [](const auto& dim) { return dim.second < 2; });
}

bool is_full(const core::Dims& dims) {
  return count_thin(dims) == 0;
}

double steps_of_attributes(const core::Task& task, const core::Task& at) {
  std::int64_t longest = 1;
  for (const auto& [name, extent] : at.dims) longest = std::max(longest, extent);
  double most = 0;
  for (const auto& [name, value] : at.attributes)
    if (value / 4 > task.attributes.at(name)) most = std::max(most, value * static_cast<double>(longest));
  return most;
}

std::int64_t whole_cost(const core::Task& task) {
  const auto cost = core::cost_of(task);
  std::int64_t sum = 0;
  return cost && !__builtin_add_overflow(cost->flops, cost->bytes, &sum) ? sum : INT64_MAX;
}

ShapeCollection::ShapeCollection(const core::LaunchPlan& plan, const core::Task& task,
                                 const core::DeviceFacts& device, const ShapeBudget& budget)
    : plan_(plan), task_(task), device_(device), budget_(budget), oracle_(*task.op) {
  know(task);
  for (const auto& shape : task.op->check_shapes) {
    if (const auto at = core::at_shape(task, shape.dims, shape.attributes)) know(*at);
  }
}

std::optional<core::Task> ShapeCollection::legal(const core::Dims& dims,
                                                 const core::Attributes& attributes) const {
  for (const auto& [name, extent] : dims) {
    if (extent < 0 || extent > kLongestExtent) return std::nullopt;
  }
  auto task = core::at_shape(task_, dims, attributes);
  if (!task) return std::nullopt;
  if (plan_.requirements.empty()) return std::move(*task);
  const auto unmet = core::unmet_requirement(plan_, *task, device_);
  if (!unmet || *unmet) return std::nullopt;
  return std::move(*task);
}

std::optional<core::Task> ShapeCollection::accept(const core::Dims& dims, const core::Attributes& attributes,
                                                  std::int64_t most_cost) const {
  auto task = legal(dims, attributes);
  if (!task || knows(*task) || is_empty(*task) || whole_cost(*task) > most_cost || !fits_in_memory(*task) ||
      !reference_can(*task))
    return std::nullopt;
  return task;
}

void ShapeCollection::add(core::Task task, const char* why, std::optional<int> distributions) {
  know(task);
  features_.merge(features_of(task));
  const double steps = steps_of_attributes(task_, task);
  const bool slow = is_very_long(task) || steps > kMostSteps;
  const int usual = steps > kManySteps ? kDistributionsOfMany : budget_.distributions;
  made.shapes.push_back({std::move(task), why, distributions.value_or(usual), false, slow});
  emulated_ += emulated_elements(made.shapes.back());
}

void ShapeCollection::add_aside(core::Task task, const char* why) {
  add(std::move(task), why, 1);
  made.shapes.back().lenient = made.shapes.back().is_aside = true;
}

bool ShapeCollection::has_room(std::int64_t beyond) const {
  return budget_.emulated_elements == 0 || emulated_ < budget_.emulated_elements + beyond;
}

bool ShapeCollection::depends_on(const util::Expr& expr, const std::string& name) const {
  if (expr.mentions(name)) return true;
  return std::ranges::any_of(plan_.let, [&](const auto& let) {  // which mention those in front of them alone
    return expr.mentions(let.first) && depends_on(let.second, name);
  });
}

bool ShapeCollection::is_compiled_in(const std::string& name) const {
  return std::ranges::any_of(plan_.defines, [&](const auto& define) {
    return !is_yes_or_no(define.second) && depends_on(define.second, name);
  });
}

void ShapeCollection::leave_out(const core::Task& task, const char* why) {
  know(task);
  made.left_out.push_back(core::describe_dims(task) + " (" + why + ")");
}

bool ShapeCollection::is_very_long(const core::Task& task) const {
  return std::any_of(task.dims.begin(), task.dims.end(), [&](const auto& dim) {
    return dim.second > budget_.very_long && dim.second / 4 > task_.dims.at(dim.first);
  });
}

std::set<ShapeCollection::Feature> ShapeCollection::features_of(const core::Task& task) {
  std::set<Feature> out;
  for (const auto& [name, extent] : task.dims) {
    out.insert({name, 0, std::bit_width(static_cast<std::uint64_t>(extent))});
    if (extent < 16) continue;  // of tiny extents every remainder is met by chance
    for (const std::int64_t modulus : {4, 8, 32}) out.insert({name, modulus, extent % modulus});
  }
  return out;
}

std::size_t ShapeCollection::new_features(const core::Task& task) const {
  const auto own = features_of(task);
  return static_cast<std::size_t>(
      std::count_if(own.begin(), own.end(), [&](const Feature& f) { return !features_.contains(f); }));
}

std::int64_t ShapeCollection::price(const core::Task& task) const {
  const auto cost = core::cost_of(task);
  const auto oracle = oracle_.at(task, device_);
  std::int64_t sum = 0;
  if (!cost || !oracle || __builtin_mul_overflow(cost->bytes, kFlopsAByte, &sum) ||
      __builtin_add_overflow(sum, std::max(cost->flops, oracle->operations), &sum))
    return INT64_MAX;
  return sum;
}

bool ShapeCollection::reference_can(const core::Task& task) const {
  if (budget_.oracle_operations == 0) return true;
  const auto oracle = oracle_.at(task, device_);
  return oracle && oracle->operations <= budget_.oracle_operations && oracle->steps <= budget_.oracle_steps;
}

bool ShapeCollection::fits_in_memory(const core::Task& task) const {
  const std::int64_t memory = device_.memory_bytes > 0 ? device_.memory_bytes : kUnknownMemory;
  const auto bytes = core::judged_bytes(task);
  return bytes && *bytes <= memory / 3;
}

}  // namespace kgen::judge
