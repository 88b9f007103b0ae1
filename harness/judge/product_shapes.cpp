#include "harness/judge/product_shapes.hpp"

#include <algorithm>
#include <set>
#include <variant>

namespace kgen::judge {
namespace {

constexpr int kProductAttempts = 8;                      ///< for one shape
constexpr int kDistributions = 1;                        ///< what is dropped shows with any
constexpr std::int64_t kProductsRoomBeyond = 1'300'000;  ///< elements, of the emulator: where others took all
constexpr std::int64_t kLeastProduct = 256, kMostEach = 64;  ///< of what a thread is taken to hold
constexpr std::int64_t kWarp = 32;

/// Dims that lie along rows of some tensor: what a block or a warp holds is a row.
std::vector<std::string> row_dims(const core::Op& op) {
  std::set<std::string> found;
  for (const auto& tensor : op.tensors) {
    if (tensor.shape.empty()) continue;
    for (const std::string& name : tensor.shape.back().names()) found.insert(name);
  }
  std::vector<std::string> out;
  for (const std::string& dim : op.dim_names)
    if (found.contains(dim)) out.push_back(dim);
  return out;
}

/// The extents, sorted, once each.
std::vector<std::int64_t> extents_beyond(const std::set<std::int64_t>& threads, const ShapeSources& from,
                                         const ShapeBudget& budget) {
  std::set<std::int64_t> out;
  std::vector<std::int64_t> each = {1};
  for (const std::int64_t number : from.constants)
    if (number <= kMostEach) each.push_back(number);
  for (const std::int64_t block : threads) {
    for (const std::int64_t values : each) {
      for (const std::int64_t pack : {1, 2, 4, 8}) {
        const std::int64_t held = block * values * pack;
        if (held < kLeastProduct || held > budget.most_product) continue;
        const std::int64_t beyond = held + std::max<std::int64_t>(block / 2 / 8 * 8, 8);
        out.insert({beyond, beyond + 1});
      }
    }
  }
  return {out.begin(), out.end()};
}

class ProductSearch {
 public:
  ProductSearch(ShapeCollection& out, const ShapeSources& from, ShapeDraws& draws, const ShapeBudget& budget)
      : out_(out), from_(from), draws_(draws), budget_(budget) {}

  void run(std::vector<std::int64_t> extents) {
    for (std::size_t i = extents.size(); i > 1; --i) std::swap(extents[i - 1], extents[draws_.upto(i)]);
    const auto rows = row_dims(*from_.task.op);
    int left = budget_.products;
    for (const std::int64_t extent : extents) {
      for (const std::string& dim : rows) {
        if (left <= 0 || !out_.has_room(kProductsRoomBeyond)) return;
        if (!out_.is_compiled_in(dim) && add(dim, extent)) --left;
      }
    }
  }

 private:
  bool add(const std::string& dim, std::int64_t extent) {
    for (int attempt = 0; attempt < kProductAttempts; ++attempt) {
      core::Dims dims;
      for (const auto& name : from_.task.op->dim_names)
        dims[name] = name == dim ? extent : draw_small_companion(draws_, from_, name);
      auto shape = out_.accept(dims, {}, budget_.length_cost);
      if (!shape || !budget_.is_light(*shape)) continue;
      out_.add(std::move(*shape), "beyond what a block may hold", kDistributions);
      return true;
    }
    return false;
  }

  ShapeCollection& out_;
  const ShapeSources& from_;
  ShapeDraws& draws_;
  const ShapeBudget& budget_;
};

}  // namespace

std::set<std::int64_t> block_threads(const core::LaunchPlan& plan, const core::Task& task,
                                     const core::DeviceFacts& device) {
  std::set<std::int64_t> out;
  const auto resolved = core::resolve_plan_near(plan, task, device, plan.defaults);
  if (!resolved) return out;
  for (const auto& step : resolved->steps) {
    if (const auto* const launch = std::get_if<core::ResolvedLaunch>(&step))
      out.insert(launch->block[0] * launch->block[1] * launch->block[2]);
  }
  return out;
}

void add_products(ShapeCollection& out, const ShapeSources& from, ShapeDraws& draws,
                  const ShapeBudget& budget, const core::LaunchPlan& plan, const core::DeviceFacts& device) {
  std::set<std::int64_t> threads = block_threads(plan, from.task, device);
  threads.insert(kWarp);
  ProductSearch(out, from, draws, budget).run(extents_beyond(threads, from, budget));
}

}  // namespace kgen::judge
