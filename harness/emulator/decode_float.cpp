#include "harness/emulator/approx_ops.hpp"
#include "harness/emulator/arith_f32.hpp"
#include "harness/emulator/arith_f64.hpp"
#include "harness/emulator/arith_half.hpp"
#include "harness/emulator/compare_ops.hpp"
#include "harness/emulator/decode_table.hpp"
#include "harness/emulator/fma_lanes.hpp"
#include "harness/emulator/lane_loops.hpp"

// Floating-point arithmetic (PTX ISA, "Floating Point Instructions", "Half Precision Floating Point
// Instructions"). The plain forms have loops that the compiler turns into vector instructions; others go by
// their modifiers.
namespace kgen::emulator {
namespace {

using ptx::Type;

HalfModifiers half_of(const Modifiers& m) {
  return {.ftz = m.ftz, .sat = m.sat, .relu = m.relu};
}
MinMaxModifiers min_max_of(const Modifiers& m) {
  return {.ftz = m.ftz, .nan = m.nan, .xorsign_abs = m.xorsign};
}

bool is_plain(const Modifiers& m) {
  return m.rounding == Rounding::rn && !m.ftz && !m.sat && !m.relu && !m.nan && !m.xorsign;
}
bool is_plain_ftz(const Modifiers& m) {
  return m.rounding == Rounding::rn && m.ftz && !m.sat && !m.relu && !m.nan && !m.xorsign;
}

/// A binary f32 operation op(a, b, rounding, ftz, sat): plain, flushing or by its modifiers.
#define KGEN_F32_BINARY(op)                                                                               \
  (is_plain(m) ? binary<U32, U32, U32>(                                                                   \
                     [](U32 a, U32 b, const Modifiers&) { return op(a, b, Rounding::rn, false, false); }) \
   : is_plain_ftz(m) ? binary<U32, U32, U32>([](U32 a, U32 b, const Modifiers&) {                         \
       return op(a, b, Rounding::rn, true, false);                                                        \
     })                                                                                                   \
                     : binary<U32, U32, U32>([](U32 a, U32 b, const Modifiers& n) {                       \
                         return op(a, b, n.rounding, n.ftz, n.sat);                                       \
                       }))

/// A half operation on one value or a pair of either format.
#define KGEN_HALF_BINARY(op)                                                                               \
  (is_pair ? (is_brain ? binary<U32, U32, U32>([](U32 a, U32 b, const Modifiers& n) {                      \
    return on_pair([&](U32 x, U32 y) { return op<kBf16>(x, y, half_of(n)); }, a, b);                       \
  })                                                                                                       \
                       : binary<U32, U32, U32>([](U32 a, U32 b, const Modifiers& n) {                      \
                           return on_pair([&](U32 x, U32 y) { return op<kF16>(x, y, half_of(n)); }, a, b); \
                         }))                                                                               \
           : (is_brain ? binary<U16, U16, U16>([](U16 a, U16 b, const Modifiers& n) {                      \
               return static_cast<U16>(op<kBf16>(a, b, half_of(n)));                                       \
             })                                                                                            \
                       : binary<U16, U16, U16>([](U16 a, U16 b, const Modifiers& n) {                      \
                           return static_cast<U16>(op<kF16>(a, b, half_of(n)));                            \
                         })))

bool is_brain_type(const Type& type) {
  return type.name.starts_with("bf16");
}

/// min or max of two f32 without modifiers, in selections that vectorise.
template <bool kMaximum, bool kFlush>
U32 min_max_f32(U32 a, U32 b) {
  if constexpr (kFlush) {
    a = flush_f32(a);
    b = flush_f32(b);
  }
  const float x = float_of(a), y = float_of(b);
  const U32 zeros = kMaximum ? a & b : a | b;  // equal values: only of zeros can the bits differ
  const U32 ordered = (kMaximum ? x > y : x < y) ? a : (x == y ? zeros : b);
  const U32 without_b = x == x ? a : kNanF32;
  return y == y ? (x == x ? ordered : b) : without_b;
}

template <bool kMaximum>
Handler min_max_handler(const Type& type, const Modifiers& m) {
  const bool is_pair = type.kind == Type::Kind::packed, is_brain = is_brain_type(type);
  constexpr auto kOf = kMaximum ? max_float : min_float;
  if (type.name == "f64") {
    return binary<U64, U64, U64>(
        [](U64 a, U64 b, const Modifiers& n) { return kOf(kF64, a, b, min_max_of(n)); });
  }
  if (type.name == "f32") {
    if (is_plain(m))
      return binary<U32, U32, U32>(
          [](U32 a, U32 b, const Modifiers&) { return min_max_f32<kMaximum, false>(a, b); });
    if (is_plain_ftz(m))
      return binary<U32, U32, U32>(
          [](U32 a, U32 b, const Modifiers&) { return min_max_f32<kMaximum, true>(a, b); });
    return binary<U32, U32, U32>(
        [](U32 a, U32 b, const Modifiers& n) { return static_cast<U32>(kOf(kF32, a, b, min_max_of(n))); });
  }
  if (is_pair && is_brain)
    return binary<U32, U32, U32>([](U32 a, U32 b, const Modifiers& n) {
      return on_pair([&](U32 x, U32 y) { return static_cast<U32>(kOf(kBf16, x, y, min_max_of(n))); }, a, b);
    });
  if (is_pair)
    return binary<U32, U32, U32>([](U32 a, U32 b, const Modifiers& n) {
      return on_pair([&](U32 x, U32 y) { return static_cast<U32>(kOf(kF16, x, y, min_max_of(n))); }, a, b);
    });
  if (is_brain)
    return binary<U16, U16, U16>(
        [](U16 a, U16 b, const Modifiers& n) { return static_cast<U16>(kOf(kBf16, a, b, min_max_of(n))); });
  return binary<U16, U16, U16>(
      [](U16 a, U16 b, const Modifiers& n) { return static_cast<U16>(kOf(kF16, a, b, min_max_of(n))); });
}

Handler add_handler(const Type& type, const Modifiers& m) {
  const bool is_pair = type.kind == Type::Kind::packed, is_brain = is_brain_type(type);
  if (type.name == "f32") return KGEN_F32_BINARY(add_f32);
  if (type.name == "f64")
    return binary<U64, U64, U64>([](U64 a, U64 b, const Modifiers& n) { return add_f64(a, b, n.rounding); });
  return KGEN_HALF_BINARY(add_half);
}
Handler sub_handler(const Type& type, const Modifiers& m) {
  const bool is_pair = type.kind == Type::Kind::packed, is_brain = is_brain_type(type);
  if (type.name == "f32") return KGEN_F32_BINARY(sub_f32);
  if (type.name == "f64")
    return binary<U64, U64, U64>([](U64 a, U64 b, const Modifiers& n) { return sub_f64(a, b, n.rounding); });
  return KGEN_HALF_BINARY(sub_half);
}
Handler mul_handler(const Type& type, const Modifiers& m) {
  const bool is_pair = type.kind == Type::Kind::packed, is_brain = is_brain_type(type);
  if (type.name == "f32") return KGEN_F32_BINARY(mul_f32);
  if (type.name == "f64")
    return binary<U64, U64, U64>([](U64 a, U64 b, const Modifiers& n) { return mul_f64(a, b, n.rounding); });
  return KGEN_HALF_BINARY(mul_half);
}

#undef KGEN_F32_BINARY
#undef KGEN_HALF_BINARY

Handler sign_handler(const Type& type, bool negates) {
  const bool is_pair = type.kind == Type::Kind::packed, is_brain = is_brain_type(type);
  if (type.name == "f64") {
    return negates ? unary<U64, U64>([](U64 a, const Modifiers&) { return neg_f64(a); })
                   : unary<U64, U64>([](U64 a, const Modifiers&) { return abs_f64(a); });
  }
  if (type.name == "f32") {
    return negates ? unary<U32, U32>([](U32 a, const Modifiers& n) { return neg_f32(a, n.ftz); })
                   : unary<U32, U32>([](U32 a, const Modifiers& n) { return abs_f32(a, n.ftz); });
  }
  if (is_pair) {  // bf16 has no ftz, and f16's flush is right for it too where it is off
    if (is_brain)
      return negates ? unary<U32, U32>([](U32 a, const Modifiers&) { return a ^ 0x80008000u; })
                     : unary<U32, U32>([](U32 a, const Modifiers&) { return a & 0x7fff7fffu; });
    return negates ? unary<U32, U32>([](U32 a, const Modifiers& n) {
      return on_pair([&](U32 x) { return neg_half<kF16>(x, n.ftz); }, a);
    })
                   : unary<U32, U32>([](U32 a, const Modifiers& n) {
                       return on_pair([&](U32 x) { return abs_half<kF16>(x, n.ftz); }, a);
                     });
  }
  if (is_brain)
    return negates ? unary<U16, U16>([](U16 a, const Modifiers&) { return static_cast<U16>(a ^ 0x8000u); })
                   : unary<U16, U16>([](U16 a, const Modifiers&) { return static_cast<U16>(a & 0x7fffu); });
  return negates ? unary<U16, U16>(
                       [](U16 a, const Modifiers& n) { return static_cast<U16>(neg_half<kF16>(a, n.ftz)); })
                 : unary<U16, U16>(
                       [](U16 a, const Modifiers& n) { return static_cast<U16>(abs_half<kF16>(a, n.ftz)); });
}

bool is_float_type(const Type& type) {
  return type.kind == Type::Kind::floating || type.kind == Type::Kind::brain || type.name == "f16x2" ||
         type.name == "bf16x2";
}

/// fma and mad of floats.
void decode_fma(FunctionDecoder& d) {
  const Type type = d.type();
  if (!is_float_type(type) || d.has("oob")) throw NotEmulated{};
  const Modifiers m = d.modifiers();
  const bool is_pair = type.kind == Type::Kind::packed, is_brain = is_brain_type(type);
  Handler run = nullptr;
  if (type.name == "f32") {
    run = is_plain(m)       ? plain_fma_f32()
          : is_plain_ftz(m) ? ternary<U32, U32, U32, U32>([](U32 a, U32 b, U32 c, const Modifiers&) {
              return fma_f32(a, b, c, Rounding::rn, true, false);
            })
                            : ternary<U32, U32, U32, U32>([](U32 a, U32 b, U32 c, const Modifiers& n) {
                                return fma_f32(a, b, c, n.rounding, n.ftz, n.sat);
                              });
  } else if (type.name == "f64") {
    run = m.rounding == Rounding::rn
              ? plain_fma_f64()
              : ternary<U64, U64, U64, U64>(
                    [](U64 a, U64 b, U64 c, const Modifiers& n) { return fma_f64(a, b, c, n.rounding); });
  } else if (is_pair) {
    run = is_brain ? ternary<U32, U32, U32, U32>([](U32 a, U32 b, U32 c, const Modifiers& n) {
      return on_pair([&](U32 x, U32 y, U32 z) { return fma_half<kBf16>(x, y, z, half_of(n)); }, a, b, c);
    })
                   : ternary<U32, U32, U32, U32>([](U32 a, U32 b, U32 c, const Modifiers& n) {
                       return on_pair(
                           [&](U32 x, U32 y, U32 z) { return fma_half<kF16>(x, y, z, half_of(n)); }, a, b, c);
                     });
  } else {
    run = is_brain ? ternary<U16, U16, U16, U16>([](U16 a, U16 b, U16 c, const Modifiers& n) {
      return static_cast<U16>(fma_half<kBf16>(a, b, c, half_of(n)));
    })
                   : ternary<U16, U16, U16, U16>([](U16 a, U16 b, U16 c, const Modifiers& n) {
                       return static_cast<U16>(fma_half<kF16>(a, b, c, half_of(n)));
                     });
  }
  const auto bytes = static_cast<U32>(type.bytes);
  Instr instr = d.instr(run);
  instr.a = d.source(1, bytes);
  instr.b = d.source(2, bytes);
  instr.c = d.source(3, bytes);
  instr.d = d.target(0, bytes);
  d.emit(instr);
}

Handler div_handler(const FunctionDecoder& d, const Type& type) {
  if (type.name == "f64")
    return binary<U64, U64, U64>([](U64 a, U64 b, const Modifiers& n) { return div_f64(a, b, n.rounding); });
  if (type.name != "f32") throw NotEmulated{};
  if (d.has("approx"))
    return binary<U32, U32, U32>(
        [](U32 a, U32 b, const Modifiers& n) { return div_approx_f32(a, b, n.ftz); });
  if (d.has("full"))
    return binary<U32, U32, U32>([](U32 a, U32 b, const Modifiers& n) { return div_full_f32(a, b, n.ftz); });
  return binary<U32, U32, U32>(
      [](U32 a, U32 b, const Modifiers& n) { return div_f32(a, b, n.rounding, n.ftz); });
}

void decode_copysign(FunctionDecoder& d) {
  const bool wide = d.type().bytes == 8;
  Instr instr = d.instr(
      wide ? binary<U64, U64, U64>([](U64 a, U64 b, const Modifiers&) { return copysign_f64(a, b); })
           : binary<U32, U32, U32>([](U32 a, U32 b, const Modifiers&) { return copysign_f32(a, b); }));
  instr.a = d.source(1, wide ? 8 : 4);
  instr.b = d.source(2, wide ? 8 : 4);
  instr.d = d.target(0, wide ? 8 : 4);
  d.emit(instr);
}

void decode_testp(FunctionDecoder& d) {
  struct Row {
    std::string_view name;
    FloatTest test;
  };
  constexpr Row kTests[] = {{"finite", FloatTest::finite}, {"infinite", FloatTest::infinite},
                            {"number", FloatTest::number}, {"notanumber", FloatTest::notanumber},
                            {"normal", FloatTest::normal}, {"subnormal", FloatTest::subnormal}};
  const bool wide = d.type().bytes == 8;
  Instr instr = d.instr(wide ? Handler{[](Warp& warp, const Instr& in, U32 mask) {
    U32 bits = 0;
    for_lanes(mask, [&](U32 lane) {
      bits |= test_float(static_cast<FloatTest>(in.choice), kF64, warp.at<U64>(in.a)[lane]) ? 1u << lane : 0;
    });
    set_predicate(warp, in.d, mask, bits);
  }}
                             : Handler{[](Warp& warp, const Instr& in, U32 mask) {
                                 U32 bits = 0;
                                 for_lanes(mask, [&](U32 lane) {
                                   bits |= test_float(static_cast<FloatTest>(in.choice), kF32,
                                                      warp.at<U32>(in.a)[lane])
                                               ? 1u << lane
                                               : 0;
                                 });
                                 set_predicate(warp, in.d, mask, bits);
                               }});
  for (const Row& row : kTests) {
    if (d.has(row.name)) instr.choice = static_cast<U8>(row.test);
  }
  instr.a = d.source(1, wide ? 8 : 4);
  instr.d = d.target(0, 0);
  d.emit(instr);
}

constexpr DecoderRow kFloatRows[] = {
    {"fma", decode_fma}, {"copysign", decode_copysign}, {"testp", decode_testp}};

}  // namespace

bool decode_float_arithmetic(FunctionDecoder& d) {
  const Type type = d.type();
  if (!is_float_type(type)) return false;
  const std::string& name = d.ast().opcode.front();
  if (d.types() > 1) throw NotEmulated{};  // mixed precision, of sm_100
  const auto bytes = static_cast<U32>(type.bytes);
  if (name == "mad") {
    decode_fma(d);
    return true;
  }
  if (name == "abs" || name == "neg") {
    Instr instr = d.instr(sign_handler(type, name == "neg"));
    instr.a = d.source(1, bytes);
    instr.d = d.target(0, bytes);
    d.emit(instr);
    return true;
  }
  const Modifiers m = d.modifiers();
  Handler run = nullptr;
  if (name == "add") run = add_handler(type, m);
  if (name == "sub") run = sub_handler(type, m);
  if (name == "mul") run = mul_handler(type, m);
  if (name == "div") run = div_handler(d, type);
  if (name == "min") run = min_max_handler<false>(type, m);
  if (name == "max") run = min_max_handler<true>(type, m);
  if (run == nullptr) throw NotEmulated{};
  Instr instr = d.instr(run);
  instr.a = d.source(1, bytes);
  instr.b = d.source(2, bytes);
  instr.d = d.target(0, bytes);
  d.emit(instr);
  if (d.operands() == 4) {  // the three-operand forms of min and max
    Instr third = d.instr(run);
    third.a = instr.d;
    third.b = d.source(3, bytes);
    third.d = instr.d;
    d.emit(third);
  }
  return true;
}

DecoderTable float_decoders() {
  return {std::begin(kFloatRows), std::end(kFloatRows)};
}

}  // namespace kgen::emulator
