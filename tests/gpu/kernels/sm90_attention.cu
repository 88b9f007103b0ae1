/*kgen
{ "requires":     ["D == 128", "S == Skv", "dtype(q) == bf16", "cc == 90"],
  "defines":      {"CAUSAL": "causal"},
  "tensor_maps":  {"tmQ": {"tensor": "q", "global_dim": [64, "S", 2, "B * Hq"], "global_strides": [256, 128, "S * 256"], "box_dim": [64, 128, 2, 1], "swizzle": "128B", "l2_promotion": "256B"},
                   "tmK": {"tensor": "k", "global_dim": [64, "Skv", 2, "B * Hkv"], "global_strides": [256, 128, "Skv * 256"], "box_dim": [64, 128, 2, 1], "swizzle": "128B", "l2_promotion": "256B"},
                   "tmV": {"like": "tmK", "tensor": "v"},
                   "tmO": {"like": "tmQ", "tensor": "o", "box_dim": [64, 64, 1, 1]}},
  "launches":     [{"kernel": "attention", "grid": ["ceil_div(S, 128)", "B * Hq"], "block": [384], "dynamic_shared_bytes": "1024 + 5 * 32768",
                    "args": ["tmQ", "tmK", "tmV", "tmO", "S", "Hq", "Hkv", {"f32": 0.088388347648318447}]}],
  "notes": "Two consumer warpgroups of 64 queries; the next block's logits are computed while this block's values are summed." }
*/
#include <kgen/sm90.cuh>
using namespace kgen::sm90;

constexpr int kTile = 32768, kHalf = 16384;  // 128 rows of 128 bf16: two boxes of 64 columns

__device__ void logits(float (&s)[64], const unsigned char* q, const unsigned char* k) {
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int at = i / 4 * kHalf, along = i % 4 * 32;
    wgmma<bf16>(s, advance(descriptor_k_major(q), at + along), advance(descriptor_k_major(k), at + along), i > 0);
  }
  wgmma_commit();
}

__device__ void values(float (&o)[64], const uint32_t (&p)[8][4], const unsigned char* v, bool keep) {
#pragma unroll
  for (int i = 0; i < 8; ++i)
    wgmma<bf16, Major::K, Major::MN>(o, p[i], advance(descriptor_mn_major(v, kHalf), 2048 * i), keep || i > 0);
  wgmma_commit();
}

/// Exponentials of s in place, rows' sums and maxima brought up to date; what the sums before are to be multiplied with.
__device__ void softmax(float (&s)[64], float (&maximum)[2], float (&sum)[2], float (&alpha)[2], float scale_log2) {
#pragma unroll
  for (int h = 0; h < 2; ++h) {
    float m = maximum[h];
#pragma unroll
    for (int j = 0; j < 16; ++j) m = fmaxf(m, fmaxf(s[4 * j + 2 * h], s[4 * j + 2 * h + 1]));
    m = fmaxf(m, __shfl_xor_sync(0xffffffffu, m, 1));
    m = fmaxf(m, __shfl_xor_sync(0xffffffffu, m, 2));
    alpha[h] = exp2_fast((maximum[h] - m) * scale_log2);
    maximum[h] = m;
    const float shift = -m * scale_log2;
    float part = 0;
#pragma unroll
    for (int j = 0; j < 16; ++j) {
#pragma unroll
      for (int e = 0; e < 2; ++e) {
        float& value = s[4 * j + 2 * h + e];
        value = exp2_fast(fmaf(value, scale_log2, shift));
        part += value;
      }
    }
    sum[h] = sum[h] * alpha[h] + part;
  }
}

__device__ void mask(float (&s)[64], int row, int column, int keys) {
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int i = 0; i < 64; ++i) {
    const int c = column + 8 * (i / 4) + 2 * (lane % 4) + i % 2, r = row + 8 * (i / 2 % 2);
    if (c >= keys || (CAUSAL && c > r)) s[i] = -INFINITY;
  }
}

__device__ void pack(uint32_t (&p)[8][4], const float (&s)[64]) {
#pragma unroll
  for (int i = 0; i < 32; ++i) p[i / 4][i % 4] = pack_bf16(s[2 * i], s[2 * i + 1]);
}

__global__ void __launch_bounds__(384, 1) attention(const __grid_constant__ CUtensorMap mq, const __grid_constant__ CUtensorMap mk,
                                                   const __grid_constant__ CUtensorMap mv, const __grid_constant__ CUtensorMap mo,
                                                   int S, int query_heads, int key_heads, float scale) {
  extern __shared__ unsigned char raw[];
  unsigned char* q = raw + (1024 - (shared_address(raw) & 1023)) % 1024;
  unsigned char *k = q + kTile, *v = k + 2 * kTile;
  __shared__ uint64_t full_q, full_k[2], full_v[2], empty_k[2], empty_v[2];
  if (threadIdx.x == 0) {
    mbarrier_init(&full_q, 1);
    for (int i = 0; i < 2; ++i) {
      mbarrier_init(&full_k[i], 1);
      mbarrier_init(&full_v[i], 1);
      mbarrier_init(&empty_k[i], 2);
      mbarrier_init(&empty_v[i], 2);
    }
    fence_mbarrier_init();
  }
  __syncthreads();
  // The longest blocks of a causal mask begin first.
  const int block = CAUSAL ? gridDim.x - 1 - blockIdx.x : blockIdx.x, head = blockIdx.y;
  const int key_head = head / query_heads * key_heads + head % query_heads / (query_heads / key_heads);
  const int blocks = CAUSAL ? block + 1 : (S + 127) / 128;
  const int group = threadIdx.x / 128;
  if (group == 0) {
    setmaxnreg_dec<24>();
    if (threadIdx.x < 32 && elect_one()) {
      mbarrier_arrive_expect_tx(&full_q, kTile);
      tma_load(q, mq, &full_q, 0, block * 128, 0, head);
      for (int it = 0; it < blocks; ++it) {  // from the last keys, where the mask is, to the first
        const int stage = it % 2, row = (blocks - 1 - it) * 128;
        const uint32_t parity = (it / 2 & 1) ^ 1;
        mbarrier_wait(&empty_k[stage], parity);
        mbarrier_arrive_expect_tx(&full_k[stage], kTile);
        tma_load(k + stage * kTile, mk, &full_k[stage], 0, row, 0, key_head);
        mbarrier_wait(&empty_v[stage], parity);
        mbarrier_arrive_expect_tx(&full_v[stage], kTile);
        tma_load(v + stage * kTile, mv, &full_v[stage], 0, row, 0, key_head);
      }
    }
    return;
  }
  setmaxnreg_inc<240>();
  const int consumer = group - 1, thread = threadIdx.x % 128, lane = thread % 32, warp = thread / 32;
  const unsigned char* my_q = q + consumer * 8192;
  const int row = block * 128 + consumer * 64 + 16 * warp + lane / 4;
  const float scale_log2 = scale * 1.4426950408889634f;
  float o[64], s[64], maximum[2] = {-INFINITY, -INFINITY}, sum[2] = {0, 0}, alpha[2];
  uint32_t p[8][4];
  mbarrier_wait(&full_q, 0);
  mbarrier_wait(&full_k[0], 0);
  wgmma_fence();
  logits(s, my_q, k);
  wgmma_wait<0>(s);
  if (thread == 0) mbarrier_arrive(&empty_k[0]);
  mask(s, row, (blocks - 1) * 128, S);
  softmax(s, maximum, sum, alpha, scale_log2);
  pack(p, s);
  for (int it = 1; it < blocks; ++it) {
    const int stage = it % 2, before = stage ^ 1;
    mbarrier_wait(&full_k[stage], it / 2 & 1);
    wgmma_fence(s, o, p);
    logits(s, my_q, k + stage * kTile);
    mbarrier_wait(&full_v[before], (it - 1) / 2 & 1);
    wgmma_fence();
    values(o, p, v + before * kTile, it > 1);
    wgmma_wait<1>(s);
    if (thread == 0) mbarrier_arrive(&empty_k[stage]);
    softmax(s, maximum, sum, alpha, scale_log2);
    wgmma_wait<0>(o, p);
    if (thread == 0) mbarrier_arrive(&empty_v[before]);
#pragma unroll
    for (int i = 0; i < 64; ++i) o[i] *= alpha[i / 2 % 2];
    pack(p, s);
  }
  const int stage = (blocks - 1) % 2;
  mbarrier_wait(&full_v[stage], (blocks - 1) / 2 & 1);
  wgmma_fence(o, p);
  values(o, p, v + stage * kTile, blocks > 1);
  wgmma_wait<0>(o, p);
  float inverse[2];
#pragma unroll
  for (int h = 0; h < 2; ++h) {
    float total = sum[h] + __shfl_xor_sync(0xffffffffu, sum[h], 1);
    total += __shfl_xor_sync(0xffffffffu, total, 2);
    inverse[h] = 1.0f / total;
  }
  // This warpgroup's 64 rows of q are read by nobody any more: 8 KB of either box.
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const float* d = o + 8 * i;
    const int r = consumer * 64 + 16 * warp + lane % 8 + 8 * (lane / 8 % 2), chunk = 2 * (i % 4) + lane / 16;
    stmatrix_x4(q + i / 4 * kHalf + swizzled(r * 128 + chunk * 16), pack_bf16(d[0] * inverse[0], d[1] * inverse[0]),
                pack_bf16(d[2] * inverse[1], d[3] * inverse[1]), pack_bf16(d[4] * inverse[0], d[5] * inverse[0]),
                pack_bf16(d[6] * inverse[1], d[7] * inverse[1]));
  }
  fence_proxy_async();
  named_barrier_sync(1 + consumer, 128);
  if (thread == 0) {
    for (int half = 0; half < 2; ++half) tma_store(mo, q + half * kHalf + consumer * 8192, 0, block * 128 + consumer * 64, half, head);
    tma_commit();
    tma_wait<0>();
  }
}
