#include "emulator_differential/mma_problem.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <sstream>

#include "harness/emulator/arith_f32.hpp"
#include "harness/emulator/convert_scalar.hpp"

namespace kgen::differential {
namespace {

using namespace emulator;
using enum ScalarType;

double value_of(ScalarType type, std::uint64_t bits) {
  if (type == tf32) return float_of(static_cast<std::uint32_t>(bits) & 0xffffe000u);
  if (type == f64) return std::bit_cast<double>(bits);
  return std::bit_cast<double>(convert(f64, type, bits, {}));
}

std::uint64_t bits_of_value(ScalarType type, double value) {
  const std::uint64_t wide = std::bit_cast<std::uint64_t>(value);
  if (type == f64) return wide;
  return convert(type == tf32 ? f32 : type, f64, wide, {.satfinite = true});
}

enum class Size { whole, one, many };

std::uint64_t random_element(ScalarType type, Size size, support::OperandSource& source) {
  if (is_integer(type)) {
    const std::uint64_t mask = ~0ull >> (64 - emulator::bits_of(type));
    return (size == Size::whole ? source.random() % 17 : source.random()) & mask;
  }
  const double fraction = static_cast<double>(source.random() >> 11) * 0x1p-52 - 1;
  if (size == Size::whole) return bits_of_value(type, std::floor(fraction * 8));
  if (size == Size::one) return bits_of_value(type, fraction);
  return bits_of_value(type, std::ldexp(fraction, static_cast<int>(source.random() % 13) - 6));
}

double bound_of(const MmaForm& form) {
  if (form.d == f16 || form.c == f16) return 0x1p-9;
  if (form.d == f64) return 0x1p-49;
  return form.a == e4m3 || form.a == e5m2 ? 0x1p-12 : 0x1p-20;
}

template <typename Word>
std::vector<std::array<Word, 32>> fragment_of(const Problem& problem, MatrixPart part,
                                              const std::vector<std::uint64_t>& dense) {
  const MmaForm& form = problem.form;
  const int per = values_per_register(form, part);
  std::vector<std::array<Word, 32>> registers(static_cast<std::size_t>(fragment_registers(form, part)));
  for (std::size_t reg = 0; reg < registers.size(); ++reg) {
    for (std::size_t lane = 0; lane < 32; ++lane) {
      Word word = 0;
      for (int value = 0; value < per; ++value) {
        const MatrixElement e =
            fragment_element(form, part, static_cast<int>(lane), static_cast<int>(reg), value);
        const auto at = static_cast<std::size_t>(e.row * columns_of(form, part) + e.column);
        word |= static_cast<Word>(static_cast<Word>(dense[at]) << (32 / per * value % 32));
      }
      registers[reg][lane] = word;
    }
  }
  return registers;
}

template <typename Word>
std::vector<std::uint64_t> dense_of(const MmaForm& form, const std::vector<std::array<Word, 32>>& registers) {
  const int per = values_per_register(form, MatrixPart::d);
  const std::uint64_t mask = ~0ull >> (64 - emulator::bits_of(form.d));
  std::vector<std::uint64_t> dense(static_cast<std::size_t>(form.m * form.n));
  for (std::size_t reg = 0; reg < registers.size(); ++reg) {
    for (std::size_t lane = 0; lane < 32; ++lane) {
      for (int value = 0; value < per; ++value) {
        const MatrixElement e =
            fragment_element(form, MatrixPart::d, static_cast<int>(lane), static_cast<int>(reg), value);
        const std::uint64_t word = registers[reg][lane];
        dense[static_cast<std::size_t>(e.row * form.n + e.column)] = (word >> (16 * value)) & mask;
      }
    }
  }
  return dense;
}

template <typename Word, typename Run>
std::vector<std::uint64_t> product(const Problem& problem, Run run) {
  const auto a = fragment_of<Word>(problem, MatrixPart::a, problem.a);
  const auto b = fragment_of<Word>(problem, MatrixPart::b, problem.b);
  const auto c = fragment_of<Word>(problem, MatrixPart::c, problem.c);
  std::vector<std::array<Word, 32>> d(
      static_cast<std::size_t>(fragment_registers(problem.form, MatrixPart::d)));
  const auto readable = [](const auto& rows) {
    std::vector<const Word*> pointers;
    for (const auto& row : rows) pointers.push_back(row.data());
    return pointers;
  };
  std::vector<Word*> results;
  for (auto& row : d) results.push_back(row.data());
  run(plan_mma(problem.form), readable(a), readable(b), readable(c), results);
  return dense_of<Word>(problem.form, d);
}

}  // namespace

int columns_of(const MmaForm& form, MatrixPart part) {
  return part == MatrixPart::a ? form.k : form.n;
}

Problem::Problem(const MmaForm& of)
    : form(of),
      a(static_cast<std::size_t>(of.m * of.k)),
      b(static_cast<std::size_t>(of.k * of.n)),
      c(static_cast<std::size_t>(of.m * of.n)) {}

Problem random_problem(const MmaForm& form, support::OperandSource& source) {
  Problem problem(form);
  const auto size = static_cast<Size>(source.random() % 3);
  for (const MatrixPart part : {MatrixPart::a, MatrixPart::b, MatrixPart::c}) {
    for (std::uint64_t& element : problem.part(part))
      element = random_element(type_of(form, part), size, source);
  }
  return problem;
}

std::string disagreement_of(const Problem& problem, const std::vector<std::uint64_t>& expected,
                            const std::vector<std::uint64_t>& got) {
  const MmaForm& form = problem.form;
  for (int row = 0; row < form.m; ++row) {
    for (int column = 0; column < form.n; ++column) {
      const auto at = static_cast<std::size_t>(row * form.n + column);
      if (expected[at] == got[at]) continue;
      const auto c = value_of(form.c, problem.c[at]);
      double scale = std::fabs(c);
      bool whole = c == std::floor(c);
      for (int k = 0; k < form.k; ++k) {
        const double a = value_of(form.a, problem.a[static_cast<std::size_t>(row * form.k + k)]);
        const double b = value_of(form.b, problem.b[static_cast<std::size_t>(k * form.n + column)]);
        scale += std::fabs(a * b);
        whole = whole && a == std::floor(a) && b == std::floor(b);
      }
      const double wanted = value_of(form.d, expected[at]);
      const double result = value_of(form.d, got[at]);
      if (!whole && !is_integer(form.d) && std::fabs(wanted - result) <= bound_of(form) * scale) continue;
      std::ostringstream text;
      text << "element " << row << ", " << column << ": device " << std::hex << expected[at] << " (" << wanted
           << "), emulator " << got[at] << " (" << result << "), sum of magnitudes " << scale;
      return text.str();
    }
  }
  return "";
}

std::vector<std::uint64_t> emulated_product(const Problem& problem) {
  if (problem.form.d == f64) return product<std::uint64_t>(problem, run_mma_f64);
  return product<std::uint32_t>(problem, run_mma);
}

std::string register_list(const MmaForm& form, MatrixPart part, const char* letter) {
  std::string list = "{";
  for (int reg = 0; reg < fragment_registers(form, part); ++reg) {
    list += (reg > 0 ? ", %" : "%") + std::string(letter) + std::to_string(reg);
  }
  return list + "}";
}

std::string shape_name(const MmaForm& form) {
  return ".m" + std::to_string(form.m) + "n" + std::to_string(form.n) + "k" + std::to_string(form.k);
}

}  // namespace kgen::differential
