#include "harness/emulator/atomic_ops.hpp"

#include "harness/emulator/arith_f32.hpp"
#include "harness/emulator/arith_f64.hpp"
#include "harness/emulator/arith_half.hpp"
#include "harness/emulator/compare_ops.hpp"

namespace kgen::emulator {
namespace {

std::uint64_t add_of(ScalarType type, std::uint64_t a, std::uint64_t b, bool ftz) {
  const auto x = static_cast<std::uint32_t>(a);
  const auto y = static_cast<std::uint32_t>(b);
  switch (type) {
    case ScalarType::f32:
      return add_f32(x, y, Rounding::rn, ftz);
    case ScalarType::f64:
      return add_f64(a, b);
    case ScalarType::f16:
      return add_half<kF16>(x, y);
    case ScalarType::bf16:
      return add_half<kBf16>(x, y);
    default:
      return a + b;
  }
}

const FloatFormat* atomic_format(ScalarType type) {
  switch (type) {
    case ScalarType::f16:
      return &kF16;
    case ScalarType::bf16:
      return &kBf16;
    case ScalarType::f32:
      return &kF32;
    case ScalarType::f64:
      return &kF64;
    default:
      return nullptr;
  }
}

std::uint64_t extreme_of(ScalarType type, std::uint64_t a, std::uint64_t b, bool largest) {
  if (const FloatFormat* format = atomic_format(type))
    return largest ? max_float(*format, a, b) : min_float(*format, a, b);
  return compare(Compare::lt, type, a, b) != largest ? a : b;
}

}  // namespace

std::uint64_t atomic_result(AtomicOp op, ScalarType type, std::uint64_t old, std::uint64_t b, std::uint64_t c,
                            bool ftz) {
  if (const ScalarType half = element_of(type); half != type) {
    const std::uint64_t high = atomic_result(op, half, old >> 16, b >> 16, c >> 16, ftz);
    return high << 16 | atomic_result(op, half, old, b, c, ftz);
  }
  const std::uint64_t mask = ~0ull >> (64 - bits_of(type));
  old &= mask;
  b &= mask;
  switch (op) {
    case AtomicOp::add:
      return add_of(type, old, b, ftz) & mask;
    case AtomicOp::inc:
      return old >= b ? 0 : old + 1;
    case AtomicOp::dec:
      return old == 0 || old > b ? b : old - 1;
    case AtomicOp::min:
      return extreme_of(type, old, b, false);
    case AtomicOp::max:
      return extreme_of(type, old, b, true);
    case AtomicOp::logical_and:
      return old & b;
    case AtomicOp::logical_or:
      return old | b;
    case AtomicOp::logical_xor:
      return old ^ b;
    case AtomicOp::exch:
      return b;
    case AtomicOp::cas:
      return old == b ? c & mask : old;
  }
  return old;
}

}  // namespace kgen::emulator
