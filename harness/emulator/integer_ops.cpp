#include "harness/emulator/integer_ops.hpp"

#include <limits>

namespace kgen::emulator {
namespace {

std::int64_t byte_of(std::uint32_t word, int index, bool is_signed) {
  const std::uint32_t byte = (word >> (8 * index)) & 0xffu;
  return is_signed ? static_cast<std::int8_t>(byte) : static_cast<std::int64_t>(byte);
}
std::int64_t half_of_word(std::uint32_t word, int index, bool is_signed) {
  const std::uint32_t half = (word >> (16 * index)) & 0xffffu;
  return is_signed ? static_cast<std::int16_t>(half) : static_cast<std::int64_t>(half);
}

/// Which source byte goes to byte `lane` of a permutation with a mode (PTX ISA, "prmt", the table of modes).
int permuted_byte(PermuteMode mode, int lane, int control) {
  switch (mode) {
    case PermuteMode::f4e:
      return control + lane;
    case PermuteMode::b4e:
      return (control - lane) & 7;
    case PermuteMode::rc8:
      return control;
    case PermuteMode::ecl:
      return std::max(lane, control);
    case PermuteMode::ecr:
      return std::min(lane, control);
    default:  // rc16
      return (control & 1) * 2 + (lane & 1);
  }
}

}  // namespace

std::uint32_t prmt(std::uint32_t a, std::uint32_t b, std::uint32_t control, PermuteMode mode) {
  const std::uint64_t bytes = static_cast<std::uint64_t>(b) << 32 | a;
  std::uint32_t result = 0;
  for (int lane = 0; lane < 4; ++lane) {
    const std::uint32_t selector = (control >> (4 * lane)) & 0xfu;
    const int from = mode == PermuteMode::generic ? static_cast<int>(selector & 7u)
                                                  : permuted_byte(mode, lane, static_cast<int>(control & 3u));
    auto byte = static_cast<std::uint32_t>(bytes >> (8 * from)) & 0xffu;
    const bool replicates_sign = mode == PermuteMode::generic && (selector & 8u) != 0;
    if (replicates_sign) byte = (byte & 0x80u) != 0 ? 0xffu : 0u;
    result |= byte << (8 * lane);
  }
  return result;
}

std::uint32_t bmsk(std::uint32_t position, std::uint32_t width, bool wrap) {
  if (!wrap && position >= 32) return 0;
  const std::uint32_t from = position & 31u;
  const std::uint32_t upward = ~0u << from;
  if (!wrap && width >= 32) return upward;
  const std::uint32_t end = from + (width & 31u);
  return end >= 32 ? upward : upward & ~(~0u << end);
}

std::uint32_t szext(std::uint32_t a, std::uint32_t width, bool is_signed, bool wrap) {
  if (!wrap && width >= 32) return a;
  const std::uint32_t n = width & 31u;
  if (n == 0) return 0;
  const std::uint32_t above = ~0u << n;
  const bool negative = is_signed && ((a >> (n - 1)) & 1u) != 0;
  return negative ? a | above : a & ~above;
}

std::uint32_t fns(std::uint32_t mask, std::uint32_t base, std::int32_t offset) {
  const auto is_set = [&](std::int64_t at) { return ((mask >> at) & 1u) != 0; };
  if (base > 31) return ~0u;
  // An H200 gives 0 for the offset that has no positive counterpart, whatever the mask.
  if (offset == std::numeric_limits<std::int32_t>::min()) return 0;
  if (offset == 0) return is_set(base) ? base : ~0u;
  const int step = offset > 0 ? 1 : -1;
  std::int64_t left = offset > 0 ? offset : -static_cast<std::int64_t>(offset);
  for (std::int64_t at = base; at >= 0 && at < 32; at += step) {
    if (is_set(at) && --left == 0) return static_cast<std::uint32_t>(at);
  }
  return ~0u;
}

std::uint32_t dp4a(std::uint32_t a, bool a_signed, std::uint32_t b, bool b_signed, std::uint32_t c) {
  std::int64_t sum = c;
  for (int i = 0; i < 4; ++i) sum += byte_of(a, i, a_signed) * byte_of(b, i, b_signed);
  return static_cast<std::uint32_t>(sum);
}

std::uint32_t dp2a(std::uint32_t a, bool a_signed, std::uint32_t b, bool b_signed, std::uint32_t c,
                   bool high) {
  std::int64_t sum = c;
  for (int i = 0; i < 2; ++i) sum += half_of_word(a, i, a_signed) * byte_of(b, i + (high ? 2 : 0), b_signed);
  return static_cast<std::uint32_t>(sum);
}

}  // namespace kgen::emulator
