#include "harness/judge/tiled_shapes.hpp"

#include <algorithm>

#include "harness/judge/emulated_work.hpp"
#include "harness/judge/task_shapes.hpp"

namespace kgen::judge {
namespace {

constexpr int kTiledAttempts = 12;     ///< for one shape
constexpr std::int64_t kFewTiles = 7;  ///< of every other shape, and of all of products: 3, 5 or 7
constexpr int kCompiledShare = 4;      ///< of extents that are compiled in, each a program of its own
constexpr std::int64_t kLong = 1024;   ///< beyond it the emulator runs one distribution
const std::vector<std::int64_t> kTiles = {32, 128, 8, 64, 256, 16, 1024, 512, 2048};
const std::vector<std::int64_t> kTilesOfProducts = {32, 64, 16, 128};
const std::vector<std::int64_t> kAligned = {64, 32, 64, 16};

/// An odd number of tiles from 3 on, small ones as likely as large ones.
std::int64_t tiled_extent(ShapeDraws& draws, std::int64_t tile, std::int64_t longest) {
  const std::int64_t most = std::max<std::int64_t>(1, (longest / tile - 1) / 2);
  return tile * (2 * draws.spread(most) + 1);
}

class TiledSearch {
 public:
  TiledSearch(ShapeCollection& out, const ShapeSources& from, ShapeDraws& draws, const ShapeBudget& budget)
      : out_(out),
        from_(from),
        draws_(draws),
        budget_(budget),
        has_products_(has_products(from.task)),
        tiles_(has_products_ ? kTilesOfProducts : kTiles) {}

  void run() {
    const auto& names = from_.task.op->dim_names;
    const std::size_t first = has_products_ ? 0 : draws_.upto(tiles_.size());
    for (int number = 0; number < budget_.tiled; ++number) {
      for (const std::string& dim : names) {
        const std::int64_t tile = tiles_[(first + static_cast<std::size_t>(number)) % tiles_.size()];
        const bool few = has_products_ || number % 2 == 0;
        const std::int64_t longest =
            few ? std::min(kFewTiles * tile, budget_.tiled_longest) : budget_.tiled_longest;
        const bool is_dear = out_.is_compiled_in(dim) && number % kCompiledShare != 0;
        if (has_room() && !is_dear) add_one(dim, tile, longest);
      }
    }
  }

 private:
  bool has_room() const {
    return budget_.tiled_elements == 0 || (emulated_ < budget_.tiled_elements && out_.has_room());
  }

  /// Kernels of products look at several dims before they take whole tiles: their other dims are aligned more
  /// often than small.
  bool begins_aligned() { return draws_.upto(4) < (has_products_ ? 3U : 2U); }

  core::Dims draw_dims(const std::string& tiled, std::int64_t extent, bool aligned, bool mixed) {
    const bool all_alike = draws_.upto(2) == 0;
    core::Dims dims;
    for (const std::string& name : from_.task.op->dim_names) {
      const bool is_aligned = aligned && (!mixed || draws_.upto(2) == 0);
      dims[name] = name == tiled ? extent
                   : is_aligned  ? (all_alike ? kAligned.front() : draws_.of(kAligned))
                                 : draw_small_companion(draws_, from_, name);
    }
    return dims;
  }

  void add_one(const std::string& dim, std::int64_t tile, std::int64_t longest) {
    const bool first = begins_aligned();
    for (int attempt = 0; attempt < kTiledAttempts; ++attempt) {
      const std::int64_t extent = tiled_extent(draws_, tile, std::max(longest, 3 * tile));
      const auto attributes = attempt % 2 == 0 ? core::Attributes{} : draw_attributes(draws_, from_);
      const bool aligned = attempt < kTiledAttempts / 2 ? first : !first;
      auto shape = out_.accept(draw_dims(dim, extent, aligned, attempt >= 2), attributes, budget_.tiled_cost);
      if (!shape) continue;
      const int most = budget_.tiled_elements > 0 && extent > kLong ? 1 : has_products_ ? 2 : 3;
      out_.add(std::move(*shape), "an odd number of whole tiles", most);
      out_.made.shapes.back().lenient = true;
      emulated_ += emulated_elements(out_.made.shapes.back());
      return;
    }
  }

  ShapeCollection& out_;
  const ShapeSources& from_;
  ShapeDraws& draws_;
  const ShapeBudget& budget_;
  const bool has_products_;
  const std::vector<std::int64_t>& tiles_;
  std::int64_t emulated_ = 0;
};

}  // namespace

void add_tiled_extents(ShapeCollection& out, const ShapeSources& from, ShapeDraws& draws,
                       const ShapeBudget& budget) {
  TiledSearch(out, from, draws, budget).run();
}

}  // namespace kgen::judge
