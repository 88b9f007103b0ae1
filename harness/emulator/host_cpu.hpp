#pragma once
// What the CPU that the emulator runs on can do.

namespace kgen::emulator {

/// Whether functions built for AVX2 may be called here.
inline bool has_avx2() {
#if defined(__x86_64__)
  static const bool has = __builtin_cpu_supports("avx2") != 0;
  return has;
#else
  return false;
#endif
}

/// Whether functions built for AVX2 and F16C may be called here.
inline bool has_f16c() {
#if defined(__x86_64__)
  static const bool has = has_avx2() && __builtin_cpu_supports("f16c") != 0;
  return has;
#else
  return false;
#endif
}

}  // namespace kgen::emulator
