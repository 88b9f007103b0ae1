#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/task.hpp"
#include "harness/judge/shared/random.hpp"
#include "harness/judge/source_constants.hpp"

namespace kgen::judge {

/// Numbers in a row, the same for the same seed.
class ShapeDraws {
 public:
  explicit ShapeDraws(U64 seed) : key_(mix64(seed ^ 0x73686170)) {}
  U64 upto(U64 count) { return below(bits(), count); }
  std::int64_t of(const std::vector<std::int64_t>& values) { return values[upto(values.size())]; }
  /// In [0, 1).
  double unit() { return unit_real(bits()); }
  /// Log-uniform in [1, most].
  std::int64_t spread(std::int64_t most);
  /// `value`, one below or one above.
  std::int64_t beside(std::int64_t value) { return value - 1 + static_cast<std::int64_t>(upto(3)); }

 private:
  U64 bits() { return mix64(key_ + ++drawn_ * 0x9e3779b97f4a7c15ull); }
  U64 key_, drawn_ = 0;
};

/// Where extents and attributes of shapes come from.
struct ShapeSources {
  const core::Task& task;
  SourceNumbers numbers;                ///< of the file
  std::vector<std::int64_t> constants;  ///< all whole ones of them
  std::map<std::string, std::vector<std::int64_t>>
      listed;                                ///< check shapes' extents by dim, sorted, once each
  std::vector<core::Attributes> attributes;  ///< what replaces the task's; nothing first

  ShapeSources(std::string_view source, const core::Task& of);
};

/// Numbers of the file in the order in which they are worth a shape: those of code and plan before those of
/// comments (which anyone can fill), odd ones out first (a block of 256 threads says little about extents, a
/// comparison with 1777 much), the code's before the plan's, at random within that.
std::vector<std::int64_t> telling_numbers(const ShapeSources& from, ShapeDraws& draws);

/// A whole number of times one that the file mentions (its vector width, its tile), or a power of two.
std::int64_t draw_multiple(ShapeDraws& draws, const ShapeSources& from);

/// What replaces the task's attributes at check shapes, each once; nothing first.
std::vector<core::Attributes> attributes_once(const ShapeSources& from);

/// Extent of a dim that is not the one looked at.
std::int64_t draw_companion(ShapeDraws& draws, const ShapeSources& from, const std::string& dim);

/// The same, as small as there is: of a dim that has few legal extents the smallest that a check shape has.
std::int64_t draw_small_companion(ShapeDraws& draws, const ShapeSources& from, const std::string& dim);

/// Attributes to put in place of the task's: those of a check shape, and beside them either value of a bool,
/// and of a number with a range in op.toml any in it: whole ones evenly, reals log-uniformly or near a real
/// of the file (values that f32 has).
core::Attributes draw_attributes(ShapeDraws& draws, const ShapeSources& from);

/// Whether the op says what the attribute may be: by a range or by a rule.
bool may_be_drawn(const core::Op& op, const core::Attribute& attribute);

/// Every other value of each attribute alone, at most eight each: both of a bool; of an int those of the
/// check shapes and up to four of its range; of a float with a range one drawn.
std::vector<core::Attributes> other_attributes(ShapeDraws& draws, const ShapeSources& from);

}  // namespace kgen::judge
