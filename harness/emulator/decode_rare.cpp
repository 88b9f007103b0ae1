#include <algorithm>

#include "harness/emulator/decode_table.hpp"
#include "harness/emulator/integer_ops.hpp"
#include "harness/emulator/lane_loops.hpp"

// Forms of add, min, max and mad that compilers seldom make: pairs of 16 bits, .relu, .sat of a high product.
namespace kgen::emulator {
namespace {

void emit_binary(FunctionDecoder& d, Handler run) {
  Instr instr = d.instr(run);
  instr.a = d.source(1, 4);
  instr.b = d.source(2, 4);
  instr.d = d.target(0, 4);
  d.emit(instr);
}

/// f on both halves of two registers.
template <class T, class F>
Handler pair(F) {
  return binary<U32, U32, U32>([](U32 a, U32 b, const Modifiers& m) {
    const F f{};
    const auto one = [&](int shift) {
      return static_cast<U32>(static_cast<U16>(f(static_cast<T>(a >> shift), static_cast<T>(b >> shift), m)));
    };
    return one(0) | one(16) << 16;
  });
}

template <class T>
Handler pair_handler(std::string_view name) {
  if (name == "add") return pair<T>([](T a, T b, const Modifiers&) { return add_integer(a, b); });
  if (name == "min") {
    return pair<T>([](T a, T b, const Modifiers& m) {
      return m.relu ? std::max(T{0}, std::min(a, b)) : std::min(a, b);
    });
  }
  if (name == "max") {
    return pair<T>([](T a, T b, const Modifiers& m) {
      return m.relu ? std::max(T{0}, std::max(a, b)) : std::max(a, b);
    });
  }
  throw NotEmulated{};
}

}  // namespace

bool decode_rare_integer(FunctionDecoder& d) {
  const std::string& name = d.ast().opcode.front();
  if (d.has("u16x2") || d.has("s16x2")) {
    emit_binary(d, d.has("s16x2") ? pair_handler<I16>(name) : pair_handler<U16>(name));
    return true;
  }
  if (d.has("relu") && d.has("s32") && name == "min") {
    emit_binary(
        d, binary<I32, I32, I32>([](I32 a, I32 b, const Modifiers&) { return std::max(0, std::min(a, b)); }));
    return true;
  }
  if (d.has("relu") && d.has("s32") && name == "max") {
    emit_binary(
        d, binary<I32, I32, I32>([](I32 a, I32 b, const Modifiers&) { return std::max(0, std::max(a, b)); }));
    return true;
  }
  if (d.has("sat") && d.has("hi") && d.has("s32") && (name == "mad" || name == "mad24")) {
    Instr instr =
        d.instr(name == "mad" ? ternary<I32, I32, I32, I32>(
                                    [](I32 a, I32 b, I32 c, const Modifiers&) { return mad_hi_sat(a, b, c); })
                              : ternary<I32, I32, I32, I32>([](I32 a, I32 b, I32 c, const Modifiers&) {
                                  return add_integer(mul24_hi(a, b), c, true);
                                }));
    instr.a = d.source(1, 4);
    instr.b = d.source(2, 4);
    instr.c = d.source(3, 4);
    instr.d = d.target(0, 4);
    d.emit(instr);
    return true;
  }
  return false;
}

}  // namespace kgen::emulator
