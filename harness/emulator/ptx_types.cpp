#include <algorithm>

#include "harness/emulator/ptx_module.hpp"

namespace kgen::emulator::ptx {
namespace {

struct TypeRow {
  std::string_view name;
  Type::Kind kind;
  int bytes;
};
using Kind = Type::Kind;
constexpr TypeRow kTypes[] = {
    {"b8", Kind::untyped, 1},       {"b16", Kind::untyped, 2},      {"b32", Kind::untyped, 4},
    {"b64", Kind::untyped, 8},      {"b128", Kind::untyped, 16},    {"u8", Kind::unsigned_int, 1},
    {"u16", Kind::unsigned_int, 2}, {"u32", Kind::unsigned_int, 4}, {"u64", Kind::unsigned_int, 8},
    {"s8", Kind::signed_int, 1},    {"s16", Kind::signed_int, 2},   {"s32", Kind::signed_int, 4},
    {"s64", Kind::signed_int, 8},   {"f16", Kind::floating, 2},     {"f32", Kind::floating, 4},
    {"f64", Kind::floating, 8},     {"f16x2", Kind::packed, 4},     {"bf16", Kind::brain, 2},
    {"bf16x2", Kind::packed, 4},    {"tf32", Kind::other, 4},       {"e4m3", Kind::other, 1},
    {"e5m2", Kind::other, 1},       {"e4m3x2", Kind::other, 2},     {"e5m2x2", Kind::other, 2},
    {"u16x2", Kind::packed, 4},     {"s16x2", Kind::packed, 4},     {"pred", Kind::predicate, 0},
    {"s4", Kind::other, 0},         {"u4", Kind::other, 0},         {"b1", Kind::other, 0},
    {"e2m1x2", Kind::other, 1},     {"e2m3x2", Kind::other, 2},     {"e3m2x2", Kind::other, 2},
    {"ue8m0x2", Kind::other, 2},    {"f32x2", Kind::packed, 8},
};

}  // namespace

Type parse_type(std::string_view suffix) {
  const auto* const row =
      std::find_if(std::begin(kTypes), std::end(kTypes), [&](const TypeRow& r) { return r.name == suffix; });
  if (row == std::end(kTypes)) return {};
  return {row->kind, row->bytes, std::string(suffix)};
}

bool Instruction::has(std::string_view part) const {
  return std::find(opcode.begin() + 1, opcode.end(), part) != opcode.end();
}

std::string Instruction::name() const {
  std::string out;
  for (const auto& part : opcode) out += (out.empty() ? "" : ".") + part;
  return out;
}

}  // namespace kgen::emulator::ptx
