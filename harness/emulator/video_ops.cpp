#include "harness/emulator/video_ops.hpp"

#include <algorithm>
#include <cstdlib>

#include "harness/emulator/integer_ops.hpp"

namespace kgen::emulator {
namespace {

struct PartPlace {
  int shift, width;
};
PartPlace place_of(Part part) {
  switch (part) {
    case Part::h0:
      return {0, 16};
    case Part::h1:
      return {16, 16};
    case Part::word:
      return {0, 32};
    default:
      return {8 * static_cast<int>(part), 8};
  }
}

std::int64_t extended(std::uint32_t word, int shift, int width, bool is_signed) {
  const std::uint64_t field = (static_cast<std::uint64_t>(word) >> shift) & ((1ull << width) - 1);
  if (!is_signed) return static_cast<std::int64_t>(field);
  return static_cast<std::int64_t>(field << (64 - width)) >> (64 - width);
}

std::int64_t part_of(std::uint32_t word, Part part, bool is_signed) {
  const PartPlace place = place_of(part);
  return extended(word, place.shift, place.width, is_signed);
}

std::int64_t clamp_to(std::int64_t value, int width, bool is_signed) {
  const std::int64_t least = is_signed ? -(std::int64_t{1} << (width - 1)) : 0;
  const std::int64_t largest = (std::int64_t{1} << (is_signed ? width - 1 : width)) - 1;
  return std::clamp(value, least, largest);
}

/// .sat as an H200 does it. A part of `c` is clamped as a number without sign, so that what is below zero
/// becomes the largest value, of a signed part too: the ISA's text says the least. A signed word is clamped
/// as the text says; an unsigned one only from below, beyond its largest value it wraps.
std::int64_t saturated_scalar(std::int64_t value, Part part, bool is_signed) {
  if (part != Part::word) {
    const int bits = place_of(part).width - (is_signed ? 1 : 0);
    const std::int64_t largest = (std::int64_t{1} << bits) - 1;
    return value < 0 ? largest : std::min(value, largest);
  }
  return is_signed ? clamp_to(value, 32, true) : std::max<std::int64_t>(value, 0);
}

std::int64_t outcome(VideoOp op, Compare comparison, std::int64_t a, std::int64_t b) {
  switch (op) {
    case VideoOp::add:
      return a + b;
    case VideoOp::sub:
      return a - b;
    case VideoOp::absdiff:
      return std::llabs(a - b);
    case VideoOp::min:
      return std::min(a, b);
    case VideoOp::max:
      return std::max(a, b);
    case VideoOp::avrg:
      return a + b >= 0 ? (a + b + 1) >> 1 : (a + b) >> 1;
    case VideoOp::set:
      return compare_outcome(comparison, a < b, a == b, false) ? 1 : 0;
    case VideoOp::shl:
      return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) << b);
    case VideoOp::shr:
      return a >> b;
  }
  return 0;
}

std::uint32_t second(SecondOp op, std::uint32_t first, std::uint32_t c, bool is_signed, Part part) {
  const auto less = [&](std::uint32_t x, std::uint32_t y) {
    return is_signed ? static_cast<std::int32_t>(x) < static_cast<std::int32_t>(y) : x < y;
  };
  const PartPlace place = place_of(part);
  const auto mask = static_cast<std::uint32_t>(((1ull << place.width) - 1) << place.shift);
  switch (op) {
    case SecondOp::add:
      return first + c;
    case SecondOp::min:
      return less(first, c) ? first : c;
    case SecondOp::max:
      return less(c, first) ? first : c;
    case SecondOp::merge:
      return (c & ~mask) | ((first << place.shift) & mask);
    default:
      return first;
  }
}

}  // namespace

std::uint32_t scalar_video(const ScalarVideo& form, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  const bool shifts = form.op == VideoOp::shl || form.op == VideoOp::shr;
  const std::int64_t x = part_of(a, form.a_part, form.a_signed);
  std::int64_t y = part_of(b, form.b_part, form.b_signed && !shifts);
  if (shifts) y = form.wrap ? y & 31 : std::min<std::int64_t>(y, 32);
  std::int64_t result = outcome(form.op, form.compare, x, y);
  // vset's result is unsigned and needs no saturation.
  const bool result_signed = form.result_signed && form.op != VideoOp::set;
  if (form.sat) result = saturated_scalar(result, form.result_part, result_signed);
  return second(form.second, static_cast<std::uint32_t>(result), c, result_signed, form.result_part);
}

std::uint32_t video_mad(const VideoMad& form, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  const bool is_signed = form.a_signed || form.b_signed || form.negate_product || form.negate_c;
  Int128 product =
      static_cast<Int128>(part_of(a, form.a_part, form.a_signed)) * part_of(b, form.b_part, form.b_signed);
  std::uint32_t addend = c;
  int lowest = 0;
  if (form.plus_one) {
    lowest = 1;
  } else if (form.negate_product) {
    product = ~product;
    lowest = 1;
  } else if (form.negate_c) {
    addend = ~addend;
    lowest = 1;
  }
  const Int128 wide =
      is_signed ? static_cast<Int128>(static_cast<std::int32_t>(addend)) : static_cast<Int128>(addend);
  const Int128 result = (product + wide + lowest) >> form.shift;
  if (!form.sat) return static_cast<std::uint32_t>(result);
  return is_signed ? static_cast<std::uint32_t>(saturated<std::int32_t>(result))
                   : saturated<std::uint32_t>(result);
}

std::uint32_t simd_video(const SimdVideo& form, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  const int width = 32 / form.lanes;
  const std::uint64_t pool = static_cast<std::uint64_t>(b) << 32 | a;
  const auto lane_mask = static_cast<std::uint32_t>((1ull << width) - 1);
  const auto selected = [&](std::uint32_t select, int lane, bool is_signed) {
    const int from = static_cast<int>((select >> (4 * lane)) & 7u) * width;
    return extended(static_cast<std::uint32_t>(pool >> from) & lane_mask, 0, width, is_signed);
  };
  std::uint32_t sum = c;
  std::uint32_t merged = 0;
  for (int lane = 0; lane < form.lanes; ++lane) {
    std::int64_t value = outcome(form.op, form.compare, selected(form.a_select, lane, form.a_signed),
                                 selected(form.b_select, lane, form.b_signed));
    if (form.sat) value = clamp_to(value, width, form.result_signed);
    const bool written = (form.mask >> lane & 1u) != 0;
    if (written) sum += static_cast<std::uint32_t>(value);
    const std::uint32_t own = static_cast<std::uint32_t>(value) & lane_mask;
    merged |= (written ? own : (c >> (width * lane)) & lane_mask) << (width * lane);
  }
  return form.accumulate ? sum : merged;
}

}  // namespace kgen::emulator
