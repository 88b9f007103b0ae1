#pragma once

#include "harness/emulator/scalar_type.hpp"

namespace kgen::emulator {

/// One mma.sync or wmma.mma: D (m x n) = A (m x k) * B (k x n) + C. `wmma` fragments of f16 A and B repeat
/// their elements to fill 8 registers (PTX ISA, "Matrix Fragments for WMMA").
struct MmaForm {
  int m = 0, n = 0, k = 0;
  ScalarType a = ScalarType::f16, b = ScalarType::f16, c = ScalarType::f32, d = ScalarType::f32;
  bool satfinite = false;  ///< integers: the sum is clamped instead of wrapped
  bool wmma = false;
};

enum class MatrixPart { a, b, c, d };

ScalarType type_of(const MmaForm& form, MatrixPart part);

/// Whether shape and types are ones that run_mma computes: mma.sync m16n8k4 and k8 of tf32; m16n8k8 and k16
/// of f16 and bf16; m16n8k16 and k32, m8n8k16 of s8 and u8; m16n8k16 and k32 of e4m3 and e5m2; m8n8k4,
/// m16n8k4, k8 and k16 of f64; wmma m16n16k16, m32n8k16 and m8n32k16 of f16, bf16, s8 and u8, m16n16k8 of
/// tf32, m8n8k4 of f64. Not m8n8k4 of f16, sub-byte and single-bit types.
bool mma_supported(const MmaForm& form);

/// Registers of a fragment in each lane: of 32 bits, of 64 for f64.
int fragment_registers(const MmaForm& form, MatrixPart part);

/// Values that lie in one register of the fragment: 4 of 8 bits, 2 of 16 bits, else 1.
int values_per_register(const MmaForm& form, MatrixPart part);

struct MatrixElement {
  int row, column;
};
/// Which element value number `value` (from the lowest bits up) of a lane's register holds. mma.sync's
/// layouts are those of PTX ISA, "Matrix Fragments for mma"; wmma's are unspecified there and built from the
/// same, tile after tile.
MatrixElement fragment_element(const MmaForm& form, MatrixPart part, int lane, int reg, int value);

/// Offset, in elements, of a matrix element from wmma.load's or wmma.store's address; `stride` counts
/// elements.
constexpr long long matrix_offset(MatrixElement element, bool row_major, long long stride) {
  return row_major ? element.row * stride + element.column : element.column * stride + element.row;
}

/// ldmatrix and stmatrix of 8x8 matrices of 16 bits: which element half `half` of a lane's register holds.
/// Row r of matrix i lies at the address that lane 8 * i + r gave.
constexpr MatrixElement ldmatrix_element(int lane, int half, bool transposed) {
  const MatrixElement plain{lane / 4, 2 * (lane % 4) + half};
  return transposed ? MatrixElement{plain.column, plain.row} : plain;
}

}  // namespace kgen::emulator
