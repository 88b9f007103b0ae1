#include <limits>
#include <type_traits>

#include "harness/emulator/decode_table.hpp"
#include "harness/emulator/lane_loops.hpp"

// Integer arithmetic, logic and shifts (PTX ISA, "Integer Arithmetic Instructions", "Logic and Shift
// Instructions").
namespace kgen::emulator {
namespace {

using ptx::Type;

/// f(T{}) with the integer type of a suffix; untyped bits are unsigned.
template <class F>
Handler with_integer(const Type& type, F f) {
  const bool is_signed = type.kind == Type::Kind::signed_int;
  switch (type.bytes) {
    case 2:
      return is_signed ? f(I16{}) : f(U16{});
    case 4:
      return is_signed ? f(I32{}) : f(U32{});
    case 8:
      return is_signed ? f(I64{}) : f(U64{});
    default:
      throw NotEmulated{};
  }
}

template <class T>
using Bits = std::make_unsigned_t<T>;

/// The wider type in which a product of two T is exact.
template <class T>
struct Twice;
template <>
struct Twice<U16> {
  using type = U32;
};
template <>
struct Twice<I16> {
  using type = I32;
};
template <>
struct Twice<U32> {
  using type = U64;
};
template <>
struct Twice<I32> {
  using type = I64;
};
template <>
struct Twice<U64> {
  using type = unsigned __int128;
};
template <>
struct Twice<I64> {
  using type = __int128;
};

template <class T>
T low_product(T a, T b) {
  return static_cast<T>(static_cast<U64>(a) * static_cast<U64>(b));
}
template <class T>
T high_product(T a, T b) {
  using Wide = typename Twice<T>::type;
  return static_cast<T>((static_cast<Wide>(a) * static_cast<Wide>(b)) >> (sizeof(T) * 8));
}

/// Slots of d, a and b of one width, and emits.
void emit_binary(FunctionDecoder& d, Handler run, U32 bytes) {
  Instr instr = d.instr(run);
  instr.a = d.source(1, bytes);
  instr.b = d.source(2, bytes);
  instr.d = d.target(0, bytes);
  d.emit(instr);
}
void emit_unary(FunctionDecoder& d, Handler run, U32 from, U32 to) {
  Instr instr = d.instr(run);
  instr.a = d.source(1, from);
  instr.d = d.target(0, to);
  d.emit(instr);
}

U32 width(const Type& type) {
  return static_cast<U32>(type.bytes);
}

void decode_add(FunctionDecoder& d) {
  if (decode_rare_integer(d) || decode_float_arithmetic(d)) return;
  if (d.has("cc")) return decode_carry(d);
  if (!d.type().is_integer()) throw NotEmulated{};
  const bool sat = d.has("sat");
  emit_binary(d,
              with_integer(d.type(),
                           [&]<class T>(T) {
                             if (sat && std::is_same_v<T, I32>) {
                               return binary<I32, I32, I32>([](I32 a, I32 b, const Modifiers&) {
                                 const I64 sum = I64{a} + b;
                                 constexpr I64 low = std::numeric_limits<I32>::min(),
                                               high = std::numeric_limits<I32>::max();
                                 return static_cast<I32>(sum < low ? low : sum > high ? high : sum);
                               });
                             }
                             return binary<T, T, T>([](T a, T b, const Modifiers&) {
                               return static_cast<T>(static_cast<Bits<T>>(a) + static_cast<Bits<T>>(b));
                             });
                           }),
              width(d.type()));
}

void decode_sub(FunctionDecoder& d) {
  if (decode_float_arithmetic(d)) return;
  if (d.has("cc")) return decode_carry(d);
  if (!d.type().is_integer()) throw NotEmulated{};
  const bool sat = d.has("sat");
  emit_binary(d,
              with_integer(d.type(),
                           [&]<class T>(T) {
                             if (sat && std::is_same_v<T, I32>) {
                               return binary<I32, I32, I32>([](I32 a, I32 b, const Modifiers&) {
                                 const I64 sum = I64{a} - b;
                                 constexpr I64 low = std::numeric_limits<I32>::min(),
                                               high = std::numeric_limits<I32>::max();
                                 return static_cast<I32>(sum < low ? low : sum > high ? high : sum);
                               });
                             }
                             return binary<T, T, T>([](T a, T b, const Modifiers&) {
                               return static_cast<T>(static_cast<Bits<T>>(a) - static_cast<Bits<T>>(b));
                             });
                           }),
              width(d.type()));
}

template <class T>
Handler wide_product() {
  using Wide = typename Twice<T>::type;
  return binary<Wide, T, T>([](T a, T b, const Modifiers&) {
    return static_cast<Wide>(static_cast<Wide>(a) * static_cast<Wide>(b));
  });
}

void decode_mul(FunctionDecoder& d) {
  if (decode_float_arithmetic(d)) return;
  const Type type = d.type();
  if (d.has("wide")) {
    const bool is_signed = type.kind == Type::Kind::signed_int;
    if (type.bytes != 2 && type.bytes != 4) throw NotEmulated{};
    Instr instr = d.instr(type.bytes == 2 ? (is_signed ? wide_product<I16>() : wide_product<U16>())
                                          : (is_signed ? wide_product<I32>() : wide_product<U32>()));
    instr.a = d.source(1, width(type));
    instr.b = d.source(2, width(type));
    instr.d = d.target(0, width(type) * 2);
    d.emit(instr);
    return;
  }
  const bool high = d.has("hi");
  if (!high && !d.has("lo")) throw NotEmulated{};
  emit_binary(
      d,
      with_integer(type,
                   [&]<class T>(T) {
                     if (high)
                       return binary<T, T, T>([](T a, T b, const Modifiers&) { return high_product(a, b); });
                     return binary<T, T, T>([](T a, T b, const Modifiers&) { return low_product(a, b); });
                   }),
      width(type));
}

template <class T>
Handler wide_mad() {
  using Wide = typename Twice<T>::type;
  return ternary<Wide, T, T, Wide>([](T a, T b, Wide c, const Modifiers&) {
    using Raw = std::make_unsigned_t<Wide>;
    return static_cast<Wide>(static_cast<Raw>(static_cast<Wide>(a) * static_cast<Wide>(b)) +
                             static_cast<Raw>(c));
  });
}

void decode_mad(FunctionDecoder& d) {
  if (decode_rare_integer(d) || decode_float_arithmetic(d)) return;
  const Type type = d.type();
  if (d.has("cc")) return decode_carry(d);
  if (d.has("sat")) throw NotEmulated{};
  Instr instr;
  U32 to = width(type);
  if (d.has("wide")) {
    const bool is_signed = type.kind == Type::Kind::signed_int;
    if (type.bytes != 2 && type.bytes != 4) throw NotEmulated{};
    instr = d.instr(type.bytes == 2 ? (is_signed ? wide_mad<I16>() : wide_mad<U16>())
                                    : (is_signed ? wide_mad<I32>() : wide_mad<U32>()));
    to *= 2;
  } else {
    const bool high = d.has("hi");
    if (!high && !d.has("lo")) throw NotEmulated{};
    instr = d.instr(with_integer(type, [&]<class T>(T) {
      if (high) {
        return ternary<T, T, T, T>([](T a, T b, T c, const Modifiers&) {
          return static_cast<T>(static_cast<Bits<T>>(high_product(a, b)) + static_cast<Bits<T>>(c));
        });
      }
      return ternary<T, T, T, T>([](T a, T b, T c, const Modifiers&) {
        return static_cast<T>(static_cast<Bits<T>>(low_product(a, b)) + static_cast<Bits<T>>(c));
      });
    }));
  }
  instr.a = d.source(1, width(type));
  instr.b = d.source(2, width(type));
  instr.c = d.source(3, to);
  instr.d = d.target(0, to);
  d.emit(instr);
}

/// By zero: all ones, as the hardware gives (the ISA leaves it open).
void decode_div(FunctionDecoder& d) {
  if (decode_float_arithmetic(d)) return;
  emit_binary(d,
              with_integer(d.type(),
                           [&]<class T>(T) {
                             return binary<T, T, T>([](T a, T b, const Modifiers&) {
                               if (b == 0) return static_cast<T>(~Bits<T>{0});
                               if (std::is_signed_v<T> &&
                                   static_cast<Bits<T>>(b) == static_cast<Bits<T>>(~Bits<T>{0}))
                                 return static_cast<T>(Bits<T>{0} - static_cast<Bits<T>>(a));
                               return static_cast<T>(a / b);
                             });
                           }),
              width(d.type()));
}

void decode_rem(FunctionDecoder& d) {
  emit_binary(d,
              with_integer(d.type(),
                           [&]<class T>(T) {
                             return binary<T, T, T>([](T a, T b, const Modifiers&) {
                               if (b == 0) return static_cast<T>(~Bits<T>{0});
                               if (std::is_signed_v<T> &&
                                   static_cast<Bits<T>>(b) == static_cast<Bits<T>>(~Bits<T>{0}))
                                 return T{0};
                               return static_cast<T>(a % b);
                             });
                           }),
              width(d.type()));
}

void decode_abs(FunctionDecoder& d) {
  if (decode_float_arithmetic(d)) return;
  emit_unary(d,
             with_integer(d.type(),
                          [&]<class T>(T) {
                            return unary<T, T>([](T a, const Modifiers&) {
                              return static_cast<T>(a < 0 ? Bits<T>{0} - static_cast<Bits<T>>(a)
                                                          : static_cast<Bits<T>>(a));
                            });
                          }),
             width(d.type()), width(d.type()));
}

void decode_neg(FunctionDecoder& d) {
  if (decode_float_arithmetic(d)) return;
  emit_unary(d,
             with_integer(d.type(),
                          [&]<class T>(T) {
                            return unary<T, T>([](T a, const Modifiers&) {
                              return static_cast<T>(Bits<T>{0} - static_cast<Bits<T>>(a));
                            });
                          }),
             width(d.type()), width(d.type()));
}

template <bool kMaximum>
void decode_min_max(FunctionDecoder& d) {
  if (decode_rare_integer(d) || decode_float_arithmetic(d)) return;
  if (!d.type().is_integer() || d.has("relu")) throw NotEmulated{};
  emit_binary(d,
              with_integer(d.type(),
                           [&]<class T>(T) {
                             return binary<T, T, T>([](T a, T b, const Modifiers&) {
                               return kMaximum ? (a > b ? a : b) : (a < b ? a : b);
                             });
                           }),
              width(d.type()));
}

/// and, or, xor of predicates and of bits.
template <class F>
void decode_logic(FunctionDecoder& d, F) {
  const Type type = d.type();
  if (type.kind == Type::Kind::predicate) {
    Instr instr = d.instr([](Warp& warp, const Instr& in, U32 mask) {
      set_predicate(warp, in.d, mask, F{}(warp.predicate(in.a), warp.predicate(in.b)));
    });
    instr.a = d.source(1, 0);
    instr.b = d.source(2, 0);
    instr.d = d.target(0, 0);
    d.emit(instr);
    return;
  }
  emit_binary(d,
              with_integer(type,
                           [&]<class T>(T) {
                             return binary<T, T, T>(
                                 [](T a, T b, const Modifiers&) { return static_cast<T>(F{}(a, b)); });
                           }),
              width(type));
}
void decode_and(FunctionDecoder& d) {
  decode_logic(d, [](auto a, auto b) { return a & b; });
}
void decode_or(FunctionDecoder& d) {
  decode_logic(d, [](auto a, auto b) { return a | b; });
}
void decode_xor(FunctionDecoder& d) {
  decode_logic(d, [](auto a, auto b) { return a ^ b; });
}

void decode_not(FunctionDecoder& d) {
  const Type type = d.type();
  if (type.kind == Type::Kind::predicate) {
    Instr instr = d.instr([](Warp& warp, const Instr& in, U32 mask) {
      set_predicate(warp, in.d, mask, ~warp.predicate(in.a));
    });
    instr.a = d.source(1, 0);
    instr.d = d.target(0, 0);
    d.emit(instr);
    return;
  }
  emit_unary(d,
             with_integer(type,
                          [&]<class T>(T) {
                            return unary<T, T>([](T a, const Modifiers&) { return static_cast<T>(~a); });
                          }),
             width(type), width(type));
}

void decode_cnot(FunctionDecoder& d) {
  emit_unary(
      d,
      with_integer(d.type(),
                   [&]<class T>(T) {
                     return unary<T, T>([](T a, const Modifiers&) { return static_cast<T>(a == 0 ? 1 : 0); });
                   }),
      width(d.type()), width(d.type()));
}

/// Shift amounts beyond the width are clamped to it.
void decode_shift(FunctionDecoder& d) {
  const bool left = d.ast().opcode.front() == "shl";
  const Type type = d.type();
  Instr instr = d.instr(with_integer(type, [&]<class T>(T) {
    if (left) {
      return binary<T, T, U32>([](T a, U32 n, const Modifiers&) {
        return n >= sizeof(T) * 8 ? T{0} : static_cast<T>(static_cast<U64>(a) << n);
      });
    }
    return binary<T, T, U32>([](T a, U32 n, const Modifiers&) {
      constexpr U32 bits = sizeof(T) * 8;
      if (std::is_signed_v<T>) return static_cast<T>(a >> (n >= bits ? bits - 1 : n));
      return n >= bits ? T{0} : static_cast<T>(a >> n);
    });
  }));
  instr.a = d.source(1, width(type));
  instr.b = d.source(2, 4);
  instr.d = d.target(0, width(type));
  d.emit(instr);
}

void decode_funnel(FunctionDecoder& d) {
  const bool left = d.has("l"), clamp = d.has("clamp");
  const auto shift = [](U32 a, U32 b, U32 n, bool to_left) {
    const U64 both = (U64{b} << 32) | a;
    return static_cast<U32>(to_left   ? (n >= 32 ? both << 32 : both << n) >> 32
                            : n >= 32 ? both >> 32
                                      : both >> n);
  };
  static_assert(std::is_empty_v<decltype(shift)>);
  using Shift = decltype(shift);
  Handler run = nullptr;
  if (left && clamp)
    run = ternary<U32, U32, U32, U32>(
        [](U32 a, U32 b, U32 n, const Modifiers&) { return Shift{}(a, b, n > 32 ? 32 : n, true); });
  if (left && !clamp)
    run = ternary<U32, U32, U32, U32>(
        [](U32 a, U32 b, U32 n, const Modifiers&) { return Shift{}(a, b, n & 31, true); });
  if (!left && clamp)
    run = ternary<U32, U32, U32, U32>(
        [](U32 a, U32 b, U32 n, const Modifiers&) { return Shift{}(a, b, n > 32 ? 32 : n, false); });
  if (!left && !clamp)
    run = ternary<U32, U32, U32, U32>(
        [](U32 a, U32 b, U32 n, const Modifiers&) { return Shift{}(a, b, n & 31, false); });
  Instr instr = d.instr(run);
  instr.a = d.source(1, 4);
  instr.b = d.source(2, 4);
  instr.c = d.source(3, 4);
  instr.d = d.target(0, 4);
  d.emit(instr);
}

void decode_popc(FunctionDecoder& d) {
  const bool wide = d.type().bytes == 8;
  emit_unary(
      d,
      wide ? unary<U32, U64>([](U64 a, const Modifiers&) { return static_cast<U32>(std::popcount(a)); })
           : unary<U32, U32>([](U32 a, const Modifiers&) { return static_cast<U32>(std::popcount(a)); }),
      wide ? 8 : 4, 4);
}
void decode_clz(FunctionDecoder& d) {
  const bool wide = d.type().bytes == 8;
  emit_unary(
      d,
      wide ? unary<U32, U64>([](U64 a, const Modifiers&) { return static_cast<U32>(std::countl_zero(a)); })
           : unary<U32, U32>([](U32 a, const Modifiers&) { return static_cast<U32>(std::countl_zero(a)); }),
      wide ? 8 : 4, 4);
}

void decode_sad(FunctionDecoder& d) {
  Instr instr = d.instr(with_integer(d.type(), [&]<class T>(T) {
    return ternary<T, T, T, T>([](T a, T b, T c, const Modifiers&) {
      const auto far = a < b ? static_cast<Bits<T>>(b) - static_cast<Bits<T>>(a)
                             : static_cast<Bits<T>>(a) - static_cast<Bits<T>>(b);
      return static_cast<T>(static_cast<Bits<T>>(c) + static_cast<Bits<T>>(far));
    });
  }));
  instr.a = d.source(1, width(d.type()));
  instr.b = d.source(2, width(d.type()));
  instr.c = d.source(3, width(d.type()));
  instr.d = d.target(0, width(d.type()));
  d.emit(instr);
}

constexpr DecoderRow kIntegerRows[] = {
    {"add", decode_add},           {"sub", decode_sub},   {"mul", decode_mul},
    {"mad", decode_mad},           {"div", decode_div},   {"rem", decode_rem},
    {"abs", decode_abs},           {"neg", decode_neg},   {"min", decode_min_max<false>},
    {"max", decode_min_max<true>}, {"and", decode_and},   {"or", decode_or},
    {"xor", decode_xor},           {"not", decode_not},   {"cnot", decode_cnot},
    {"shl", decode_shift},         {"shr", decode_shift}, {"shf", decode_funnel},
    {"popc", decode_popc},         {"clz", decode_clz},   {"sad", decode_sad},
};

}  // namespace

DecoderTable integer_decoders() {
  return {std::begin(kIntegerRows), std::end(kIntegerRows)};
}

}  // namespace kgen::emulator
