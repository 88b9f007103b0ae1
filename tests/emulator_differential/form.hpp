#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <ostream>
#include <string>
#include <vector>

#include "emulator_differential/agreement.hpp"
#include "harness/emulator/scalar_type.hpp"
#include "support/operand_source.hpp"

namespace kgen::differential {

using emulator::ScalarType;

/// One instruction form: how a GPU computes it, how the emulator does, and how close both must be.
struct Form {
  std::string name;
  /// PTX of a kernel's body. %in and %out (.b64) are the addresses of the case's own bytes; for a warp form
  /// every lane of the case's warp runs it, with its number in %lane (.b32).
  std::string body;
  int in_bytes = 0;
  int out_bytes = 0;
  bool warp = false;  ///< 32 threads a case instead of one
  int cases = 160;
  bool exhaustive = false;  ///< one 16-bit operand and exact: all its values are compared by hash as well
  std::function<void(support::OperandSource&, std::byte* in)> fill;
  std::function<void(const std::byte* in, std::byte* out)> emulate;
  /// What is wrong with `got` where the device gave `expected`; empty where they agree.
  std::function<std::string(const std::byte* in, const std::byte* expected, const std::byte* got)>
      disagreement;
};

/// Operands of a scalar form, each in the low bits.
using Operands = std::array<std::uint64_t, 4>;
inline std::uint32_t low(std::uint64_t operand) {
  return static_cast<std::uint32_t>(operand);
}

/// A form of up to four scalar operands. `ptx` has $d for the result and $0 to $3 for the operands; where it
/// is empty it is `name` itself with its operands. %p, %q (.pred) and %t (.b32), %u (.b64) are there for it
/// to use. Operands and result are registers of their type's width, of 32 bits for 8-bit types.
Form scalar_form(std::string name, std::string ptx, std::initializer_list<ScalarType> inputs,
                 ScalarType output, Agreement agreement,
                 std::function<std::uint64_t(const Operands&)> emulate);

/// The tables, one a theme.
std::vector<Form> float_forms();
std::vector<Form> half_forms();
std::vector<Form> compare_forms();
std::vector<Form> convert_forms();
std::vector<Form> integer_forms();
std::vector<Form> bit_forms();
std::vector<Form> approx_forms();
std::vector<Form> video_forms();
std::vector<Form> atomic_forms();
std::vector<Form> mma_forms();
std::vector<Form> wmma_forms();

struct Theme {
  std::string name;
  std::vector<Form> forms;
};
/// The name alone: what a failed test shows.
inline std::ostream& operator<<(std::ostream& out, const Theme& theme) {
  return out << theme.name;
}
std::vector<Theme> all_themes();

/// A whole module (PTX text) with one kernel a form, named form_0, form_1, ...; each takes the addresses of
/// all cases' inputs and outputs and the number of cases (.u64, .u64, .u32).
std::string ptx_module(const std::vector<Form>& forms);

/// The inputs of `cases` cases of a form; they depend on the form's name and on `seed` alone.
std::vector<std::byte> case_inputs(const Form& form, int cases, std::uint64_t seed);
/// All 65536 operands of an exhaustive form.
std::vector<std::byte> exhaustive_inputs(const Form& form);
/// The emulator's outputs for inputs of any number of cases.
std::vector<std::byte> emulated(const Form& form, const std::vector<std::byte>& inputs);

/// FNV-1a, 64 bits.
std::uint64_t hash_of(const std::vector<std::byte>& bytes);

/// The seed whose outputs are committed.
inline constexpr std::uint64_t kCommittedSeed = 20261121;

}  // namespace kgen::differential
