#include "support/operand_source.hpp"

namespace kgen::support {

using emulator::ScalarType;

std::uint64_t OperandSource::random() {
  state_ += 0x9e3779b97f4a7c15ull;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

std::uint64_t OperandSource::next_float(int exponent_bits, int mantissa_bits) {
  const std::uint64_t sign = (random() & 1) << (exponent_bits + mantissa_bits);
  const std::uint64_t infinity = ((1ull << exponent_bits) - 1) << mantissa_bits;
  const std::uint64_t bias = (1ull << (exponent_bits - 1)) - 1;
  const std::uint64_t one = bias << mantissa_bits;
  const std::uint64_t step = 1ull << mantissa_bits;
  const std::uint64_t fraction = random() & (step - 1);
  const std::uint64_t edges[] = {0,
                                 1,
                                 step - 1,
                                 step,
                                 step + 1,
                                 one - 1,
                                 one,
                                 one + 1,
                                 one - step,
                                 one + step / 2,
                                 infinity - 1,
                                 infinity,
                                 infinity,
                                 infinity | 1,
                                 infinity + step / 2};
  switch (random() % 8) {
    case 0:
    case 1:
      return sign | edges[random() % (sizeof edges / sizeof edges[0])];
    case 2:  // any pattern
      return sign | (random() & (infinity | (step - 1)));
    case 3:  // few mantissa bits: halves, ties and whole numbers
      return sign | ((bias + random() % 12) << mantissa_bits) | (fraction & ~((step >> 3) - 1));
    case 4:  // a subnormal or a small normal
      return sign | ((random() % 3) << mantissa_bits) | fraction;
    case 5:  // as large as integers get
      return sign | ((bias + random() % (bias > 66 ? 66 : bias)) << mantissa_bits) | fraction;
    default:  // near one
      return sign | ((bias - 4 + random() % 9) << mantissa_bits) | fraction;
  }
}

std::uint64_t OperandSource::next_integer(int width) {
  const std::uint64_t mask = ~0ull >> (64 - width);
  const std::uint64_t top = 1ull << (width - 1);
  const std::uint64_t edges[] = {0,    1,    2,    top - 1, top, top + 1, mask, mask - 1,
                                 0x80, 0x7f, 0xff, 0x8000,  31,  32,      33,   64};
  switch (random() % 4) {
    case 0:
      return edges[random() % (sizeof edges / sizeof edges[0])] & mask;
    case 1:  // small, of either sign
      return (random() % 2 != 0 ? random() % 80 : ~(random() % 80)) & mask;
    case 2:  // random length
      return (random() & mask) >> (random() % static_cast<std::uint64_t>(width));
    default:
      return random() & mask;
  }
}

std::uint64_t OperandSource::next(ScalarType type) {
  switch (type) {
    case ScalarType::f64:
      return next_float(11, 52);
    case ScalarType::f32:
      return next_float(8, 23);
    case ScalarType::tf32:
      return next_float(8, 10) << 13;
    case ScalarType::f16:
      return next_float(5, 10);
    case ScalarType::bf16:
      return next_float(8, 7);
    case ScalarType::f16x2:
    case ScalarType::bf16x2: {
      const std::uint64_t high = next(emulator::element_of(type));
      return high << 16 | next(emulator::element_of(type));
    }
    case ScalarType::pred:
      return random() & 1;
    default:
      return next_integer(bits_of(type));
  }
}

}  // namespace kgen::support
