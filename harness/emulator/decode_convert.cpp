#include "harness/emulator/arith_f32.hpp"
#include "harness/emulator/arith_half.hpp"
#include "harness/emulator/convert_common.hpp"
#include "harness/emulator/convert_scalar.hpp"
#include "harness/emulator/decode_table.hpp"
#include "harness/emulator/lane_loops.hpp"
#include "harness/emulator/scalar_names.hpp"

// cvt (PTX ISA, "cvt"). The frequent forms have loops of their own.
namespace kgen::emulator {
namespace {

using ptx::Type;

/// Of an instruction: which types, which modifiers; packed into the fields that arithmetic leaves free.
ScalarType to_type(const Instr& instr) {
  return static_cast<ScalarType>(instr.choice);
}
ScalarType from_type(const Instr& instr) {
  return static_cast<ScalarType>(instr.space);
}
ConvertModifiers modifiers_of(const Instr& instr) {
  ConvertModifiers out;
  out.rounding = instr.modifiers.rounding;
  out.integral = instr.flag;
  out.ftz = instr.modifiers.ftz;
  out.sat = instr.modifiers.sat;
  out.satfinite = instr.strong;
  out.relu = instr.modifiers.relu;
  return out;
}

/// Registers of A and D; higher bits of the source are not looked at, the result fills its register.
template <class D, class A>
void run_convert(Warp& warp, const Instr& instr, U32 mask) {
  const ConvertModifiers modifiers = modifiers_of(instr);
  const A* const a = warp.at<A>(instr.a);
  D* const d = warp.at<D>(instr.d);
  for_lanes(mask, [&](U32 lane) {
    d[lane] = static_cast<D>(convert(to_type(instr), from_type(instr), a[lane], modifiers));
  });
}

Handler convert_handler(U32 to, U32 from) {
  if (to == 2)
    return from == 2 ? run_convert<U16, U16> : from == 4 ? run_convert<U16, U32> : run_convert<U16, U64>;
  if (to == 4)
    return from == 2 ? run_convert<U32, U16> : from == 4 ? run_convert<U32, U32> : run_convert<U32, U64>;
  return from == 2 ? run_convert<U64, U16> : from == 4 ? run_convert<U64, U32> : run_convert<U64, U64>;
}

U16 round_to_bf16(U32 bits) {
  if (is_nan_f32(bits)) return 0x7fff;
  return static_cast<U16>((bits + 0x7fffu + ((bits >> 16) & 1)) >> 16);
}

/// The loops of conversions without modifiers; null: none of its own.
Handler fast_handler(ScalarType to, ScalarType from, U32 to_bytes, U32 from_bytes) {
  if (to == ScalarType::f32 && from == ScalarType::bf16 && from_bytes == 2)
    return unary<U32, U16>([](U16 a, const Modifiers&) { return U32{a} << 16; });
  if (to == ScalarType::bf16 && from == ScalarType::f32 && to_bytes == 2)
    return unary<U16, U32>([](U32 a, const Modifiers&) { return round_to_bf16(a); });
  if (to == ScalarType::f32 && from == ScalarType::f16 && from_bytes == 2)
    return unary<U32, U16>([](U16 a, const Modifiers&) { return f32_of_f16(a); });
  if (to == ScalarType::f16 && from == ScalarType::f32 && to_bytes == 2)
    return unary<U16, U32>(
        [](U32 a, const Modifiers&) { return static_cast<U16>(half_of<kF16>(double{float_of(a)})); });
  if (to == ScalarType::f32 && from == ScalarType::u32)
    return unary<float, U32>([](U32 a, const Modifiers&) { return static_cast<float>(a); });
  if (to == ScalarType::f32 && from == ScalarType::s32)
    return unary<float, I32>([](I32 a, const Modifiers&) { return static_cast<float>(a); });
  if (to == ScalarType::f64 && from == ScalarType::s32)
    return unary<double, I32>([](I32 a, const Modifiers&) { return static_cast<double>(a); });
  if (from_bytes == 4 && to_bytes == 8 && from == ScalarType::s32 &&
      (to == ScalarType::s64 || to == ScalarType::u64))
    return unary<I64, I32>([](I32 a, const Modifiers&) { return I64{a}; });
  if (from_bytes == 4 && to_bytes == 8 && from == ScalarType::u32 &&
      (to == ScalarType::s64 || to == ScalarType::u64))
    return unary<U64, U32>([](U32 a, const Modifiers&) { return U64{a}; });
  if (from_bytes == 2 && to_bytes == 4 && from == ScalarType::u16 &&
      (to == ScalarType::u32 || to == ScalarType::s32))
    return unary<U32, U16>([](U16 a, const Modifiers&) { return U32{a}; });
  if (from_bytes == 4 && to_bytes == 2 && (to == ScalarType::u16 || to == ScalarType::s16) &&
      (from == ScalarType::u32 || from == ScalarType::s32))
    return unary<U16, U32>([](U32 a, const Modifiers&) { return static_cast<U16>(a); });
  if (from_bytes == 8 && to_bytes == 4 && (to == ScalarType::u32 || to == ScalarType::s32) &&
      (from == ScalarType::u64 || from == ScalarType::s64))
    return unary<U32, U64>([](U64 a, const Modifiers&) { return static_cast<U32>(a); });
  return nullptr;
}

U32 width_of(FunctionDecoder& d, const ptx::Operand& operand, U32 least) {
  if (operand.kind != ptx::Operand::Kind::name) return std::max(least, 2u);
  const auto found = d.find_register(operand.text);
  return found ? std::max(found->bytes, 2u) : std::max(least, 2u);
}

/// cvt.rn.bf16x2.f32 d, high, low and the packed eight-bit formats.
void decode_pair(FunctionDecoder& d, Instr instr, const Type& to, const Type& from) {
  const U32 to_bytes = to.bytes == 2 ? 2 : 4;
  if (d.operands() == 3) {
    if (from.name != "f32") throw NotEmulated{};
    instr.run = to_bytes == 2 ? Handler{[](Warp& warp, const Instr& in, U32 mask) {
      for_lanes(mask, [&](U32 lane) {
        warp.at<U16>(in.d)[lane] =
            static_cast<U16>(convert_pair(to_type(in), from_type(in), warp.at<U32>(in.a)[lane],
                                          warp.at<U32>(in.b)[lane], modifiers_of(in)));
      });
    }}
                              : Handler{[](Warp& warp, const Instr& in, U32 mask) {
                                  for_lanes(mask, [&](U32 lane) {
                                    warp.at<U32>(in.d)[lane] =
                                        convert_pair(to_type(in), from_type(in), warp.at<U32>(in.a)[lane],
                                                     warp.at<U32>(in.b)[lane], modifiers_of(in));
                                  });
                                }};
    instr.a = d.source(1, 4);
    instr.b = d.source(2, 4);
    instr.d = d.target(0, to_bytes);
    return d.emit(instr);
  }
  const U32 from_bytes = from.bytes == 2 ? 2 : 4;
  if (to_bytes == from_bytes) throw NotEmulated{};
  instr.run =
      to_bytes == 4 ? Handler{[](Warp& warp, const Instr& in, U32 mask) {
        for_lanes(mask, [&](U32 lane) {
          warp.at<U32>(in.d)[lane] =
              convert_packed(to_type(in), from_type(in), warp.at<U16>(in.a)[lane], modifiers_of(in));
        });
      }}
                    : Handler{[](Warp& warp, const Instr& in, U32 mask) {
                        for_lanes(mask, [&](U32 lane) {
                          warp.at<U16>(in.d)[lane] = static_cast<U16>(convert_packed(
                              to_type(in), from_type(in), warp.at<U32>(in.a)[lane], modifiers_of(in)));
                        });
                      }};
  instr.a = d.source(1, from_bytes);
  instr.d = d.target(0, to_bytes);
  d.emit(instr);
}

void decode_convert(FunctionDecoder& d) {
  if (d.has("pack") || d.has("rs") || d.has("scaled")) throw NotEmulated{};
  const Type to = d.type(0), from = d.type(1);
  const auto to_scalar = scalar_of(to.name), from_scalar = scalar_of(from.name);
  if (!to_scalar || !from_scalar) throw NotEmulated{};
  Instr instr = d.instr(nullptr);
  instr.choice = static_cast<U8>(*to_scalar);
  instr.space = static_cast<U8>(*from_scalar);
  instr.modifiers.sat = d.has("sat");
  instr.strong = d.has("satfinite");
  instr.flag = d.has("rni") || d.has("rzi") || d.has("rmi") || d.has("rpi");
  if (to.name.ends_with("x2")) return decode_pair(d, instr, to, from);
  const U32 to_bytes = width_of(d, d.operand(0), static_cast<U32>(to.bytes));
  const U32 from_bytes = width_of(d, d.operand(1), static_cast<U32>(from.bytes));
  const Modifiers& m = instr.modifiers;
  const bool plain =
      !m.sat && !m.relu && !m.ftz && !instr.strong && !instr.flag && m.rounding == Rounding::rn;
  if (plain) instr.run = fast_handler(*to_scalar, *from_scalar, to_bytes, from_bytes);
  if (instr.run == nullptr) instr.run = convert_handler(to_bytes, from_bytes);
  instr.a = d.source(1, from_bytes);
  instr.d = d.target(0, to_bytes);
  d.emit(instr);
}

constexpr DecoderRow kConvertRows[] = {{"cvt", decode_convert}};

}  // namespace

DecoderTable convert_decoders() {
  return {std::begin(kConvertRows), std::end(kConvertRows)};
}

}  // namespace kgen::emulator
