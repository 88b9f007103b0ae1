#include "harness/judge/rest_shapes.hpp"

#include <algorithm>

#include "harness/judge/product_shapes.hpp"
#include "harness/judge/task_shapes.hpp"

namespace kgen::judge {
namespace {

constexpr std::int64_t kPacks[] = {4, 8, 2, 16, 32};  ///< the usual ones first
constexpr std::int64_t kMostTried = 256;              ///< of an extent, to the next that is legal

std::int64_t outputs_of(const core::Task& task) {
  const auto tensors = core::tensors_of(task);
  if (!tensors) return 0;
  const auto first = std::ranges::find_if(
      *tensors, [](const core::TensorFacts& tensor) { return tensor.role != core::Role::input; });
  return first == tensors->end() ? 0 : first->elements;
}

class RestSearch {
 public:
  RestSearch(ShapeCollection& out, const ShapeSources& from, const ShapeBudget& budget)
      : out_(out), from_(from), budget_(budget), attributes_(attributes_once(from)) {}

  /// One shape with `held` outputs and a part of `pack` more, where there is one and room is left.
  void add(const std::string& dim, std::int64_t held, std::int64_t pack) {
    if (out_.count() >= static_cast<std::size_t>(budget_.rests)) return;
    for (const core::Attributes& attributes : attributes_) {
      const auto at_least = smallest_from(out_, from_, dim, held + 1, attributes);
      if (!at_least || outputs_of(*at_least) <= held) continue;
      const auto found = with_rest(*at_least, dim, held, pack);
      if (!found) continue;
      auto shape = out_.accept(*found, attributes, budget_.rest_cost);
      if (!shape) continue;
      return out_.add_aside(std::move(*shape), "whole packs in whole blocks, and a rest");
    }
  }

 private:
  std::int64_t outputs_at(const core::Dims& dims, const core::Attributes& attributes) const {
    const auto task = core::at_shape(from_.task, dims, attributes);
    return task ? outputs_of(*task) : 0;
  }

  /// The least extent of the dim at which there are more outputs than held, where these few more are a part
  /// of a pack.
  std::optional<core::Dims> with_rest(const core::Task& at_least, const std::string& dim, std::int64_t held,
                                      std::int64_t pack) const {
    core::Dims dims = at_least.dims;
    std::int64_t refused = 0, taken = dims.at(dim);
    while (taken - refused > 1) {
      dims[dim] = refused + (taken - refused) / 2;
      (outputs_at(dims, at_least.attributes) > held ? taken : refused) = dims[dim];
    }
    for (dims[dim] = taken; dims[dim] < taken + kMostTried; ++dims[dim]) {
      const std::int64_t rest = outputs_at(dims, at_least.attributes) - held;
      if (rest >= pack) return std::nullopt;
      if (rest > 0 && out_.legal(dims, at_least.attributes)) return dims;
    }
    return std::nullopt;
  }

  ShapeCollection& out_;
  const ShapeSources& from_;
  const ShapeBudget& budget_;
  std::vector<core::Attributes> attributes_;
};

}  // namespace

MadeShapes rest_shapes(const core::LaunchPlan& plan, std::string_view source, const core::DeviceFacts& device,
                       const std::vector<ShapeCase>& known, const ShapeBudget& budget, std::uint64_t seed) {
  if (known.empty()) return {};
  const core::Task& task = known.front().task;
  const ShapeSources from(source, task);
  ShapeDraws draws(seed ^ 0x72657374);
  ShapeCollection out(plan, task, device, budget);
  for (const ShapeCase& shape : known) out.know(shape.task);
  std::vector<std::string> dims;
  for (const std::string& name : task.op->dim_names)
    if (shapes_an_output(*task.op, name) && !out.is_compiled_in(name)) dims.push_back(name);
  if (dims.empty()) return {};
  RestSearch search(out, from, budget);
  for (const std::int64_t pack : kPacks) {
    for (const std::int64_t threads : block_threads(plan, task, device)) {
      const std::int64_t held = threads * pack;
      const std::string& drawn = dims[draws.upto(dims.size())];
      if (held > budget.most_rest) continue;
      search.add(dims.back(), held, pack);
      if (drawn != dims.back()) search.add(drawn, held, pack);
    }
  }
  return std::move(out.made);
}

}  // namespace kgen::judge
