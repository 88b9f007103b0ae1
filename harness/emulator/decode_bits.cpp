#include "harness/emulator/decode_table.hpp"
#include "harness/emulator/integer_ops.hpp"
#include "harness/emulator/lane_loops.hpp"

// Bit fields, permutations, 24-bit products, dot products and carry chains.
namespace kgen::emulator {
namespace {

using ptx::Type;

bool is_signed(const Type& type) {
  return type.kind == Type::Kind::signed_int;
}

/// Emits with the sources of the given widths (0: none).
void emit(FunctionDecoder& d, Handler run, U32 to, U32 a, U32 b = 0, U32 c = 0) {
  Instr instr = d.instr(run);
  instr.a = d.source(1, a);
  if (b > 0) instr.b = d.source(2, b);
  if (c > 0) instr.c = d.source(3, c);
  instr.d = d.target(0, to);
  d.emit(instr);
}

template <class T>
Handler extract_handler() {
  return ternary<T, T, U32, U32>([](T a, U32 position, U32 length, const Modifiers&) {
    return bit_field_extract<T>(a, position, length);
  });
}

void decode_extract(FunctionDecoder& d) {
  const Type type = d.type();
  const auto bytes = static_cast<U32>(type.bytes);
  emit(d,
       bytes == 8 ? (is_signed(type) ? extract_handler<I64>() : extract_handler<U64>())
                  : (is_signed(type) ? extract_handler<I32>() : extract_handler<U32>()),
       bytes, bytes, 4, 4);
}

template <class T>
void run_insert(Warp& warp, const Instr& instr, U32 mask) {
  const U32* const length = warp.at<U32>(instr.list);
  for_lanes(mask, [&](U32 lane) {
    warp.at<T>(instr.d)[lane] = bit_field_insert<T>(warp.at<T>(instr.a)[lane], warp.at<T>(instr.b)[lane],
                                                    warp.at<U32>(instr.c)[lane], length[lane]);
  });
}

void decode_insert(FunctionDecoder& d) {
  const auto bytes = static_cast<U32>(d.type().bytes);
  Instr instr = d.instr(bytes == 8 ? run_insert<U64> : run_insert<U32>);
  instr.a = d.source(1, bytes);
  instr.b = d.source(2, bytes);
  instr.c = d.source(3, 4);
  instr.list = d.source(4, 4);
  instr.d = d.target(0, bytes);
  d.emit(instr);
}

template <class T>
Handler find_handler(bool shift) {
  return shift ? unary<U32, T>([](T a, const Modifiers&) { return find_leading_bit<T>(a, true); })
               : unary<U32, T>([](T a, const Modifiers&) { return find_leading_bit<T>(a, false); });
}

void decode_find(FunctionDecoder& d) {
  const Type type = d.type();
  const bool shift = d.has("shiftamt");
  emit(d,
       type.bytes == 8 ? (is_signed(type) ? find_handler<I64>(shift) : find_handler<U64>(shift))
                       : (is_signed(type) ? find_handler<I32>(shift) : find_handler<U32>(shift)),
       4, static_cast<U32>(type.bytes));
}

void decode_reverse(FunctionDecoder& d) {
  const auto bytes = static_cast<U32>(d.type().bytes);
  emit(d,
       bytes == 8 ? unary<U64, U64>([](U64 a, const Modifiers&) { return reverse_bits(a); })
                  : unary<U32, U32>([](U32 a, const Modifiers&) { return reverse_bits(a); }),
       bytes, bytes);
}

void decode_lop3(FunctionDecoder& d) {
  if (d.has("BoolOp") || d.has("or") || d.has("and")) throw NotEmulated{};
  Instr instr = d.instr([](Warp& warp, const Instr& in, U32 mask) {
    const U32 *const a = warp.at<U32>(in.a), *const b = warp.at<U32>(in.b), *const c = warp.at<U32>(in.c);
    U32* const to = warp.at<U32>(in.d);
    const auto table = static_cast<U32>(in.imm);
    for_lanes(mask, [&](U32 lane) { to[lane] = lop3(a[lane], b[lane], c[lane], table); });
  });
  instr.a = d.source(1, 4);
  instr.b = d.source(2, 4);
  instr.c = d.source(3, 4);
  if (d.operand(4).kind != ptx::Operand::Kind::integer) d.bad("lop3 needs a number");
  instr.imm = static_cast<I64>(d.operand(4).bits);
  instr.d = d.target(0, 4);
  d.emit(instr);
}

void decode_permute(FunctionDecoder& d) {
  struct Row {
    std::string_view name;
    PermuteMode mode;
  };
  constexpr Row kModes[] = {{"f4e", PermuteMode::f4e}, {"b4e", PermuteMode::b4e},
                            {"rc8", PermuteMode::rc8}, {"ecl", PermuteMode::ecl},
                            {"ecr", PermuteMode::ecr}, {"rc16", PermuteMode::rc16}};
  Instr instr = d.instr([](Warp& warp, const Instr& in, U32 mask) {
    for_lanes(mask, [&](U32 lane) {
      warp.at<U32>(in.d)[lane] = prmt(warp.at<U32>(in.a)[lane], warp.at<U32>(in.b)[lane],
                                      warp.at<U32>(in.c)[lane], static_cast<PermuteMode>(in.choice));
    });
  });
  instr.choice = static_cast<U8>(PermuteMode::generic);
  for (const Row& row : kModes) {
    if (d.has(row.name)) instr.choice = static_cast<U8>(row.mode);
  }
  instr.a = d.source(1, 4);
  instr.b = d.source(2, 4);
  instr.c = d.source(3, 4);
  instr.d = d.target(0, 4);
  d.emit(instr);
}

void decode_mul24(FunctionDecoder& d) {
  const bool high = d.has("hi"), with_sign = is_signed(d.type());
  Handler run =
      with_sign
          ? (high ? binary<I32, I32, I32>([](I32 a, I32 b, const Modifiers&) { return mul24_hi(a, b); })
                  : binary<I32, I32, I32>([](I32 a, I32 b, const Modifiers&) { return mul24_lo(a, b); }))
          : (high ? binary<U32, U32, U32>([](U32 a, U32 b, const Modifiers&) { return mul24_hi(a, b); })
                  : binary<U32, U32, U32>([](U32 a, U32 b, const Modifiers&) { return mul24_lo(a, b); }));
  emit(d, run, 4, 4, 4);
}

void decode_mad24(FunctionDecoder& d) {
  if (decode_rare_integer(d)) return;
  if (d.has("sat")) throw NotEmulated{};
  const bool high = d.has("hi"), with_sign = is_signed(d.type());
  Handler run = with_sign ? (high ? ternary<U32, I32, I32, U32>([](I32 a, I32 b, U32 c, const Modifiers&) {
    return static_cast<U32>(mul24_hi(a, b)) + c;
  })
                                  : ternary<U32, I32, I32, U32>([](I32 a, I32 b, U32 c, const Modifiers&) {
                                      return static_cast<U32>(mul24_lo(a, b)) + c;
                                    }))
                          : (high ? ternary<U32, U32, U32, U32>([](U32 a, U32 b, U32 c, const Modifiers&) {
                              return mul24_hi(a, b) + c;
                            })
                                  : ternary<U32, U32, U32, U32>([](U32 a, U32 b, U32 c, const Modifiers&) {
                                      return mul24_lo(a, b) + c;
                                    }));
  emit(d, run, 4, 4, 4, 4);
}

/// dp4a and dp2a: the types of a and b are the first and the second suffix.
void decode_dot(FunctionDecoder& d) {
  Instr instr = d.instr([](Warp& warp, const Instr& in, U32 mask) {
    const bool a_signed = (in.choice & 1) != 0, b_signed = (in.choice & 2) != 0;
    for_lanes(mask, [&](U32 lane) {
      const U32 a = warp.at<U32>(in.a)[lane], b = warp.at<U32>(in.b)[lane], c = warp.at<U32>(in.c)[lane];
      warp.at<U32>(in.d)[lane] = (in.choice & 4) != 0 ? dp2a(a, a_signed, b, b_signed, c, in.flag)
                                                      : dp4a(a, a_signed, b, b_signed, c);
    });
  });
  const bool two = d.ast().opcode.front() == "dp2a";
  instr.choice =
      static_cast<U8>((is_signed(d.type(0)) ? 1 : 0) | (is_signed(d.type(1)) ? 2 : 0) | (two ? 4 : 0));
  instr.flag = d.has("hi");
  instr.a = d.source(1, 4);
  instr.b = d.source(2, 4);
  instr.c = d.source(3, 4);
  instr.d = d.target(0, 4);
  d.emit(instr);
}

void decode_fns(FunctionDecoder& d) {
  emit(d, ternary<U32, U32, U32, I32>([](U32 bits, U32 base, I32 offset, const Modifiers&) {
         return fns(bits, base, offset);
       }),
       4, 4, 4, 4);
}
void decode_bmsk(FunctionDecoder& d) {
  emit(d,
       d.has("wrap")
           ? binary<U32, U32, U32>([](U32 a, U32 b, const Modifiers&) { return bmsk(a, b, true); })
           : binary<U32, U32, U32>([](U32 a, U32 b, const Modifiers&) { return bmsk(a, b, false); }),
       4, 4, 4);
}
void decode_szext(FunctionDecoder& d) {
  Instr instr = d.instr([](Warp& warp, const Instr& in, U32 mask) {
    for_lanes(mask, [&](U32 lane) {
      warp.at<U32>(in.d)[lane] =
          szext(warp.at<U32>(in.a)[lane], warp.at<U32>(in.b)[lane], in.flag, in.choice != 0);
    });
  });
  instr.flag = is_signed(d.type());
  instr.choice = d.has("wrap") ? 1 : 0;
  instr.a = d.source(1, 4);
  instr.b = d.source(2, 4);
  instr.d = d.target(0, 4);
  d.emit(instr);
}

/// add.cc, addc, sub.cc, subc and mad.cc, madc (whose product is taken first): choice bit 0: subtract, bit 1:
/// the carry comes in, bit 2: it goes out, bit 3: a product, bit 4: its upper half. The flag after a
/// subtraction is the carry of a + ~b + 1, so that a borrow clears it: what NVRTC makes of a division of 128
/// bits subtracts and looks at the flag with addc.
template <class T>
void run_carry(Warp& warp, const Instr& instr, U32 mask) {
  const bool subtracts = (instr.choice & 1) != 0, enters = (instr.choice & 2) != 0,
             leaves = (instr.choice & 4) != 0;
  U32& flag = warp.predicate(instr.list);
  for_lanes(mask, [&](U32 lane) {
    T a = warp.at<T>(instr.a)[lane], b = warp.at<T>(instr.b)[lane];
    if ((instr.choice & 8) != 0) {
      a = (instr.choice & 16) != 0 ? mul_hi(a, b) : mul_lo(a, b);
      b = warp.at<T>(instr.c)[lane];
    }
    const bool carry = enters && (flag >> lane & 1) != static_cast<U32>(subtracts);
    const auto out = subtracts ? sub_borrow(a, b, carry) : add_carry(a, b, carry);
    warp.at<T>(instr.d)[lane] = out.value;
    if (leaves) flag = (flag & ~(1u << lane)) | (out.carry != subtracts ? 1u << lane : 0);
  });
}

}  // namespace

void decode_carry(FunctionDecoder& d) {
  const std::string& name = d.ast().opcode.front();
  const Type type = d.type();
  const bool product = name.starts_with("mad");
  if (type.bytes != 4 && type.bytes != 8) throw NotEmulated{};
  Handler run = type.bytes == 8 ? run_carry<U64> : run_carry<U32>;
  if (product && is_signed(type)) run = type.bytes == 8 ? run_carry<I64> : run_carry<I32>;
  const auto bytes = static_cast<U32>(type.bytes);
  Instr instr = d.instr(run);
  instr.choice = static_cast<U8>((name.starts_with("sub") ? 1 : 0) | (name.ends_with("c") ? 2 : 0) |
                                 (d.has("cc") ? 4 : 0) | (product ? 8 : 0) | (d.has("hi") ? 16 : 0));
  instr.a = d.source(1, bytes);
  instr.b = d.source(2, bytes);
  if (product) instr.c = d.source(3, bytes);
  instr.list = d.carry();
  instr.d = d.target(0, bytes);
  d.emit(instr);
}

namespace {

constexpr DecoderRow kBitsRows[] = {
    {"bfe", decode_extract}, {"bfi", decode_insert},   {"bfind", decode_find},  {"brev", decode_reverse},
    {"lop3", decode_lop3},   {"prmt", decode_permute}, {"mul24", decode_mul24}, {"mad24", decode_mad24},
    {"dp4a", decode_dot},    {"dp2a", decode_dot},     {"fns", decode_fns},     {"bmsk", decode_bmsk},
    {"szext", decode_szext}, {"addc", decode_carry},   {"subc", decode_carry},  {"madc", decode_carry},
};

}  // namespace

DecoderTable bit_decoders() {
  return {std::begin(kBitsRows), std::end(kBitsRows)};
}

}  // namespace kgen::emulator
