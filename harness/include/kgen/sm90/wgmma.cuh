// Warpgroup matrix products: descriptors of tiles in shared memory, the instruction in all its kinds, and the waits around it.
// "PTX (...)" names sections of the PTX ISA manual (9.0 and before).
#pragma once

#include <kgen/sm90/mbarrier.cuh>
#include <kgen/sm90/wgmma_statements.cuh>

namespace kgen::sm90 {

/// How a tile's 16-byte chunks are permuted within rows of that many bytes: chunk index XOR (address >> 7), its low 3, 2 or 1 bits. The
/// values are wgmma's (CUtensorMap numbers them the other way round; a plan says "128B", "64B", "32B", "none").
/// PTX (Matrix Descriptor Format).
enum class Swizzle : unsigned { none = 0, b128 = 1, b64 = 2, b32 = 3 };

/// Which index runs fastest in shared memory: k (K-major: A as [M][K], B as [N][K]) or m, n (MN-major: A as [K][M], B as [K][N]).
enum class Major : unsigned { K = 0, MN = 1 };

/// Element types of A and B. The accumulator's type follows from the array given for D: float, uint32_t (two f16) or int.
struct bf16 {};
struct f16 {};
struct tf32 {};
struct e4m3 {};
struct e5m2 {};
struct e4m3_e5m2 {};
struct e5m2_e4m3 {};
struct s8 {};
struct u8 {};
struct s8_u8 {};
struct u8_s8 {};

/// A matrix descriptor from its fields; leading and stride offset in bytes. PTX (Matrix Descriptor Format).
__device__ __forceinline__ uint64_t descriptor(const void* tile, uint32_t leading_bytes, uint32_t stride_bytes, Swizzle swizzle) {
  const auto field = [](uint32_t bytes) { return static_cast<uint64_t>((bytes & 0x3FFFFu) >> 4); };
  return field(shared_address(tile)) | field(leading_bytes) << 16 | field(stride_bytes) << 32 | static_cast<uint64_t>(swizzle) << 62;
}

/// Bytes of one row of a swizzled tile: 128, 64 or 32.
constexpr __host__ __device__ uint32_t span_of(Swizzle swizzle) {
  return swizzle == Swizzle::b128 ? 128u : swizzle == Swizzle::b64 ? 64u : swizzle == Swizzle::b32 ? 32u : 16u;
}

/// Descriptor of a K-major tile whose rows (m or n) are one swizzle span of k each, as a TMA box {span, rows} writes it; `tile` is
/// aligned to 8 rows (1024 bytes for b128). Each further wgmma along k: advance(desc, 32), four steps in a b128 span, two in b64, one
/// in b32, then the next box. PTX (Strides).
template <Swizzle swizzle = Swizzle::b128>
__device__ __forceinline__ uint64_t descriptor_k_major(const void* tile) {
  static_assert(swizzle != Swizzle::none, "tiles without a swizzle: use descriptor(tile, bytes between 8x16-byte matrices along k, "
                                          "bytes between them along m or n, Swizzle::none)");
  return descriptor(tile, 16, 8 * span_of(swizzle), swizzle);
}

/// Descriptor of an MN-major tile of 16-bit elements: chunks of one swizzle span of m or n by all of k, as a TMA box {span, k}
/// writes one; `chunk_bytes` from one chunk to the next (64 columns for b128; any value where there is only one). Each further
/// wgmma (k16): advance(desc, 16 * span) = 2048 for b128. PTX (Strides).
template <Swizzle swizzle = Swizzle::b128>
__device__ __forceinline__ uint64_t descriptor_mn_major(const void* tile, uint32_t chunk_bytes) {
  static_assert(swizzle != Swizzle::none, "tiles without a swizzle: use descriptor(tile, bytes between 8x16-byte matrices along k, "
                                          "bytes between them along m or n, Swizzle::none)");
  return descriptor(tile, chunk_bytes, 8 * span_of(swizzle), swizzle);
}

/// The descriptor of what lies `bytes` further in shared memory. A multiple of 16.
__device__ __forceinline__ uint64_t advance(uint64_t desc, uint32_t bytes) {
  return desc + (bytes >> 4);
}

/// Where the byte at `offset` of an unswizzled tile is once swizzled; the tile aligned to 8 rows. For ordinary reads and writes.
/// PTX (Swizzling Modes).
template <Swizzle swizzle = Swizzle::b128>
__device__ __forceinline__ uint32_t swizzled(uint32_t offset) {
  if (swizzle == Swizzle::b128) return offset ^ ((offset >> 3) & 0x70u);
  if (swizzle == Swizzle::b64) return offset ^ ((offset >> 3) & 0x30u);
  if (swizzle == Swizzle::b32) return offset ^ ((offset >> 3) & 0x10u);
  return offset;
}

namespace detail {

template <class T, class Register>
struct Kind {
  static_assert(sizeof(T) == 0, "wgmma has no such product: float goes with bf16, f16, tf32, e4m3, e5m2; uint32_t (pairs of f16) with "
                                "f16, e4m3, e5m2; int with s8, u8");
};
#define KGEN_KIND(T, Register, text, columns, tail_form)                                       \
  template <>                                                                                  \
  struct Kind<T, Register> {                                                                   \
    static constexpr char kind[] = text;                                                       \
    static constexpr int columns_per_register = columns;                                       \
    static constexpr int form = tail_form; /* 0: nothing, 1: scales, 2: scales and majors */   \
  };
KGEN_KIND(bf16, float, "k16.f32.bf16.bf16", 2, 2)
KGEN_KIND(f16, float, "k16.f32.f16.f16", 2, 2)
KGEN_KIND(f16, uint32_t, "k16.f16.f16.f16", 4, 2)
KGEN_KIND(tf32, float, "k8.f32.tf32.tf32", 2, 1)
KGEN_KIND(e4m3, float, "k32.f32.e4m3.e4m3", 2, 1)
KGEN_KIND(e5m2, float, "k32.f32.e5m2.e5m2", 2, 1)
KGEN_KIND(e4m3_e5m2, float, "k32.f32.e4m3.e5m2", 2, 1)
KGEN_KIND(e5m2_e4m3, float, "k32.f32.e5m2.e4m3", 2, 1)
KGEN_KIND(e4m3, uint32_t, "k32.f16.e4m3.e4m3", 4, 1)
KGEN_KIND(e5m2, uint32_t, "k32.f16.e5m2.e5m2", 4, 1)
KGEN_KIND(e4m3_e5m2, uint32_t, "k32.f16.e4m3.e5m2", 4, 1)
KGEN_KIND(e5m2_e4m3, uint32_t, "k32.f16.e5m2.e4m3", 4, 1)
KGEN_KIND(s8, int, "k32.s32.s8.s8", 2, 0)
KGEN_KIND(u8, int, "k32.s32.u8.u8", 2, 0)
KGEN_KIND(s8_u8, int, "k32.s32.s8.u8", 2, 0)
KGEN_KIND(u8_s8, int, "k32.s32.u8.s8", 2, 0)
#undef KGEN_KIND

template <int form, bool a_in_registers, Major major_a, Major major_b>
struct Tail {
  static constexpr char tail[] = {',', '1', ',', '1', ',', static_cast<char>('0' + static_cast<int>(major_a)),
                                  ',', static_cast<char>('0' + static_cast<int>(major_b)), 0};
};
template <Major major_a, Major major_b>
struct Tail<2, true, major_a, major_b> {
  static constexpr char tail[] = {',', '1', ',', '1', ',', static_cast<char>('0' + static_cast<int>(major_b)), 0};
};
template <bool a_in_registers, Major major_a, Major major_b>
struct Tail<1, a_in_registers, major_a, major_b> {
  static constexpr char tail[] = ",1,1";
};
template <bool a_in_registers, Major major_a, Major major_b>
struct Tail<0, a_in_registers, major_a, major_b> {
  static constexpr char tail[] = "";
};

template <class T, class Register, int R, bool a_in_registers, Major major_a, Major major_b>
struct Operation : Kind<T, Register>, Tail<Kind<T, Register>::form, a_in_registers, major_a, major_b> {
  static constexpr int n = R * Kind<T, Register>::columns_per_register;
  static_assert(n >= 8 && n <= 256 && n % 8 == 0, "D has N / 2 registers a thread (N / 4 of two f16), N a multiple of 8 up to 256");
  static_assert(Kind<T, Register>::form != 0 || n <= 32 || n % 16 == 0, "8-bit integers: N is 8, 16, 24, 32 or a multiple of 16");
  static_assert(Kind<T, Register>::form == 2 || (major_a == Major::K && major_b == Major::K),
                "only 16-bit types can be MN-major");
  static_assert(!a_in_registers || major_a == Major::K, "A in registers has no major");
};

}  // namespace detail

/// D[64 x N] = A[64 x K] B[K x N] + (scale_d ? D : 0), K = 32 bytes of elements, by the 128 threads of a warpgroup; returns at
/// once. N = 2 R for float and int, 4 R for uint32_t. Lane l of warp w holds in d[4 j + 2 h + e] the element of row
/// 16 w + l / 4 + 8 h, column 8 j + 2 (l % 4) + e (uint32_t: both e in d[2 j + h]). PTX (wgmma.mma_async).
template <class T, Major major_a = Major::K, Major major_b = Major::K, class Register, int R>
__device__ __forceinline__ void wgmma(Register (&d)[R], uint64_t desc_a, uint64_t desc_b, bool scale_d) {
  detail::wgmma_shared<detail::Operation<T, Register, R, false, major_a, major_b>>(d, desc_a, desc_b, scale_d ? 1 : 0);
}

/// The same with A in registers: for 16-bit types a[2 c + h] holds row 16 w + l / 4 + 8 h, columns 8 c + 2 (l % 4) and the next, the
/// lower in the low half. So a product's accumulators are the next one's A: of columns 16 i to 16 i + 15,
/// a[0..3] = packed d[8 i + 0,1], d[8 i + 2,3], d[8 i + 4,5], d[8 i + 6,7]. 8-bit: columns 16 c + 4 (l % 4) and three more;
/// tf32: column 4 c + l % 4. PTX (Register Fragments for wgmma.mma_async.m64nNk16).
template <class T, Major major_a = Major::K, Major major_b = Major::K, class Register, int R>
__device__ __forceinline__ void wgmma(Register (&d)[R], const uint32_t (&a)[4], uint64_t desc_b, bool scale_d) {
  detail::wgmma_registers<detail::Operation<T, Register, R, true, major_a, major_b>>(d, a, desc_b, scale_d ? 1 : 0);
}

/// Keeps these registers where they are: no instruction that touches them moves across. The arrays are of float or 32-bit integers.
template <int R>
__device__ __forceinline__ void pin(float (&d)[R]) {
#pragma unroll
  for (int i = 0; i < R; ++i) asm volatile("" : "+f"(d[i])::"memory");
}
template <int R>
__device__ __forceinline__ void pin(uint32_t (&d)[R]) {
#pragma unroll
  for (int i = 0; i < R; ++i) asm volatile("" : "+r"(d[i])::"memory");
}
template <int R>
__device__ __forceinline__ void pin(int (&d)[R]) {
#pragma unroll
  for (int i = 0; i < R; ++i) asm volatile("" : "+r"(d[i])::"memory");
}
template <class Row, int rows, int R>
__device__ __forceinline__ void pin(Row (&d)[rows][R]) {
#pragma unroll
  for (int i = 0; i < rows; ++i) pin(d[i]);
}

/// Before the first wgmma, and again wherever ordinary code has touched the accumulators or A's registers since; give those arrays.
/// PTX (wgmma.fence).
template <class... Arrays>
__device__ __forceinline__ void wgmma_fence(Arrays&... arrays) {
  (pin(arrays), ...);
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

/// Closes a group of the products issued since the last commit. PTX (wgmma.commit_group).
__device__ __forceinline__ void wgmma_commit() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

/// Waits until at most `pending` groups are unfinished. Give every array that a finished product wrote, or read as A: no earlier
/// access to them moves behind, no later one before. PTX (wgmma.wait_group).
template <int pending, class... Arrays>
__device__ __forceinline__ void wgmma_wait(Arrays&... arrays) {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(pending) : "memory");
  (pin(arrays), ...);
}

}  // namespace kgen::sm90
