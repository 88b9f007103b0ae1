#pragma once

#include <cfenv>

#include "harness/emulator/arith_rounding.hpp"

namespace kgen::emulator {

inline constexpr Rounding kDirected[] = {Rounding::rn, Rounding::rz, Rounding::rm, Rounding::rp};

/// The host's rounding mode while it lives; its operands must be volatile, or the compiler computes at build
/// time.
class HostRounding {
 public:
  explicit HostRounding(Rounding rounding) : before_(std::fegetround()) {
    std::fesetround(mode_of(rounding));
  }
  ~HostRounding() { std::fesetround(before_); }
  HostRounding(const HostRounding&) = delete;
  HostRounding& operator=(const HostRounding&) = delete;

 private:
  static int mode_of(Rounding rounding) {
    switch (rounding) {
      case Rounding::rz:
        return FE_TOWARDZERO;
      case Rounding::rm:
        return FE_DOWNWARD;
      case Rounding::rp:
        return FE_UPWARD;
      default:
        return FE_TONEAREST;
    }
  }
  int before_;
};

/// `operation` on the host, in `rounding`.
template <typename T, typename Operation>
T in_rounding(Rounding rounding, Operation operation, T a, T b = T(0), T c = T(0)) {
  volatile T x = a;
  volatile T y = b;
  volatile T z = c;
  const HostRounding mode(rounding);
  volatile T result = operation(T(x), T(y), T(z));
  return result;
}

}  // namespace kgen::emulator
