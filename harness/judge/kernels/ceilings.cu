// What a device does at most: kernels whose rates kgen measures once (harness/judge/ceilings_main.cpp). Each does `repeats`
// times the same work and writes only what cannot be, so that nothing is left out of it.
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
#include <kgen/sm90.cuh>
#endif

namespace {

[[maybe_unused]] __device__ unsigned random_word(unsigned seed) {
  seed = (seed ^ 61u) ^ (seed >> 16);
  seed *= 9u;
  seed ^= seed >> 4;
  seed *= 0x27d4eb2du;
  return (seed ^ (seed >> 15)) & 0xbfbfbfbfu;  // below 2 as f16, bf16, tf32 and e4m3: what products of real data look like
}

__device__ void keep(float value, float* out) {
  if (value == 1.2345e-33f) *out = value;
}

}  // namespace

// All multiprocessors read the same bytes, which fit into L2, 16 a lane and past L1.
extern "C" __global__ void kgen_ceiling_l2(const float4* x, float* out, long long count, int repeats) {
  const long long threads = (long long)gridDim.x * blockDim.x, first = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int r = 0; r < repeats; ++r) {
#pragma unroll 8
    for (long long i = first; i < count; i += threads) {
      float4 v;
      asm volatile("ld.global.cg.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(x + i));
      sum += v.x + v.y + v.z + v.w;
    }
  }
  keep(sum, out);
}

// 16 independent chains of multiply-adds a thread.
extern "C" __global__ void __launch_bounds__(256) kgen_ceiling_fma(float* out, float a, float b, int repeats) {
  float v[16];
#pragma unroll
  for (int i = 0; i < 16; ++i) v[i] = (float)(threadIdx.x + i);
  for (int r = 0; r < repeats; ++r) {
#pragma unroll
    for (int k = 0; k < 16; ++k) {
#pragma unroll
      for (int i = 0; i < 16; ++i) v[i] = fmaf(v[i], a, b);
    }
  }
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 16; ++i) sum += v[i];
  keep(sum, out);
}

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)

// Hopper: two warpgroups a block, each 64 x 256 results, both factors in shared memory; four steps of 32 bytes of k a repeat.
template <class T>
__device__ void products(float* out, int repeats) {
  using namespace kgen::sm90;
  __shared__ alignas(1024) unsigned char tiles[8192 + 32768];
  for (int i = threadIdx.x; i < (int)sizeof(tiles) / 4; i += blockDim.x) ((unsigned*)tiles)[i] = random_word(i + blockIdx.x);
  fence_proxy_async();
  __syncthreads();
  const uint64_t a = descriptor_k_major(tiles), b = descriptor_k_major(tiles + 8192);
  float d[128] = {};
  for (int r = 0; r < repeats; ++r) {
    wgmma_fence(d);
#pragma unroll
    for (int step = 0; step < 4; ++step) wgmma<T>(d, advance(a, step * 32), advance(b, step * 32), true);
    wgmma_commit();
    wgmma_wait<1>(d);
  }
  wgmma_wait<0>(d);
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 128; ++i) sum += d[i];
  keep(sum, out);
}

extern "C" __global__ void __launch_bounds__(256) kgen_ceiling_f16(float* out, int repeats) { products<kgen::sm90::f16>(out, repeats); }
extern "C" __global__ void __launch_bounds__(256) kgen_ceiling_bf16(float* out, int repeats) { products<kgen::sm90::bf16>(out, repeats); }
extern "C" __global__ void __launch_bounds__(256) kgen_ceiling_tf32(float* out, int repeats) { products<kgen::sm90::tf32>(out, repeats); }
extern "C" __global__ void __launch_bounds__(256) kgen_ceiling_f8(float* out, int repeats) { products<kgen::sm90::e4m3>(out, repeats); }

#elif __CUDA_ARCH__ >= 800 && __CUDA_ARCH__ < 900

// Ampere and Ada: eight independent products a warp, factors in registers, four steps a repeat.
#define KGEN_PRODUCTS(NAME, SHAPE)                                                                                           \
  extern "C" __global__ void __launch_bounds__(256) NAME(float* out, int repeats) {                                         \
    unsigned a[4], b[2];                                                                                                     \
    for (int i = 0; i < 4; ++i) a[i] = random_word(threadIdx.x * 8 + i);                                                     \
    for (int i = 0; i < 2; ++i) b[i] = random_word(threadIdx.x * 8 + 4 + i);                                                 \
    float d[8][4] = {};                                                                                                      \
    for (int r = 0; r < repeats; ++r) {                                                                                      \
      _Pragma("unroll") for (int step = 0; step < 4; ++step) {                                                              \
        _Pragma("unroll") for (int i = 0; i < 8; ++i)                                                                       \
            asm volatile("mma.sync.aligned." SHAPE " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"     \
                         : "+f"(d[i][0]), "+f"(d[i][1]), "+f"(d[i][2]), "+f"(d[i][3])                                       \
                         : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));                               \
      }                                                                                                                      \
    }                                                                                                                        \
    float sum = 0;                                                                                                           \
    for (int i = 0; i < 8; ++i) sum += d[i][0] + d[i][1] + d[i][2] + d[i][3];                                                \
    keep(sum, out);                                                                                                          \
  }

KGEN_PRODUCTS(kgen_ceiling_f16, "m16n8k16.row.col.f32.f16.f16.f32")
KGEN_PRODUCTS(kgen_ceiling_bf16, "m16n8k16.row.col.f32.bf16.bf16.f32")
KGEN_PRODUCTS(kgen_ceiling_tf32, "m16n8k8.row.col.f32.tf32.tf32.f32")
#if __CUDA_ARCH__ >= 890
KGEN_PRODUCTS(kgen_ceiling_f8, "m16n8k32.row.col.f32.e4m3.e4m3.f32")
#endif

#endif
