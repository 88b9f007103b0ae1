#pragma once

#include "harness/emulator/lanes.hpp"
#include "harness/emulator/warp.hpp"

/// Loops of instructions over lanes. F is a stateless function object; it gets the operands of one lane and
/// the instruction's modifiers. Operands may be the same register as the result, never half of it.
namespace kgen::emulator {

template <class D, class A, class F>
void run_unary(Warp& warp, const Instr& instr, U32 mask) {
  D* const d = warp.at<D>(instr.d);
  const A* const a = warp.at<A>(instr.a);
  const F f{};
  if (mask == kAllLanes) {
    KGEN_INDEPENDENT_LANES
    for (U32 lane = 0; lane < kLanes; ++lane) d[lane] = f(a[lane], instr.modifiers);
  } else {
    for_lanes(mask, [&](U32 lane) { d[lane] = f(a[lane], instr.modifiers); });
  }
}

template <class D, class A, class B, class F>
void run_binary(Warp& warp, const Instr& instr, U32 mask) {
  D* const d = warp.at<D>(instr.d);
  const A* const a = warp.at<A>(instr.a);
  const B* const b = warp.at<B>(instr.b);
  const F f{};
  if (mask == kAllLanes) {
    KGEN_INDEPENDENT_LANES
    for (U32 lane = 0; lane < kLanes; ++lane) d[lane] = f(a[lane], b[lane], instr.modifiers);
  } else {
    for_lanes(mask, [&](U32 lane) { d[lane] = f(a[lane], b[lane], instr.modifiers); });
  }
}

template <class D, class A, class B, class C, class F>
void run_ternary(Warp& warp, const Instr& instr, U32 mask) {
  D* const d = warp.at<D>(instr.d);
  const A* const a = warp.at<A>(instr.a);
  const B* const b = warp.at<B>(instr.b);
  const C* const c = warp.at<C>(instr.c);
  const F f{};
  if (mask == kAllLanes) {
    KGEN_INDEPENDENT_LANES
    for (U32 lane = 0; lane < kLanes; ++lane) d[lane] = f(a[lane], b[lane], c[lane], instr.modifiers);
  } else {
    for_lanes(mask, [&](U32 lane) { d[lane] = f(a[lane], b[lane], c[lane], instr.modifiers); });
  }
}

/// A handler from a lambda without captures: unary<U32, U32>([](U32 a, const Modifiers&) { return ~a; }).
template <class D, class A, class F>
Handler unary(F) {
  return run_unary<D, A, F>;
}
template <class D, class A, class B, class F>
Handler binary(F) {
  return run_binary<D, A, B, F>;
}
template <class D, class A, class B, class C, class F>
Handler ternary(F) {
  return run_ternary<D, A, B, C, F>;
}

/// Bit l of lane l.
struct LaneBits {
  U32 of[kLanes] = {};
  constexpr LaneBits() {
    for (U32 lane = 0; lane < kLanes; ++lane) of[lane] = 1u << lane;
  }
};
inline constexpr LaneBits kLaneBits;

/// The mask of lanes for which f(a, b) holds.
template <class A, class F>
U32 mask_where(const A* a, const A* b, F f) {
  U32 bits = 0;
  for (U32 lane = 0; lane < kLanes; ++lane) bits |= f(a[lane], b[lane]) ? kLaneBits.of[lane] : 0u;
  return bits;
}

inline void set_predicate(Warp& warp, U32 slot, U32 mask, U32 bits) {
  U32& predicate = warp.predicate(slot);
  predicate = (predicate & ~mask) | (bits & mask);
}

}  // namespace kgen::emulator
