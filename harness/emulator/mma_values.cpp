#include "harness/emulator/mma_values.hpp"

#include <array>
#include <bit>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "harness/emulator/arith_f32.hpp"
#include "harness/emulator/arith_half.hpp"
#include "harness/emulator/host_cpu.hpp"

namespace kgen::emulator {
namespace {

/// Loops that the host's vectors take: no branches, one output after the other.
#define KGEN_ALWAYS_INLINE inline __attribute__((always_inline))

/// f16 to f32 without a branch. A normal number's exponent is re-biased by 112. A subnormal one is made a
/// number of 2^-14's binade, from which 2^-14 is then taken away; infinities and NaN get the largest
/// exponent.
KGEN_ALWAYS_INLINE float single_of_f16(std::uint32_t half) {
  const std::uint32_t magnitude = (half & 0x7fffu) << 13;
  const std::uint32_t subnormal =
      std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude + (113u << 23)) - 0x1p-14f);
  const std::uint32_t normal = magnitude + (112u << 23);
  const std::uint32_t special = magnitude | 0x7f800000u;
  const std::uint32_t finite = magnitude < (1u << 23) ? subnormal : normal;
  const std::uint32_t chosen = magnitude >= (31u << 23) ? special : finite;
  return std::bit_cast<float>(chosen | (half & 0x8000u) << 16);
}

KGEN_ALWAYS_INLINE void values_of_f16(const std::uint32_t* lanes, double* values) {
  for (int lane = 0; lane < 32; ++lane) {
    values[2 * lane] = static_cast<double>(single_of_f16(lanes[lane] & 0xffffu));
    values[2 * lane + 1] = static_cast<double>(single_of_f16(lanes[lane] >> 16));
  }
}
KGEN_ALWAYS_INLINE void values_of_bf16(const std::uint32_t* lanes, double* values) {
  for (int lane = 0; lane < 32; ++lane) {
    values[2 * lane] = static_cast<double>(std::bit_cast<float>(lanes[lane] << 16));
    values[2 * lane + 1] = static_cast<double>(std::bit_cast<float>(lanes[lane] & 0xffff0000u));
  }
}
KGEN_ALWAYS_INLINE void values_of_singles(std::uint32_t mask, const std::uint32_t* lanes, double* values) {
  for (int lane = 0; lane < 32; ++lane)
    values[lane] = static_cast<double>(std::bit_cast<float>(lanes[lane] & mask));
}

KGEN_ALWAYS_INLINE void values_of_halves(ScalarType type, const std::uint32_t* lanes, double* values) {
  if (type == ScalarType::f16) return values_of_f16(lanes, values);
  values_of_bf16(lanes, values);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) void values_of_halves_avx2(ScalarType type, const std::uint32_t* lanes,
                                                           double* values) {
  values_of_halves(type, lanes, values);
}
/// The halves of the lanes' registers stand in a row already; the conversion is exact.
__attribute__((target("avx2,f16c"))) void values_of_f16_f16c(const std::uint32_t* lanes, double* values) {
  for (int i = 0; i < 64; i += 8) {
    const __m256 singles = _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(lanes + i / 2)));
    _mm256_storeu_pd(values + i, _mm256_cvtps_pd(_mm256_castps256_ps128(singles)));
    _mm256_storeu_pd(values + i + 4, _mm256_cvtps_pd(_mm256_extractf128_ps(singles, 1)));
  }
}
#else
void values_of_f16_f16c(const std::uint32_t* lanes, double* values) {
  values_of_f16(lanes, values);
}
void values_of_halves_avx2(ScalarType type, const std::uint32_t* lanes, double* values) {
  values_of_halves(type, lanes, values);
}
#endif

template <const FloatFormat& F>
const std::array<double, 256>& values_of_bytes() {
  static const std::array<double, 256> table = [] {
    std::array<double, 256> values{};
    for (std::uint64_t bits = 0; bits < 256; ++bits) {
      values[bits] = std::bit_cast<double>(convert_float(kF64, F, bits, Rounding::rn));
    }
    return values;
  }();
  return table;
}

void look_up(const std::array<double, 256>& table, const std::uint32_t* lanes, double* values) {
  for (int i = 0; i < 128; ++i) values[i] = table[(lanes[i / 4] >> (8 * (i % 4))) & 0xffu];
}

}  // namespace

void mma_values(ScalarType type, const std::uint32_t* lanes, double* values) {
  switch (type) {
    case ScalarType::f16:
      if (has_f16c()) return values_of_f16_f16c(lanes, values);
      [[fallthrough]];
    case ScalarType::bf16:
      return has_avx2() ? values_of_halves_avx2(type, lanes, values) : values_of_halves(type, lanes, values);
    case ScalarType::e4m3:
      return look_up(values_of_bytes<kE4m3>(), lanes, values);
    case ScalarType::e5m2:
      return look_up(values_of_bytes<kE5m2>(), lanes, values);
    default:
      return values_of_singles(type == ScalarType::tf32 ? 0xffffe000u : ~0u, lanes, values);
  }
}

void mma_pack(ScalarType type, const double* values, std::uint32_t* lanes) {
  if (type == ScalarType::f16) {
    for (int lane = 0; lane < 32; ++lane) {
      lanes[lane] = half_of<kF16>(values[2 * lane + 1]) << 16 | half_of<kF16>(values[2 * lane]);
    }
    return;
  }
  for (int lane = 0; lane < 32; ++lane) {
    const std::uint32_t bits = bits_of_f32(static_cast<float>(values[lane]));
    lanes[lane] = is_nan_f32(bits) ? kNanF32 : bits;
  }
}

}  // namespace kgen::emulator
