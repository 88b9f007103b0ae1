#include "harness/judge/tiled_shapes.hpp"

#include <algorithm>
#include <array>

#include "harness/judge/emulated_work.hpp"
#include "harness/judge/task_shapes.hpp"

namespace kgen::judge {
namespace {

constexpr std::size_t kTiledAttempts = 12;  ///< for one shape
constexpr std::int64_t kFewTiles = 7;       ///< of every other shape: 3, 5 or 7
/// Of products, one with each of their tiles in turn: what begins with pairs or fills a pipeline first goes
/// wrong from 5 on. Behind these any number up to kMoreTiles.
constexpr std::array<std::int64_t, 3> kCountsOfProducts = {5, 7, 3};
constexpr std::int64_t kMoreTiles = 15;
/// Of a dim that products are summed over beside these: where kernels part it among blocks.
constexpr std::int64_t kFewestParted = 9, kMostParted = 65;
constexpr std::int64_t kLongerAlone = 8;   ///< times as long where an op has one dim
constexpr int kSharesOfRoom = 8;           ///< one takes no more of the emulator's room
constexpr std::size_t kCompiledShare = 4;  ///< of extents that are compiled in, each a program of its own
constexpr std::int64_t kLong = 4096;       ///< beyond it the emulator runs one distribution
constexpr std::int64_t kWideTile = 4096;   ///< from it on one is enough: several packs a thread of a block
/// Of 16 bytes in the narrower types: vectors are whole there and every larger tile is ragged.
constexpr std::int64_t kPack = 8;
constexpr std::int64_t kFewestPacks = 33;
const std::vector<std::int64_t> kTiles = {32,    kPack, 128,       64,   256,   16,           1024,
                                          kPack, 512,   kWideTile, 2048, kPack, 2 * kWideTile};
const std::vector<std::int64_t> kTilesOfProducts = {32, 64, 16, 128};
const std::vector<std::int64_t> kAligned = {64, 32, 64, 16};

/// An odd number of tiles from `fewest`, which is odd, on; small ones as likely as large ones.
std::int64_t tiled_extent(ShapeDraws& draws, std::int64_t tile, std::int64_t longest,
                          std::int64_t fewest = 3) {
  const std::int64_t most = std::max<std::int64_t>(1, (longest / tile - fewest) / 2 + 1);
  return tile * (2 * draws.spread(most) + fewest - 2);
}

class TiledSearch {
 public:
  TiledSearch(ShapeCollection& out, const ShapeSources& from, ShapeDraws& draws, const ShapeBudget& budget)
      : out_(out),
        from_(from),
        draws_(draws),
        budget_(budget),
        has_products_(has_products(from.task)),
        longest_(budget.tiled_longest * (from.task.op->dim_names.size() == 1 ? kLongerAlone : 1)),
        tiles_(has_products_ ? kTilesOfProducts : kTiles) {}

  void run() {
    const auto [names, summed] = dims_in_order();
    first_ = draws_.upto(2);
    for (std::size_t number = 0; number < static_cast<std::size_t>(budget_.tiled); ++number) {
      for (std::size_t i = 0; i < names.size(); ++i) {
        const std::size_t share = out_.is_compiled_in(names[i]) ? kCompiledShare : 1;
        if (number % share != 0) continue;
        add_one(names[i], number / share, false);
        if (i < summed && has_products_ && number % 2 == 0) add_one(names[i], number / share, true);
      }
    }
  }

 private:
  bool has_room() const {
    return budget_.tiled_elements == 0 || (emulated_ < budget_.tiled_elements && out_.has_room());
  }

  struct OrderedDims {
    std::vector<std::string> names;
    std::size_t summed = 0;
  };
  /// Dims that are summed over first: where room ends early, loops over tiles have had most.
  OrderedDims dims_in_order() const {
    OrderedDims dims{from_.task.op->dim_names, 0};
    const auto others = std::ranges::stable_partition(
        dims.names, [&](const std::string& name) { return !shapes_an_output(*from_.task.op, name); });
    dims.summed = dims.names.size() - others.size();
    return dims;
  }

  std::int64_t draw_extent(std::size_t number, std::size_t attempt, bool parted) {
    const std::size_t count = tiles_.size();
    if (has_products_) {
      if (parted) return tiled_extent(draws_, 1, kMostParted, kFewestParted) * tiles_[number / 2 % count];
      const std::size_t round = number / count;
      const std::int64_t tile = tiles_[number % count];
      if (round >= kCountsOfProducts.size()) return tiled_extent(draws_, tile, kMoreTiles * tile);
      return tile * kCountsOfProducts[(first_ + round + attempt / 8) % kCountsOfProducts.size()];
    }
    const std::int64_t tile = tiles_[number % count];
    if (tile == kPack) return tiled_extent(draws_, tile, longest_, kFewestPacks);
    if (tile >= kWideTile) return tiled_extent(draws_, tile, std::min(3 * tile, 2 * longest_), 1);
    const std::int64_t longest = (first_ + number) % 2 == 0 ? kFewTiles * tile : longest_;
    return tiled_extent(draws_, tile, std::max(std::min(longest, longest_), 3 * tile));
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

  void add_one(const std::string& dim, std::size_t number, bool parted) {
    if (!has_room()) return;
    const bool first = begins_aligned();
    for (std::size_t attempt = 0; attempt < kTiledAttempts; ++attempt) {
      const std::int64_t extent = draw_extent(number, attempt, parted);
      const auto attributes = attempt % 2 == 0 ? core::Attributes{} : draw_attributes(draws_, from_);
      const bool aligned = attempt < kTiledAttempts / 2 ? first : !first;
      auto shape = out_.accept(draw_dims(dim, extent, aligned, attempt >= 2), attributes, budget_.tiled_cost);
      if (!shape) continue;
      const int most = budget_.tiled_elements > 0 && extent > kLong ? 1 : has_products_ ? 2 : 3;
      const std::int64_t work = most * emulated_elements(*shape);  // also of what is too much to be run
      if (budget_.tiled_elements > 0 && work > budget_.tiled_elements / kSharesOfRoom) continue;
      out_.add(std::move(*shape), "an odd number of whole tiles", most);
      out_.made.shapes.back().lenient = true;
      emulated_ += work;
      return;
    }
  }

  ShapeCollection& out_;
  const ShapeSources& from_;
  ShapeDraws& draws_;
  const ShapeBudget& budget_;
  const bool has_products_;
  const std::int64_t longest_;
  const std::vector<std::int64_t>& tiles_;
  std::size_t first_ = 0;  ///< which round has few tiles
  std::int64_t emulated_ = 0;
};

}  // namespace

void add_tiled_extents(ShapeCollection& out, const ShapeSources& from, ShapeDraws& draws,
                       const ShapeBudget& budget) {
  TiledSearch(out, from, draws, budget).run();
}

}  // namespace kgen::judge
