#include "harness/emulator/mma_run.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "harness/emulator/mma_multiply.hpp"
#include "harness/emulator/mma_values.hpp"

namespace kgen::emulator {
namespace {

constexpr int kLargest = 32 * 16;  ///< elements of the largest A, B, C or D

FragmentIndex index_of(const MmaForm& form, MatrixPart part) {
  const int columns = part == MatrixPart::a ? form.k : form.n;
  FragmentIndex index;
  for (int reg = 0; reg < fragment_registers(form, part); ++reg) {
    for (int lane = 0; lane < 32; ++lane) {
      for (int value = 0; value < values_per_register(form, part); ++value) {
        const MatrixElement element = fragment_element(form, part, lane, reg, value);
        index.push_back(static_cast<std::uint16_t>(element.row * columns + element.column));
      }
    }
  }
  return index;
}

/// Spreads a fragment over a dense matrix; decode(bits) makes an element of the low bits of a register.
template <int kWidth, typename Element, typename Decode>
void gather(const FragmentIndex& index, Registers32 registers, Element* dense, Decode decode) {
  const std::uint16_t* at = index.data();
  for (std::size_t reg = 0; reg * 32 * (32 / kWidth) < index.size(); ++reg) {
    for (int lane = 0; lane < 32; ++lane) {
      for (int value = 0; value < 32 / kWidth; ++value) {
        dense[*at++] = decode(registers[reg][lane] >> (kWidth * value % 32));
      }
    }
  }
}

void gather_floats(ScalarType type, const FragmentIndex& index, Registers32 registers, double* dense) {
  const std::size_t in_register = 32 * 32 / static_cast<std::size_t>(bits_of(type));
  double values[128];
  for (std::size_t reg = 0; reg * in_register < index.size(); ++reg) {
    mma_values(type, registers[reg], values);
    const std::uint16_t* const at = index.data() + reg * in_register;
    for (std::size_t i = 0; i < in_register; ++i) dense[at[i]] = values[i];
  }
}

void scatter_floats(ScalarType type, const FragmentIndex& index, const double* dense,
                    std::span<std::uint32_t* const> registers) {
  const std::size_t in_register = 32 * 32 / static_cast<std::size_t>(bits_of(type));
  double values[64];
  for (std::size_t reg = 0; reg < registers.size(); ++reg) {
    const std::uint16_t* const at = index.data() + reg * in_register;
    for (std::size_t i = 0; i < in_register; ++i) values[i] = dense[at[i]];
    mma_pack(type, values, registers[reg]);
  }
}

std::int32_t byte_value(std::uint32_t x, bool is_signed) {
  return is_signed ? static_cast<std::int8_t>(x & 0xffu) : static_cast<std::int32_t>(x & 0xffu);
}

void run_integers(const MmaPlan& plan, Registers32 a, Registers32 b, Registers32 c,
                  std::span<std::uint32_t* const> d) {
  const MmaForm& form = plan.form;
  std::int32_t dense_a[kLargest];
  std::int32_t dense_b[kLargest];
  std::int32_t sums[kLargest] = {};
  std::int32_t dense_c[kLargest];
  const bool a_signed = form.a == ScalarType::s8;
  const bool b_signed = form.b == ScalarType::s8;
  gather<8>(plan.a, a, dense_a, [=](std::uint32_t x) { return byte_value(x, a_signed); });
  gather<8>(plan.b, b, dense_b, [=](std::uint32_t x) { return byte_value(x, b_signed); });
  gather<32>(plan.c, c, dense_c, [](std::uint32_t x) { return static_cast<std::int32_t>(x); });
  multiply_exact(form, dense_a, dense_b, sums);  // at most 32 * 255 * 255: no overflow
  const std::uint16_t* at = plan.d.data();
  for (std::uint32_t* const reg : d) {
    for (int lane = 0; lane < 32; ++lane, ++at) {
      std::int64_t sum = static_cast<std::int64_t>(sums[*at]) + dense_c[*at];
      if (form.satfinite) sum = std::clamp<std::int64_t>(sum, INT32_MIN, INT32_MAX);
      reg[lane] = static_cast<std::uint32_t>(sum);
    }
  }
}

void run_floats(const MmaPlan& plan, Registers32 a, Registers32 b, Registers32 c,
                std::span<std::uint32_t* const> d) {
  double dense_a[kLargest];
  double dense_b[kLargest];
  double dense_c[kLargest];
  gather_floats(plan.form.a, plan.a, a, dense_a);
  gather_floats(plan.form.b, plan.b, b, dense_b);
  gather_floats(plan.form.c, plan.c, c, dense_c);
  multiply_exact(plan.form, dense_a, dense_b, dense_c);
  scatter_floats(plan.form.d, plan.d, dense_c, d);
}

void gather_doubles(const FragmentIndex& index, Registers64 registers, double* dense) {
  for (std::size_t i = 0; i < index.size(); ++i)
    dense[index[i]] = std::bit_cast<double>(registers[i / 32][i % 32]);
}

}  // namespace

MmaPlan plan_mma(const MmaForm& form) {
  return {form, index_of(form, MatrixPart::a), index_of(form, MatrixPart::b), index_of(form, MatrixPart::c),
          index_of(form, MatrixPart::d)};
}

void run_mma(const MmaPlan& plan, Registers32 a, Registers32 b, Registers32 c,
             std::span<std::uint32_t* const> d) {
  if (is_integer(plan.form.a)) return run_integers(plan, a, b, c, d);
  run_floats(plan, a, b, c, d);
}

void run_mma_f64(const MmaPlan& plan, Registers64 a, Registers64 b, Registers64 c,
                 std::span<std::uint64_t* const> d) {
  double dense_a[kLargest];
  double dense_b[kLargest];
  double dense_c[kLargest];
  gather_doubles(plan.a, a, dense_a);
  gather_doubles(plan.b, b, dense_b);
  gather_doubles(plan.c, c, dense_c);
  const MmaForm& form = plan.form;
  for (int i = 0; i < form.m; ++i) {
    for (int j = 0; j < form.n; ++j) {
      double& sum = dense_c[i * form.n + j];
      for (int kk = 0; kk < form.k; ++kk)
        sum = std::fma(dense_a[i * form.k + kk], dense_b[kk * form.n + j], sum);
    }
  }
  for (std::size_t i = 0; i < plan.d.size(); ++i)
    d[i / 32][i % 32] = std::bit_cast<std::uint64_t>(dense_c[plan.d[i]]);
}

void transpose_matrix(const std::uint32_t* a, std::uint32_t* d) {
  std::uint32_t matrix[8][8];
  for (int lane = 0; lane < 32; ++lane) {
    for (int half = 0; half < 2; ++half) {
      const MatrixElement element = ldmatrix_element(lane, half, false);
      matrix[element.row][element.column] = (a[lane] >> (16 * half)) & 0xffffu;
    }
  }
  for (int lane = 0; lane < 32; ++lane) {
    const MatrixElement low = ldmatrix_element(lane, 0, true);
    const MatrixElement high = ldmatrix_element(lane, 1, true);
    d[lane] = matrix[high.row][high.column] << 16 | matrix[low.row][low.column];
  }
}

}  // namespace kgen::emulator
