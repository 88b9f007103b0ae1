// What lies between accumulators and memory: conversions to pairs of 16-bit values, 8x8 matrices to and from shared memory, exp2.
// "PTX (...)" names sections of the PTX ISA manual (9.0 and before).
#pragma once

#include <kgen/sm90/mbarrier.cuh>

namespace kgen::sm90 {

/// Two floats rounded to bf16 in one register, `low` in the low half. PTX (cvt).
__device__ __forceinline__ uint32_t pack_bf16(float low, float high) {
  uint32_t packed;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(packed) : "f"(high), "f"(low));
  return packed;
}

/// The same in f16. PTX (cvt).
__device__ __forceinline__ uint32_t pack_f16(float low, float high) {
  uint32_t packed;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(packed) : "f"(high), "f"(low));
  return packed;
}

/// 2^x in one instruction, error about 2^-22, subnormal results become 0; 0 for -INFINITY. PTX (ex2).
__device__ __forceinline__ float exp2_fast(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

/// Stores four 8x8 matrices of 16-bit elements: lane l gives in `row` the address of row l % 8 of matrix l / 8 (16 bytes, aligned), and
/// in values[i] the elements of row l / 4, columns 2 (l % 4) and the next, of matrix i. Accumulators packed by pairs have this layout:
/// values = columns 0-7 rows 0-7, columns 0-7 rows 8-15, columns 8-15 rows 0-7, columns 8-15 rows 8-15. PTX (stmatrix).
__device__ __forceinline__ void stmatrix_x4(void* row, uint32_t v0, uint32_t v1, uint32_t v2, uint32_t v3) {
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(shared_address(row)), "r"(v0), "r"(v1),
               "r"(v2), "r"(v3)
               : "memory");
}

/// The same, each matrix transposed: row l % 8 in memory is column l % 8 of the registers' matrix. PTX (stmatrix).
__device__ __forceinline__ void stmatrix_x4_transposed(void* row, uint32_t v0, uint32_t v1, uint32_t v2, uint32_t v3) {
  asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(shared_address(row)), "r"(v0),
               "r"(v1), "r"(v2), "r"(v3)
               : "memory");
}

/// Loads four 8x8 matrices the same way: A for a wgmma with A in registers. PTX (ldmatrix).
__device__ __forceinline__ void ldmatrix_x4(const void* row, uint32_t (&values)[4]) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(values[0]), "=r"(values[1]), "=r"(values[2]), "=r"(values[3])
               : "r"(shared_address(row))
               : "memory");
}

}  // namespace kgen::sm90
