#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/emulator/mma_run.hpp"
#include "support/operand_source.hpp"

namespace kgen::differential {

/// The matrices of one matrix product: bits of each element, row-major.
struct Problem {
  explicit Problem(const emulator::MmaForm& form);

  emulator::MmaForm form;
  std::vector<std::uint64_t> a, b, c;

  std::vector<std::uint64_t>& part(emulator::MatrixPart which) {
    return which == emulator::MatrixPart::a ? a : which == emulator::MatrixPart::b ? b : c;
  }
};

int columns_of(const emulator::MmaForm& form, emulator::MatrixPart part);

/// One of three kinds at random: small whole numbers (every sum is exact), values of one size, values of many
/// sizes. Always finite.
Problem random_problem(const emulator::MmaForm& form, support::OperandSource& source);

/// What is wrong with the elements `got` where the device has `expected`. Whole-number problems and integers
/// must be equal; others within a bound relative to the sum of |a||b| and |c|, as the hardware's sums are of
/// undocumented width and order.
std::string disagreement_of(const Problem& problem, const std::vector<std::uint64_t>& expected,
                            const std::vector<std::uint64_t>& got);

/// D as the emulator computes it, through fragments in registers.
std::vector<std::uint64_t> emulated_product(const Problem& problem);

/// "{%a0, %a1}": the registers of a fragment in PTX.
std::string register_list(const emulator::MmaForm& form, emulator::MatrixPart part, const char* letter);
/// ".m16n8k16".
std::string shape_name(const emulator::MmaForm& form);

}  // namespace kgen::differential
