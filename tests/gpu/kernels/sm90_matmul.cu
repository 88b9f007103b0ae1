/*kgen
{ "requires":     ["B == 1", "trans_a == 0", "trans_b == 0", "K > 0", "K % 8 == 0", "N % 8 == 0", "dtype(a) == bf16", "cc == 90"],
  "tunables":     {"STAGES": [4, 3], "GROUP": [8, 4, 16]},
  "tensor_maps":  {"tmA": {"tensor": "a", "global_dim": ["K", "M"], "global_strides": ["K * 2"], "box_dim": [64, 128], "swizzle": "128B", "l2_promotion": "256B"},
                   "tmB": {"tensor": "b", "global_dim": ["N", "K"], "global_strides": ["N * 2"], "box_dim": [64, 64], "swizzle": "128B", "l2_promotion": "256B"},
                   "tmC": {"tensor": "c", "global_dim": ["N", "M"], "global_strides": ["N * 2"], "box_dim": [64, 64], "swizzle": "128B"}},
  "launches":     [{"kernel": "matmul", "grid": ["min(num_sms / 2 * 2, 2 * ceil_div(M, 256) * ceil_div(N, 256))"], "block": [384], "cluster": [2, 1, 1],
                    "dynamic_shared_bytes": "1024 + STAGES * 49152 + 32768", "args": ["tmA", "tmB", "tmC", "M", "N", "K"]}],
  "notes": "Persistent clusters of two blocks, 256 x 256 results a cluster, b multicast, stores overlapped with the next tile's loads." }
*/
#include <kgen/sm90.cuh>
using namespace kgen::sm90;

constexpr int kTileA = 128 * 128, kBoxB = 64 * 128, kStage = kTileA + 4 * kBoxB;

struct Pipe {
  int stage = 0;
  uint32_t parity = 0;
  __device__ void next() {
    if (++stage == STAGES) {
      stage = 0;
      parity ^= 1;
    }
  }
};

/// Tiles of 256 x 256 in groups of GROUP rows of tiles, down the rows of a group first: what runs at once shares a and b in L2.
__device__ void place(int tile, int rows, int columns, int& row, int& column) {
  const int group = tile / (GROUP * columns), first = group * GROUP;
  const int height = min(GROUP, rows - first), inside = tile - group * GROUP * columns;
  row = first + inside % height;
  column = inside / height;
}

__global__ void __launch_bounds__(384, 1) matmul(const __grid_constant__ CUtensorMap ma, const __grid_constant__ CUtensorMap mb,
                                                const __grid_constant__ CUtensorMap mc, int M, int N, int K) {
  extern __shared__ unsigned char raw[];
  unsigned char* smem = raw + (1024 - (shared_address(raw) & 1023)) % 1024;
  __shared__ uint64_t full[STAGES], empty[STAGES];
  const uint32_t rank = cluster_rank();
  if (threadIdx.x == 0) {
    for (int i = 0; i < STAGES; ++i) {
      mbarrier_init(&full[i], 1);
      mbarrier_init(&empty[i], 4);  // two warpgroups of two blocks
    }
    fence_mbarrier_init();
  }
  cluster_sync();
  const int rows = (M + 255) / 256, columns = (N + 255) / 256, steps = (K + 63) / 64;
  const int first = blockIdx.x / 2, clusters = gridDim.x / 2;
  const int group = threadIdx.x / 128;
  Pipe pipe;
  if (group == 0) {
    setmaxnreg_dec<40>();
    if (threadIdx.x < 32 && elect_one()) {
      for (int tile = first; tile < rows * columns; tile += clusters) {
        int row, column;
        place(tile, rows, columns, row, column);
        for (int step = 0; step < steps; ++step) {
          mbarrier_wait(&empty[pipe.stage], pipe.parity ^ 1);
          unsigned char* at = smem + pipe.stage * kStage;
          mbarrier_arrive_expect_tx(&full[pipe.stage], kStage);
          tma_load(at, ma, &full[pipe.stage], step * 64, row * 256 + static_cast<int>(rank) * 128);
          for (int i = 0; i < 2; ++i) {
            const int box = static_cast<int>(rank) * 2 + i;
            tma_load_multicast(at + kTileA + box * kBoxB, mb, &full[pipe.stage], 3, column * 256 + box * 64, step * 64);
          }
          pipe.next();
        }
      }
    }
  } else {
    setmaxnreg_inc<232>();
    const int consumer = group - 1, thread = threadIdx.x % 128, warp = thread / 32, lane = thread % 32;
    unsigned char* staging = smem + STAGES * kStage + consumer * 16384;
    float acc[128];
    for (int tile = first; tile < rows * columns; tile += clusters) {
      int row, column;
      place(tile, rows, columns, row, column);
      int last = -1;
      for (int step = 0; step < steps; ++step) {
        mbarrier_wait(&full[pipe.stage], pipe.parity);
        unsigned char* at = smem + pipe.stage * kStage;
        const uint64_t a = descriptor_k_major(at + consumer * 8192), b = descriptor_mn_major(at + kTileA, kBoxB);
        wgmma_fence();
#pragma unroll
        for (int k = 0; k < 4; ++k)
          wgmma<bf16, Major::K, Major::MN>(acc, advance(a, 32 * k), advance(b, 2048 * k), step > 0 || k > 0);
        wgmma_commit();
        wgmma_wait<1>();
        if (last >= 0 && thread < 2) mbarrier_arrive_remote(&empty[last], thread);
        last = pipe.stage;
        pipe.next();
      }
      wgmma_wait<0>(acc);
      if (thread < 2) mbarrier_arrive_remote(&empty[last], thread);
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        if (thread == 0) tma_wait_read<0>();
        named_barrier_sync(1 + consumer, 128);
#pragma unroll
        for (int i = 0; i < 8; ++i) {
          const float* d = acc + half * 64 + 8 * i;
          const int r = 16 * warp + lane % 8 + 8 * (lane / 8 % 2), chunk = 2 * (i % 4) + lane / 16;
          stmatrix_x4(staging + i / 4 * 8192 + swizzled(r * 128 + chunk * 16), pack_bf16(d[0], d[1]), pack_bf16(d[2], d[3]),
                      pack_bf16(d[4], d[5]), pack_bf16(d[6], d[7]));
        }
        fence_proxy_async();
        named_barrier_sync(1 + consumer, 128);
        if (thread == 0) {
          for (int box = 0; box < 2; ++box)
            tma_store(mc, staging + box * 8192, column * 256 + half * 128 + box * 64,
                      row * 256 + static_cast<int>(rank) * 128 + consumer * 64);
          tma_commit();
        }
      }
    }
    if (thread == 0) tma_wait<0>();
  }
  cluster_sync();
}
