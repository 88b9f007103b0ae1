#include "harness/emulator/fma_lanes.hpp"

#include "harness/emulator/arith_f32.hpp"
#include "harness/emulator/arith_f64.hpp"
#include "harness/emulator/lane_loops.hpp"

namespace kgen::emulator {
namespace {

void portable_f32(Warp& warp, const Instr& instr, U32 mask) {
  U32* const d = warp.at<U32>(instr.d);
  const U32 *const a = warp.at<U32>(instr.a), *const b = warp.at<U32>(instr.b),
                   *const c = warp.at<U32>(instr.c);
  for_lanes(mask, [&](U32 lane) { d[lane] = fma_f32(a[lane], b[lane], c[lane]); });
}
void portable_f64(Warp& warp, const Instr& instr, U32 mask) {
  U64* const d = warp.at<U64>(instr.d);
  const U64 *const a = warp.at<U64>(instr.a), *const b = warp.at<U64>(instr.b),
                   *const c = warp.at<U64>(instr.c);
  for_lanes(mask, [&](U32 lane) { d[lane] = fma_f64(a[lane], b[lane], c[lane]); });
}

#if defined(__x86_64__)
#define KGEN_FMA_TARGET __attribute__((target("avx2,fma")))

KGEN_FMA_TARGET void vector_f32(Warp& warp, const Instr& instr, U32 mask) {
  if (mask != kAllLanes) return portable_f32(warp, instr, mask);
  float* const d = warp.at<float>(instr.d);
  const float *const a = warp.at<float>(instr.a), *const b = warp.at<float>(instr.b),
                     *const c = warp.at<float>(instr.c);
  const float canonical = float_of(kNanF32);
  KGEN_INDEPENDENT_LANES
  for (U32 lane = 0; lane < kLanes; ++lane) {
    const float result = __builtin_fmaf(a[lane], b[lane], c[lane]);
    d[lane] = result == result ? result : canonical;
  }
}

KGEN_FMA_TARGET void vector_f64(Warp& warp, const Instr& instr, U32 mask) {
  if (mask != kAllLanes) return portable_f64(warp, instr, mask);
  double* const d = warp.at<double>(instr.d);
  const double *const a = warp.at<double>(instr.a), *const b = warp.at<double>(instr.b),
                      *const c = warp.at<double>(instr.c);
  double results[kLanes];
  bool any_nan = false;
  KGEN_INDEPENDENT_LANES
  for (U32 lane = 0; lane < kLanes; ++lane) {
    results[lane] = __builtin_fma(a[lane], b[lane], c[lane]);
    any_nan |= results[lane] != results[lane];
  }
  if (any_nan) return portable_f64(warp, instr, mask);  // which NaN it is depends on the operands
  for (U32 lane = 0; lane < kLanes; ++lane) d[lane] = results[lane];
}

#undef KGEN_FMA_TARGET

bool has_fma() {
  return __builtin_cpu_supports("fma") != 0 && __builtin_cpu_supports("avx2") != 0;
}
#endif

}  // namespace

Handler plain_fma_f32() {
#if defined(__x86_64__)
  if (has_fma()) return vector_f32;
#endif
  return portable_f32;
}

Handler plain_fma_f64() {
#if defined(__x86_64__)
  if (has_fma()) return vector_f64;
#endif
  return portable_f64;
}

}  // namespace kgen::emulator
