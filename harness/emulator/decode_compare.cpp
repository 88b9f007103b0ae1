#include <cmath>

#include "harness/emulator/decode_table.hpp"
#include "harness/emulator/lane_loops.hpp"

// Comparison and selection (PTX ISA, "Comparison and Selection Instructions").
namespace kgen::emulator {
namespace {

using ptx::Type;

enum class LaneCompare : U8 { eq, ne, lt, le, gt, ge, equ, neu, ltu, leu, gtu, geu, num, nan };
struct CompareRow {
  std::string_view name;
  LaneCompare compare;
};
constexpr CompareRow kCompares[] = {
    {"eq", LaneCompare::eq},   {"ne", LaneCompare::ne},   {"lt", LaneCompare::lt},
    {"le", LaneCompare::le},   {"gt", LaneCompare::gt},   {"ge", LaneCompare::ge},
    {"equ", LaneCompare::equ}, {"neu", LaneCompare::neu}, {"ltu", LaneCompare::ltu},
    {"leu", LaneCompare::leu}, {"gtu", LaneCompare::gtu}, {"geu", LaneCompare::geu},
    {"num", LaneCompare::num}, {"nan", LaneCompare::nan}, {"lo", LaneCompare::lt},
    {"ls", LaneCompare::le},   {"hi", LaneCompare::gt},   {"hs", LaneCompare::ge},
};

template <class T>
bool is_nan(T value) {
  if constexpr (std::is_floating_point_v<T>) return value != value;
  return false;
}
float flushed(float value) {
  return std::fabs(value) < 0x1p-126f ? std::copysign(0.0f, value) : value;
}

template <class T, class F>
U32 compare_all(const T* a, const T* b, bool ftz, F f) {
  if constexpr (std::is_same_v<T, float>) {
    if (ftz) return mask_where(a, b, [&](float x, float y) { return f(flushed(x), flushed(y)); });
  }
  return mask_where(a, b, f);
}

template <class T>
U32 compare_lanes(const T* a, const T* b, LaneCompare how, bool ftz) {
  switch (how) {
    case LaneCompare::eq:
      return compare_all(a, b, ftz, [](T x, T y) { return x == y; });
    case LaneCompare::ne:
      return compare_all(a, b, ftz, [](T x, T y) { return x != y && !is_nan(x) && !is_nan(y); });
    case LaneCompare::lt:
      return compare_all(a, b, ftz, [](T x, T y) { return x < y; });
    case LaneCompare::le:
      return compare_all(a, b, ftz, [](T x, T y) { return x <= y; });
    case LaneCompare::gt:
      return compare_all(a, b, ftz, [](T x, T y) { return x > y; });
    case LaneCompare::ge:
      return compare_all(a, b, ftz, [](T x, T y) { return x >= y; });
    case LaneCompare::equ:
      return compare_all(a, b, ftz, [](T x, T y) { return !(x < y) && !(x > y); });
    case LaneCompare::neu:
      return compare_all(a, b, ftz, [](T x, T y) { return !(x == y); });
    case LaneCompare::ltu:
      return compare_all(a, b, ftz, [](T x, T y) { return !(x >= y); });
    case LaneCompare::leu:
      return compare_all(a, b, ftz, [](T x, T y) { return !(x > y); });
    case LaneCompare::gtu:
      return compare_all(a, b, ftz, [](T x, T y) { return !(x <= y); });
    case LaneCompare::geu:
      return compare_all(a, b, ftz, [](T x, T y) { return !(x < y); });
    case LaneCompare::num:
      return compare_all(a, b, ftz, [](T x, T y) { return !is_nan(x) && !is_nan(y); });
    case LaneCompare::nan:
      return compare_all(a, b, ftz, [](T x, T y) { return is_nan(x) || is_nan(y); });
  }
  return 0;
}

using CompareLanes = U32 (*)(const std::byte* a, const std::byte* b, LaneCompare how, bool ftz);
template <class T>
U32 compare_registers(const std::byte* a, const std::byte* b, LaneCompare how, bool ftz) {
  return compare_lanes(reinterpret_cast<const T*>(a), reinterpret_cast<const T*>(b), how, ftz);
}

/// f16 and bf16 compare as the floats that they are exactly.
float widen_f16(U16 bits) {
  const U32 sign = (bits & 0x8000u) << 16, exponent = (bits >> 10) & 31u, fraction = bits & 0x3ffu;
  if (exponent == 0)
    return std::bit_cast<float>(sign | std::bit_cast<U32>(static_cast<float>(fraction) * 0x1p-24f));
  if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000u | (fraction << 13));
  return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (fraction << 13));
}
float widen_bf16(U16 bits) {
  return std::bit_cast<float>(U32{bits} << 16);
}
template <auto kWiden>
U32 compare_halves(const std::byte* a, const std::byte* b, LaneCompare how, bool ftz) {
  float x[kLanes], y[kLanes];
  for (U32 lane = 0; lane < kLanes; ++lane) {
    x[lane] = kWiden(reinterpret_cast<const U16*>(a)[lane]);
    y[lane] = kWiden(reinterpret_cast<const U16*>(b)[lane]);
  }
  if (ftz) {  // of f16, whose subnormals are normal floats: below 2^-14
    for (float* const values : {x, y}) {
      for (U32 lane = 0; lane < kLanes; ++lane)
        values[lane] = std::fabs(values[lane]) < 0x1p-14f ? 0.0f : values[lane];
    }
  }
  return compare_lanes(x, y, how, false);
}

template <CompareLanes kCompare>
void run_setp(Warp& warp, const Instr& instr, U32 mask) {
  U32 bits = kCompare(warp.registers + instr.a, warp.registers + instr.b,
                      static_cast<LaneCompare>(instr.choice), instr.modifiers.ftz);
  U32 negated = ~bits;
  if (instr.c != kNoSlot) {
    const U32 other = instr.flag ? ~warp.predicate(instr.c) : warp.predicate(instr.c);
    switch (instr.count) {
      case 'a':
        bits &= other;
        negated &= other;
        break;
      case 'o':
        bits |= other;
        negated |= other;
        break;
      default:
        bits ^= other;
        negated ^= other;
    }
  }
  if (instr.d != kNoSlot) set_predicate(warp, instr.d, mask, bits);
  if (instr.imm >= 0) set_predicate(warp, static_cast<U32>(instr.imm), mask, negated);
}

Handler setp_handler(const Type& type) {
  const bool is_signed = type.kind == Type::Kind::signed_int;
  if (type.kind == Type::Kind::floating) {
    if (type.bytes == 4) return run_setp<compare_registers<float>>;
    if (type.bytes == 8) return run_setp<compare_registers<double>>;
    return run_setp<compare_halves<widen_f16>>;
  }
  if (type.kind == Type::Kind::brain) return run_setp<compare_halves<widen_bf16>>;
  if (!type.is_integer()) throw NotEmulated{};
  if (type.bytes == 2) return is_signed ? run_setp<compare_registers<I16>> : run_setp<compare_registers<U16>>;
  if (type.bytes == 4) return is_signed ? run_setp<compare_registers<I32>> : run_setp<compare_registers<U32>>;
  if (type.bytes == 8) return is_signed ? run_setp<compare_registers<I64>> : run_setp<compare_registers<U64>>;
  throw NotEmulated{};
}

/// The comparison among the suffixes, and how its result is combined with a predicate (0: not).
Instr comparison(FunctionDecoder& d, const Type& type) {
  Instr instr = d.instr(setp_handler(type));
  bool found = false;
  for (const auto& part : d.ast().opcode) {
    for (const CompareRow& row : kCompares) {
      if (part != row.name) continue;
      instr.choice = static_cast<U8>(row.compare);
      found = true;
    }
    if (part == "and" || part == "or" || part == "xor") instr.count = static_cast<U8>(part.front());
  }
  if (!found) d.bad("no comparison in " + d.ast().name());
  const auto bytes = static_cast<U32>(type.bytes);
  instr.a = d.source(1, bytes);
  instr.b = d.source(2, bytes);
  if (d.operands() > 3) {
    instr.c = d.source(3, 0);
    instr.flag = d.operand(3).negated;
  }
  instr.imm = -1;
  return instr;
}

void decode_setp(FunctionDecoder& d) {
  if (d.type().kind == Type::Kind::packed) throw NotEmulated{};
  Instr instr = comparison(d, d.type());
  const auto& target = d.operand(0);
  if (target.kind != ptx::Operand::Kind::sink) instr.d = d.target(target, 0);
  if (!target.parts.empty() && target.parts.front().kind != ptx::Operand::Kind::sink)
    instr.imm = d.target(target.parts.front(), 0);
  d.emit(instr);
}

/// set.eq.u32.s32: all ones or 1.0f where it holds, else 0.
void decode_set(FunctionDecoder& d) {
  if (decode_set_half(d)) return;
  const Type to = d.type(0), from = d.type(1);
  if (to.bytes != 4 || from.kind == Type::Kind::packed || from.kind == Type::Kind::none) throw NotEmulated{};
  Instr instr = comparison(d, from);
  const U32 predicate = d.scratch(0);
  instr.d = predicate;
  d.emit(instr);
  const bool is_float = to.kind == Type::Kind::floating;
  Instr choose = d.instr(is_float ? Handler{[](Warp& warp, const Instr& in, U32 mask) {
    for_lanes(mask, [&](U32 lane) {
      warp.at<U32>(in.d)[lane] = (warp.predicate(in.a) >> lane & 1) != 0 ? 0x3f800000u : 0;
    });
  }}
                                  : Handler{[](Warp& warp, const Instr& in, U32 mask) {
                                      for_lanes(mask, [&](U32 lane) {
                                        warp.at<U32>(in.d)[lane] =
                                            (warp.predicate(in.a) >> lane & 1) != 0 ? ~0u : 0;
                                      });
                                    }});
  choose.a = predicate;
  choose.d = d.target(0, 4);
  d.emit(choose);
}

template <class T>
void run_selp(Warp& warp, const Instr& instr, U32 mask) {
  T* const d = warp.at<T>(instr.d);
  const T* const a = warp.at<T>(instr.a);
  const T* const b = warp.at<T>(instr.b);
  const U32 chosen = instr.flag ? ~warp.predicate(instr.c) : warp.predicate(instr.c);
  if (mask == kAllLanes) {
    KGEN_INDEPENDENT_LANES
    for (U32 lane = 0; lane < kLanes; ++lane)
      d[lane] = (chosen & kLaneBits.of[lane]) != 0 ? a[lane] : b[lane];
  } else {
    for_lanes(mask, [&](U32 lane) { d[lane] = (chosen >> lane & 1) != 0 ? a[lane] : b[lane]; });
  }
}

void decode_selp(FunctionDecoder& d) {
  const auto bytes = static_cast<U32>(d.type().bytes);
  Instr instr = d.instr(bytes == 2 ? run_selp<U16> : bytes == 4 ? run_selp<U32> : run_selp<U64>);
  if (bytes != 2 && bytes != 4 && bytes != 8) throw NotEmulated{};
  instr.a = d.source(1, bytes);
  instr.b = d.source(2, bytes);
  instr.c = d.source(3, 0);
  instr.flag = d.operand(3).negated;
  instr.d = d.target(0, bytes);
  d.emit(instr);
}

/// slct: a where c >= 0, else b. -0.0 counts as 0, NaN takes b.
void decode_slct(FunctionDecoder& d) {
  const auto bytes = static_cast<U32>(d.type(0).bytes);
  const bool is_float = d.type(1).kind == Type::Kind::floating;
  Instr compare = d.instr(is_float ? run_setp<compare_registers<float>> : run_setp<compare_registers<I32>>);
  compare.choice = static_cast<U8>(LaneCompare::ge);
  compare.imm = -1;
  compare.a = d.source(3, 4);
  compare.b = d.shared().constant(0, 4);
  compare.d = d.scratch(0);
  d.emit(compare);
  Instr instr = d.instr(bytes == 2 ? run_selp<U16> : bytes == 4 ? run_selp<U32> : run_selp<U64>);
  if (bytes != 2 && bytes != 4 && bytes != 8) throw NotEmulated{};
  instr.a = d.source(1, bytes);
  instr.b = d.source(2, bytes);
  instr.c = compare.d;
  instr.d = d.target(0, bytes);
  d.emit(instr);
}

constexpr DecoderRow kCompareRows[] = {
    {"setp", decode_setp}, {"set", decode_set}, {"selp", decode_selp}, {"slct", decode_slct}};

}  // namespace

DecoderTable compare_decoders() {
  return {std::begin(kCompareRows), std::end(kCompareRows)};
}

}  // namespace kgen::emulator
