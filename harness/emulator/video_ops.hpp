#pragma once

#include <cstdint>

#include "harness/emulator/compare_ops.hpp"

namespace kgen::emulator {

/// PTX ISA, "Scalar Video Instructions" and "SIMD Video Instructions". Intermediate results are exact.

enum class VideoOp { add, sub, absdiff, min, max, avrg, shl, shr, set };
/// A part of a 32-bit operand: a byte, a half, or the whole word.
enum class Part { b0, b1, b2, b3, h0, h1, word };
/// A scalar video instruction's optional second operation with `c`; merge puts the part `result_part` into
/// `c`.
enum class SecondOp { none, add, min, max, merge };

/// vadd, vsub, vabsdiff, vmin, vmax, vshl, vshr and vset. `a` and `b` are the parts chosen by .asel and
/// .bsel, extended by their types.
struct ScalarVideo {
  VideoOp op = VideoOp::add;
  bool result_signed = false, a_signed = false, b_signed = false;
  Part a_part = Part::word, b_part = Part::word, result_part = Part::word;
  bool sat = false;
  bool wrap = false;  ///< vshl, vshr: the amount modulo 32, otherwise at most 32
  SecondOp second = SecondOp::none;
  Compare compare = Compare::eq;  ///< vset
};
std::uint32_t scalar_video(const ScalarVideo& form, std::uint32_t a, std::uint32_t b, std::uint32_t c);

/// vmad: a * b + c in wide arithmetic. The product is negated where `negate_product` (one of the operands
/// is), `c` where `negate_c`; plus_one is .po. `shift` is 0, 7 or 15.
struct VideoMad {
  bool a_signed = false, b_signed = false;
  Part a_part = Part::word, b_part = Part::word;
  bool negate_product = false, negate_c = false, plus_one = false;
  int shift = 0;
  bool sat = false;
};
std::uint32_t video_mad(const VideoMad& form, std::uint32_t a, std::uint32_t b, std::uint32_t c);

/// vadd2/4, vsub2/4, vavrg2/4, vabsdiff2/4, vmin2/4, vmax2/4 and vset2/4. Lane i of the first operand is the
/// one that nibble i of `a_select` numbers among those of {b, a} (0: a's lowest); likewise `b_select`. `mask`
/// bit i writes lane i, the others come from `c`; with `accumulate` the masked lanes are added to the whole
/// of `c` instead.
struct SimdVideo {
  VideoOp op = VideoOp::add;
  int lanes = 4;  ///< 2 or 4
  bool result_signed = false, a_signed = false, b_signed = false;
  bool sat = false;
  bool accumulate = false;
  std::uint32_t mask = 0xf;
  std::uint32_t a_select = 0x3210;
  std::uint32_t b_select = 0x7654;
  Compare compare = Compare::eq;
};
std::uint32_t simd_video(const SimdVideo& form, std::uint32_t a, std::uint32_t b, std::uint32_t c);

}  // namespace kgen::emulator
