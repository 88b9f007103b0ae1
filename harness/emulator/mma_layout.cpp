#include "harness/emulator/mma_layout.hpp"

#include <algorithm>

namespace kgen::emulator {
namespace {

bool is_byte(ScalarType type) {
  return type == ScalarType::s8 || type == ScalarType::u8;
}
bool is_float8(ScalarType type) {
  return type == ScalarType::e4m3 || type == ScalarType::e5m2;
}
bool has_shape(const MmaForm& form, int m, int n, int k) {
  return form.m == m && form.n == n && form.k == k;
}

bool accumulates_in(const MmaForm& form, ScalarType type) {
  return form.c == type && form.d == type;
}
bool accumulates_in_half_or_single(const MmaForm& form) {
  const auto fits = [](ScalarType type) { return type == ScalarType::f16 || type == ScalarType::f32; };
  return fits(form.c) && fits(form.d);
}

bool sync_supported(const MmaForm& form) {
  const bool m16n8 = form.m == 16 && form.n == 8;
  const auto k_is = [&](int a, int b) { return m16n8 && (form.k == a || form.k == b); };
  if (is_byte(form.a) && is_byte(form.b)) {
    return (k_is(16, 32) || has_shape(form, 8, 8, 16)) && accumulates_in(form, ScalarType::s32);
  }
  if (is_float8(form.a) && is_float8(form.b)) return k_is(16, 32) && accumulates_in_half_or_single(form);
  if (form.a != form.b) return false;
  switch (form.a) {
    case ScalarType::f16:
      return k_is(8, 16) && accumulates_in_half_or_single(form);
    case ScalarType::bf16:
      return k_is(8, 16) && accumulates_in(form, ScalarType::f32);
    case ScalarType::tf32:
      return k_is(4, 8) && accumulates_in(form, ScalarType::f32);
    case ScalarType::f64:
      return (has_shape(form, 8, 8, 4) || k_is(4, 8) || k_is(16, 16)) &&
             accumulates_in(form, ScalarType::f64);
    default:
      return false;
  }
}

bool wmma_supported(const MmaForm& form) {
  const bool sixteen =
      has_shape(form, 16, 16, 16) || has_shape(form, 32, 8, 16) || has_shape(form, 8, 32, 16);
  if (form.a != form.b) return false;
  switch (form.a) {
    case ScalarType::f16:
      return sixteen && accumulates_in_half_or_single(form);
    case ScalarType::bf16:
      return sixteen && accumulates_in(form, ScalarType::f32);
    case ScalarType::s8:
    case ScalarType::u8:
      return sixteen && accumulates_in(form, ScalarType::s32);
    case ScalarType::tf32:
      return has_shape(form, 16, 16, 8) && accumulates_in(form, ScalarType::f32);
    case ScalarType::f64:
      return has_shape(form, 8, 8, 4) && accumulates_in(form, ScalarType::f64);
    default:
      return false;
  }
}

/// m8n32 is the transposed problem: its A takes the place of B, its B that of A.
bool is_transposed(const MmaForm& form) {
  return form.m == 8 && form.n == 32;
}

/// Rows of the tiles that A consists of: 16, but for m8n8.
int tile_rows(int m) {
  return std::min(m, 16);
}

/// A of m x k, `per` values a register: pairs of rows 8 apart, then further k, then further tiles of 16 rows.
MatrixElement element_of_a(int m, int k, int per, int lane, int reg, int value) {
  const int row_blocks = tile_rows(m) / 8;
  const int registers_of_tile = row_blocks * k / (4 * per);
  const int tile = reg / registers_of_tile;
  const int inside = reg % registers_of_tile;
  return {16 * tile + 8 * (inside % row_blocks) + lane / 4,
          4 * per * (inside / row_blocks) + per * (lane % 4) + value};
}
/// B of k x n: k first, then further tiles of 8 columns.
MatrixElement element_of_b(int k, int per, int lane, int reg, int value) {
  const int registers_of_tile = k / (4 * per);
  return {4 * per * (reg % registers_of_tile) + per * (lane % 4) + value,
          8 * (reg / registers_of_tile) + lane / 4};
}
/// C or D of m x n, `per` values a register: two columns, then 8 rows further, then further tiles of 16 x 8.
MatrixElement element_of_c(int m, int n, int per, int lane, int reg, int value) {
  const int registers_of_block = 2 / per;  // of 8 x 8 elements
  const int blocks_of_tile = tile_rows(m) / 8;
  const int block = reg / registers_of_block;
  const int tile = block / blocks_of_tile;
  const int column = 2 * (lane % 4) + (per == 2 ? value : reg % 2);
  const int tiles_across = n / 8;
  return {16 * (tile / tiles_across) + 8 * (block % blocks_of_tile) + lane / 4,
          8 * (tile % tiles_across) + column};
}

int elements_of(const MmaForm& form, MatrixPart part) {
  if (part == MatrixPart::a) return form.m * form.k;
  return part == MatrixPart::b ? form.k * form.n : form.m * form.n;
}
/// Registers that hold each element once.
int distinct_registers(const MmaForm& form, MatrixPart part) {
  return elements_of(form, part) / (32 * values_per_register(form, part));
}

}  // namespace

ScalarType type_of(const MmaForm& form, MatrixPart part) {
  switch (part) {
    case MatrixPart::a:
      return form.a;
    case MatrixPart::b:
      return form.b;
    case MatrixPart::c:
      return form.c;
    default:
      return form.d;
  }
}

bool mma_supported(const MmaForm& form) {
  return form.wmma ? wmma_supported(form) : sync_supported(form);
}

int values_per_register(const MmaForm& form, MatrixPart part) {
  const int width = bits_of(type_of(form, part));
  return width >= 32 ? 1 : 32 / width;
}

int fragment_registers(const MmaForm& form, MatrixPart part) {
  const bool repeats =
      form.wmma && form.a == ScalarType::f16 && (part == MatrixPart::a || part == MatrixPart::b);
  return repeats ? 8 : distinct_registers(form, part);
}

MatrixElement fragment_element(const MmaForm& form, MatrixPart part, int lane, int reg, int value) {
  const int per = values_per_register(form, part);
  const int distinct = reg % distinct_registers(form, part);
  if (!is_transposed(form)) {
    if (part == MatrixPart::a) return element_of_a(form.m, form.k, per, lane, distinct, value);
    if (part == MatrixPart::b) return element_of_b(form.k, per, lane, distinct, value);
    return element_of_c(form.m, form.n, per, lane, distinct, value);
  }
  const MatrixElement mirrored = part == MatrixPart::a ? element_of_b(form.k, per, lane, distinct, value)
                                 : part == MatrixPart::b
                                     ? element_of_a(form.n, form.k, per, lane, distinct, value)
                                     : element_of_c(form.n, form.m, per, lane, distinct, value);
  return {mirrored.column, mirrored.row};
}

}  // namespace kgen::emulator
