/*kgen
{ "requires":    ["dtype(x) == bf16", "dtype(y) == bf16", "cols > 0", "cols % 8 == 0", "features % 2 == 0", "cc == 90"],
  "tunables":    {"STAGES": [4, 3]},
  "tensor_maps": {"tmX": {"tensor": "x", "global_dim": ["cols", "rows"], "global_strides": ["cols * 2"], "box_dim": [64, 128], "swizzle": "128B"},
                  "tmW": {"like": "tmX", "tensor": "w", "global_dim": ["cols", "features"]}},
  "launches":    [{"kernel": "linear", "grid": ["ceil_div(features, 128)", "ceil_div(rows, 128)"], "block": [384],
                   "dynamic_shared_bytes": "1024 + STAGES * 32768",
                   "args": ["tmX", "tmW", "y", "rows", "features", "cols"]}],
  "notes": "TMA producer warp, two consumer warpgroups of 64 x 128 results, a ring of four stages." }
*/
#include <kgen/sm90.cuh>
using namespace kgen::sm90;

__global__ void __launch_bounds__(384, 1) linear(const __grid_constant__ CUtensorMap map_x, const __grid_constant__ CUtensorMap map_w,
                                                y_t* y, int rows, int features, int cols) {
  extern __shared__ unsigned char raw[];
  unsigned char* smem = raw + (1024 - (shared_address(raw) & 1023)) % 1024;  // 128B swizzle: tiles aligned to 1024
  __shared__ uint64_t full[STAGES], empty[STAGES];
  if (threadIdx.x == 0) {
    for (int i = 0; i < STAGES; ++i) {
      mbarrier_init(&full[i], 1);   // the producer's arrive_expect_tx
      mbarrier_init(&empty[i], 2);  // one thread of either consumer warpgroup
    }
    fence_mbarrier_init();
  }
  __syncthreads();
  const int steps = (cols + 63) / 64, row = blockIdx.y * 128, column = blockIdx.x * 128, warpgroup = threadIdx.x / 128;
  if (warpgroup == 0) {
    setmaxnreg_dec<40>();
    if (threadIdx.x < 32 && elect_one()) {
      for (int it = 0; it < steps; ++it) {
        const int stage = it % STAGES;
        unsigned char* tile = smem + stage * (TMX_BYTES + TMW_BYTES);
        mbarrier_wait(&empty[stage], (it / STAGES & 1) ^ 1);
        mbarrier_arrive_expect_tx(&full[stage], TMX_BYTES + TMW_BYTES);
        tma_load(tile, map_x, &full[stage], it * 64, row);
        tma_load(tile + TMX_BYTES, map_w, &full[stage], it * 64, column);
      }
    }
  } else {
    setmaxnreg_inc<232>();
    const int consumer = warpgroup - 1, thread = threadIdx.x % 128;
    float acc[64];  // 64 x 128 results
    for (int it = 0; it < steps; ++it) {
      const int stage = it % STAGES;
      const unsigned char* tile = smem + stage * (TMX_BYTES + TMW_BYTES);
      mbarrier_wait(&full[stage], it / STAGES & 1);
      const uint64_t x_desc = descriptor_k_major(tile + consumer * 64 * 128), w_desc = descriptor_k_major(tile + TMX_BYTES);
      wgmma_fence();
#pragma unroll
      for (int k = 0; k < 4; ++k) wgmma<bf16>(acc, advance(x_desc, 32 * k), advance(w_desc, 32 * k), it > 0 || k > 0);
      wgmma_commit();
      wgmma_wait<1>();  // the step before is done: its stage is free
      if (it > 0 && thread == 0) mbarrier_arrive(&empty[(it - 1) % STAGES]);
    }
    wgmma_wait<0>(acc);
#pragma unroll
    for (int i = 0; i < 32; ++i) {  // acc[2 i] and the next: neighbours in a row
      const int r = row + 64 * consumer + 16 * (thread / 32) + thread % 32 / 4 + 8 * (i % 2);
      const int c = column + 8 * (i / 2) + 2 * (thread % 4);
      if (r < rows && c < features)
        *reinterpret_cast<uint32_t*>(y + static_cast<long long>(r) * features + c) = pack_bf16(acc[2 * i], acc[2 * i + 1]);
    }
  }
}
