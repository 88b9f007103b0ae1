#include "emulator_differential/form.hpp"
#include "emulator_differential/names.hpp"
#include "harness/emulator/convert_scalar.hpp"

namespace kgen::differential {
namespace {

using namespace emulator;
using enum ScalarType;

constexpr Rounding kRoundings[] = {Rounding::rn, Rounding::rz, Rounding::rm, Rounding::rp};
constexpr ScalarType kIntegers[] = {u8, u16, u32, u64, s8, s16, s32, s64};
constexpr ScalarType kFloats[] = {f16, bf16, f32, f64};

/// The register of an operand or a result of `type`: 8 bits lie in 32.
ScalarType stored(ScalarType type) {
  if (type == tf32) return b32;
  if (bits_of(type) != 8 || !is_integer(type)) return type;
  return is_signed_integer(type) ? s32 : u32;
}

void add_one(std::vector<Form>& forms, const std::string& modifiers, ScalarType to, ScalarType from,
             const ConvertModifiers& m, Agreement agreement) {
  forms.push_back(scalar_form("cvt" + modifiers + name_of(to) + name_of(from), "", {stored(from)}, stored(to),
                              agreement, [=](const Operands& x) { return convert(to, from, x[0], m); }));
}

/// Whether some value of `from` is none of `to`: cvt takes .sat only then.
bool can_saturate(ScalarType to, ScalarType from) {
  if (is_signed_integer(from)) return !is_signed_integer(to) || bits_of(to) < bits_of(from);
  return bits_of(to) < bits_of(from) || (is_signed_integer(to) && bits_of(to) == bits_of(from));
}

void add_integers(std::vector<Form>& forms) {
  for (const ScalarType from : kIntegers) {
    for (const ScalarType to : kIntegers) {
      if (from == to) continue;
      add_one(forms, "", to, from, {}, kExact);
      if (can_saturate(to, from)) add_one(forms, ".sat", to, from, {.sat = true}, kExact);
    }
  }
}

void add_floats_and_integers(std::vector<Form>& forms) {
  for (const ScalarType real : kFloats) {
    for (const ScalarType whole : kIntegers) {
      if (real == bf16 && bits_of(whole) == 8) continue;  // ptxas 13.0 knows no such cvt
      for (const Rounding r : kRoundings) {
        add_one(forms, name_of(r) + "i", whole, real, {.rounding = r}, kExact);
        add_one(forms, name_of(r), real, whole, {.rounding = r}, kExact);
      }
    }
  }
  for (const ScalarType whole : {s32, u64}) {
    for (const Rounding r : kRoundings) {
      add_one(forms, name_of(r) + "i.ftz", whole, f32, {.rounding = r, .ftz = true}, kExact);
    }
  }
}

void add_floats(std::vector<Form>& forms) {
  const std::pair<ScalarType, ScalarType> narrowing[] = {{f32, f64},  {f16, f64},  {bf16, f64}, {f16, f32},
                                                         {bf16, f32}, {bf16, f16}, {f16, bf16}};
  for (const auto& [to, from] : narrowing) {
    for (const Rounding r : kRoundings) {
      add_one(forms, name_of(r), to, from, {.rounding = r}, kAnyNan);
    }
  }
  for (const auto& [to, from] : {std::pair{f64, f32}, std::pair{f64, f16}, std::pair{f64, bf16},
                                 std::pair{f32, f16}, std::pair{f32, bf16}}) {
    add_one(forms, "", to, from, {}, kAnyNan);
  }
  for (const Rounding r : kRoundings) {
    for (const ScalarType type : kFloats)
      add_one(forms, name_of(r) + "i", type, type, {.rounding = r, .integral = true}, kAnyNan);
    add_one(forms, name_of(r) + ".ftz", f32, f64, {.rounding = r, .ftz = true}, kAnyNan);
    add_one(forms, name_of(r) + "i.ftz", f32, f32, {.rounding = r, .integral = true, .ftz = true}, kAnyNan);
  }
  add_one(forms, ".rn.sat", f32, f64, {.sat = true}, kExact);
  add_one(forms, ".rn.sat", f16, f32, {.sat = true}, kExact);
  add_one(forms, ".rn.ftz", f16, f32, {.ftz = true}, kAnyNan);
  add_one(forms, ".ftz", f64, f32, {.ftz = true}, kAnyNan);
  add_one(forms, ".sat", f32, f32, {.sat = true}, kExact);
  add_one(forms, ".ftz", f32, f32, {.ftz = true}, kAnyNan);
}

/// The conversions to narrow types with relu and satfinite, one value and pairs.
void add_narrow(std::vector<Form>& forms) {
  for (const Rounding r : {Rounding::rn, Rounding::rz}) {
    for (const bool relu : {false, true}) {
      const ConvertModifiers m{.rounding = r, .relu = relu};
      const std::string text = name_of(r) + when(relu, ".relu");
      for (const auto& [pair, single] : {std::pair{f16x2, f16}, std::pair{bf16x2, bf16}}) {
        if (relu) add_one(forms, text, single, f32, m, kExact);
        forms.push_back(
            scalar_form("cvt" + text + name_of(pair) + ".f32", "", {f32, f32}, pair, kExact,
                        [=, to = pair](const Operands& x) { return convert_pair(to, f32, x[0], x[1], m); }));
      }
      add_one(forms, text, tf32, f32, m, kExact);
    }
  }
  add_one(forms, ".rna", tf32, f32, {.rounding = Rounding::rna}, kExact);
  for (const ScalarType pair : {e4m3x2, e5m2x2}) {
    for (const bool relu : {false, true}) {
      const ConvertModifiers m{.satfinite = true, .relu = relu};
      const std::string text = ".rn.satfinite" + when(relu, ".relu") + name_of(pair);
      forms.push_back(scalar_form("cvt" + text + ".f32", "", {f32, f32}, pair, kExact,
                                  [=](const Operands& x) { return convert_pair(pair, f32, x[0], x[1], m); }));
      forms.push_back(scalar_form("cvt" + text + ".f16x2", "", {f16x2}, pair, kExact, [=](const Operands& x) {
        return convert_packed(pair, f16x2, static_cast<std::uint32_t>(x[0]), m);
      }));
      const ConvertModifiers widening{.relu = relu};
      forms.push_back(scalar_form("cvt.rn" + when(relu, ".relu") + ".f16x2" + name_of(pair), "", {pair},
                                  f16x2, kExact, [=](const Operands& x) {
                                    return convert_packed(f16x2, pair, static_cast<std::uint32_t>(x[0]),
                                                          widening);
                                  }));
    }
  }
}

}  // namespace

std::vector<Form> convert_forms() {
  std::vector<Form> forms;
  add_integers(forms);
  add_floats_and_integers(forms);
  add_floats(forms);
  add_narrow(forms);
  return forms;
}

}  // namespace kgen::differential
