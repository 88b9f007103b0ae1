#include "harness/judge/length_shapes.hpp"

namespace kgen::judge {
namespace {

constexpr int kLengthAttempts = 16;  ///< for one shape
constexpr int kFewDistributions = 2;
constexpr std::int64_t kRoomBeyond = 700'000;  ///< elements, of the emulator: where others took all
/// Of those to 64 whose reciprocal in f32 is rounded so far down that the quotient is, the least two: 41, 55
/// (47 and 61 are the others).
constexpr std::int64_t kDivisors[] = {41, 55};
constexpr std::int64_t kMultiples[] = {1, 2, 8, 64};  ///< the least that the op allows

class LengthSearch {
 public:
  LengthSearch(ShapeCollection& out, const ShapeSources& from, ShapeDraws& draws, const ShapeBudget& budget)
      : out_(out), from_(from), draws_(draws), budget_(budget) {}

  void run() {
    for (const std::string& dim : from_.task.op->dim_names) {
      if (out_.is_compiled_in(dim)) continue;  // each is a compile of its own
      for (const std::int64_t divisor : kDivisors) add_divisor(dim, divisor);
      for (std::int64_t power = budget_.least_length; power <= budget_.most_length; power *= 2)
        for (const std::int64_t unit : budget_.length_units) add_length(dim, power, unit);
    }
  }

 private:
  /// The others small, every other time such as `requires` may want.
  core::Dims with(const std::string& dim, std::int64_t extent, int attempt) {
    core::Dims dims;
    for (const auto& name : from_.task.op->dim_names)
      dims[name] = name == dim        ? extent
                   : attempt % 2 == 0 ? draw_small_companion(draws_, from_, name)
                                      : draw_companion(draws_, from_, name);
    return dims;
  }

  void add_divisor(const std::string& dim, std::int64_t divisor) {
    for (const std::int64_t multiple : kMultiples) {
      for (int attempt = 0; attempt < kLengthAttempts; ++attempt) {
        auto shape = out_.accept(with(dim, divisor * multiple, attempt), {}, budget_.small_cost);
        if (shape && budget_.is_light(*shape))
          return out_.add(std::move(*shape), "where a reciprocal is rounded", kFewDistributions);
      }
    }
  }

  /// Between `power` and twice that, an odd number of times `unit`.
  void add_length(const std::string& dim, std::int64_t power, std::int64_t unit) {
    for (int attempt = 0; attempt < kLengthAttempts && out_.has_room(kRoomBeyond); ++attempt) {
      const auto pairs = static_cast<std::int64_t>(draws_.upto(static_cast<U64>(power / (2 * unit))));
      auto shape = out_.accept(with(dim, power + unit * (2 * pairs + 1), attempt), {}, budget_.length_cost);
      if (shape && budget_.is_light(*shape))
        return out_.add(std::move(*shape), "a length and an alignment", kFewDistributions);
    }
  }

  ShapeCollection& out_;
  const ShapeSources& from_;
  ShapeDraws& draws_;
  const ShapeBudget& budget_;
};

}  // namespace

void add_lengths(ShapeCollection& out, const ShapeSources& from, ShapeDraws& draws,
                 const ShapeBudget& budget) {
  LengthSearch(out, from, draws, budget).run();
}

}  // namespace kgen::judge
