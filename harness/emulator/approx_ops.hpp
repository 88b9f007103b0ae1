#pragma once

#include <cstdint>

#include "harness/emulator/arith_format.hpp"

namespace kgen::emulator {

/// The approximate instructions (PTX ISA, "Floating Point Instructions" and "Half Precision Floating Point
/// Instructions", each under the instruction's own name). The ISA bounds their errors and leaves the bits
/// open. Here each (but one) is computed in double and rounded once to nearest, at most 1 ulp of the result's
/// type from the exact value, which lies within every bound; special values are as documented. `ftz` flushes
/// subnormal operands and results to zeros of their sign. Every f32 NaN is 0x7fffffff.

/// ex2.approx.f32: 2^a. The ISA allows 2 ulp over the full range (2^-22 relative).
std::uint32_t ex2_approx_f32(std::uint32_t a, bool ftz);
/// lg2.approx.f32: base-2 logarithm; -inf of zeros, NaN below. Allowed: 2^-22 absolute in (0.5, 2), else
/// relative.
std::uint32_t lg2_approx_f32(std::uint32_t a, bool ftz);
/// sin.approx.f32 and cos.approx.f32, radians; NaN of infinities. Allowed: 2^-20.5 absolute in [-pi, pi]. As
/// on the hardware the argument is first multiplied by 1/(2 pi) in f32, towards zero, so that large arguments
/// lose their fraction just as they do there: a kernel that relies on them is not made to look better than it
/// is.
std::uint32_t sin_approx_f32(std::uint32_t a, bool ftz);
std::uint32_t cos_approx_f32(std::uint32_t a, bool ftz);
/// tanh.approx.f32. Allowed: 2^-11 relative; subnormals stay. An H200 errs by up to 2^-16.8, less where the
/// result is next to 1 (tests/emulator_differential/expected/approx.txt), and so does this: the operand is
/// rounded to 16 bits, so that a kernel that needs f32's precision is seen to lack it.
std::uint32_t tanh_approx_f32(std::uint32_t a);
/// rcp.approx.f32 (1 ulp), sqrt.approx.f32 (2^-23 relative), rsqrt.approx.f32 (2^-22.9 relative).
std::uint32_t rcp_approx_f32(std::uint32_t a, bool ftz);
std::uint32_t sqrt_approx_f32(std::uint32_t a, bool ftz);
std::uint32_t rsqrt_approx_f32(std::uint32_t a, bool ftz);
/// div.approx.f32: 2 ulp for |b| in [2^-126, 2^126]; beyond 2^126 the result is a zero, NaN for an infinite
/// `a`.
std::uint32_t div_approx_f32(std::uint32_t a, std::uint32_t b, bool ftz);
/// div.full.f32: 2 ulp over the full range.
std::uint32_t div_full_f32(std::uint32_t a, std::uint32_t b, bool ftz);

/// ex2.approx.f16 (2^-9.9 relative), ex2.approx.ftz.bf16 (2^-7), tanh.approx.f16 (2^-10.987 absolute) and
/// tanh.approx.bf16 (2^-8). `format` is kF16 or kBf16.
std::uint32_t ex2_approx_half(const FloatFormat& format, std::uint32_t a, bool ftz);
std::uint32_t tanh_approx_half(const FloatFormat& format, std::uint32_t a);

/// rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64: 2^-20 relative. Only the upper 32 bits of the operand
/// count, the lower 32 of the result are 0; NaN is 0x7fffffff00000000. rsqrt.approx.f64 is CUDA's rsqrt() of
/// double: 1 ulp.
std::uint64_t rcp_approx_f64(std::uint64_t a);
std::uint64_t rsqrt_approx_f64(std::uint64_t a, bool ftz);

}  // namespace kgen::emulator
