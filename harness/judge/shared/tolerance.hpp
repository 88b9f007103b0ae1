#pragma once

#include "harness/judge/shared/dtype_bits.hpp"

namespace kgen::judge {

/// How outputs of one tensor are compared, resolved for one task (docs/verification.md derives it).
struct ToleranceParams {
  int dtype = kF32;
  double u_out = 0;         ///< unit roundoff of the output's dtype
  double u_acc = 0;         ///< of the accumulator's
  double steps = 0;         ///< elementary roundings beside the sum
  double value_steps = 0;   ///< the same relative to |e|: what sums lose that are cut off, not rounded
  double growth = 0;        ///< how many roundings' worth a sum of the op's length errs by
  double floor = 0;         ///< absolute: flushed subnormals
  int growth_of_value = 0;  ///< the sum's error is relative to |e|, not to the scale
  int overflow_either = 0;  ///< the largest finite value is as good as an infinity that it stands for
  int propagate = 0;        ///< NaN and Inf must come out where the reference has them; else anything may
  int exact = 0;            ///< equal to the rounded expected value
  int signed_zeros = 0;     ///< 0 and -0 are different values
  int rounds = 0;           ///< an integer output that is rounded from a computed value: `floor` has the 1/2
};

/// Whether an output's elements must be the rounded expected values, with no error allowed.
KGEN_SHARED bool must_be_equal(const ToleranceParams& p) {
  return p.exact || !(is_float_code(p.dtype) || p.rounds);
}

/// Largest error allowed at an element whose exact value is `e`; `scale` as core::Tolerance says.
KGEN_SHARED double allowed_error(const ToleranceParams& p, double e, double scale) {
  const double magnitude = absolute(e);
  const double sum_scale = p.growth_of_value ? magnitude : scale;
  const double roundings = plus(times(p.steps, scale), times(p.value_steps, magnitude));
  const double inner = times(p.u_acc, plus(roundings, times(p.growth, sum_scale)));
  // The result is rounded to the output's dtype after it has erred by `inner`.
  return plus(plus(inner, times(p.u_out, plus(magnitude, inner))), p.floor);
}

constexpr double kInfiniteRatio = 1e300;  ///< error over tolerance where no number would say it

KGEN_SHARED bool same_sign(double a, double b) {
  return (bits_of(a) >> 63) == (bits_of(b) >> 63);
}

/// A zero of the other sign than the expected one, where signs of zeros count.
KGEN_SHARED bool wrong_zero(const ToleranceParams& p, double got, double e) {
  return p.signed_zeros && got == 0.0 && e == 0.0 && !same_sign(got, e);
}

/// An infinite (or, in formats without infinity, NaN) or saturated `got` where |e| lies at the edge of
/// overflow.
KGEN_SHARED bool right_overflow(const ToleranceParams& p, double got, double e, double allowed) {
  const double largest = largest_finite(p.dtype);
  // Values from here on round to infinity: half a spacing above the largest.
  const U64 exponent = bits_of(largest) & 0x7ff0000000000000ull;
  const double half_spacing = times(double_of(exponent), power_of_two(-1 - format_of(p.dtype).mantissa_bits));
  const double edge = plus(largest, half_spacing);
  const double reach = plus(absolute(e), allowed);
  const bool past = !(reach < edge);
  if (!past) return false;
  if (is_nan(got)) return !format_of(p.dtype).has_infinity;
  if (!same_sign(got, e)) return false;
  if (is_infinite(got)) return true;
  return p.overflow_either && absolute(got) == largest;
}

/// The 8-bit types' stand-ins for an infinity (OCP OFP8 rev. 1.0, 5.2, conversion with and without
/// saturation): the largest value, and NaN in E4M3, which has no infinity.
KGEN_SHARED bool right_infinity(const ToleranceParams& p, double got, double e) {
  if (!is_float_code(p.dtype) || bytes_of_code(p.dtype) != 1) return false;
  if (is_nan(got)) return !format_of(p.dtype).has_infinity;
  return p.overflow_either && same_sign(got, e) && absolute(got) == largest_finite(p.dtype);
}

/// Whether an expected whole number, which is an fp64 number, stands for others as well: no 64-bit result is
/// known to be right there.
KGEN_SHARED bool is_beyond_fp64(int dtype, double e) {
  return !is_float_code(dtype) && bytes_of_code(dtype) == 8 && absolute(e) > 9007199254740992.0;
}

KGEN_SHARED double exact_ratio(const ToleranceParams& p, double got, double e) {
  if (is_beyond_fp64(p.dtype, e)) return kInfiniteRatio;
  const double want = decode(p.dtype, encode(p.dtype, e));
  if (got == want) return 0.0;
  if (is_float_code(p.dtype) && right_overflow(p, got, e, 0.0)) return 0.0;
  return kInfiniteRatio;
}

/// Error of `got` over what is allowed: at most 1 where the element is right.
KGEN_SHARED double error_ratio(const ToleranceParams& p, double got, double e, double scale) {
  if (is_nan(e)) return !p.propagate || is_nan(got) ? 0.0 : kInfiniteRatio;
  if (is_infinite(e)) return !p.propagate || got == e || right_infinity(p, got, e) ? 0.0 : kInfiniteRatio;
  if (wrong_zero(p, got, e)) return kInfiniteRatio;
  if (must_be_equal(p)) return exact_ratio(p, got, e);
  // A scale that is no number says nothing (|a| + |b| where a is -Inf and relu gives 0): then |e| is the
  // scale.
  const bool has_scale = !is_nan(scale) && !is_infinite(scale);
  const double allowed = allowed_error(p, e, has_scale ? scale : absolute(e));
  const double error = absolute(plus(got, -e));
  if (error <= allowed) return allowed > 0 ? error / allowed : 0.0;
  if (is_float_code(p.dtype) && right_overflow(p, got, e, allowed)) return 0.0;
  if (is_nan(error) || is_infinite(error) || !(allowed > 0)) return kInfiniteRatio;
  return error / allowed;
}

}  // namespace kgen::judge
