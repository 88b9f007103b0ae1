// Each copy, barrier and cluster function of kgen/sm90.cuh, in a kernel small enough to be checked by hand.
#include <kgen/sm90.cuh>

using namespace kgen::sm90;

__device__ void start_barrier(uint64_t* barrier, uint32_t count) {
  if (threadIdx.x == 0) {
    mbarrier_init(barrier, count);
    fence_mbarrier_init();
  }
  __syncthreads();
}

template <Swizzle swizzle>
__device__ void copy_out(unsigned char* out, const unsigned char* tile, int bytes) {
  for (int at = threadIdx.x * 16; at < bytes; at += blockDim.x * 16)
    *reinterpret_cast<uint4*>(out + at) = *reinterpret_cast<const uint4*>(tile + swizzled<swizzle>(at));
}

template <int rank>
__device__ void load_of_rank(void* tile, const CUtensorMap& map, uint64_t* full, int c) {
  if constexpr (rank == 1) tma_load(tile, map, full, c);
  if constexpr (rank == 2) tma_load(tile, map, full, c, 1);
  if constexpr (rank == 3) tma_load(tile, map, full, c, 1, 2);
  if constexpr (rank == 4) tma_load(tile, map, full, c, 1, 2, 1);
  if constexpr (rank == 5) tma_load(tile, map, full, c, 1, 2, 1, 1);
}

/// The box at (c, 1, 2, 1, 1), in the order of an unswizzled box.
template <int rank, Swizzle swizzle>
__global__ void load_box(const __grid_constant__ CUtensorMap map, unsigned char* out, int bytes, int c) {
  extern __shared__ __align__(1024) unsigned char tile[];
  __shared__ uint64_t full;
  start_barrier(&full, 1);
  if (threadIdx.x == 0) {
    prefetch_tensor_map(map);
    mbarrier_arrive_expect_tx(&full, bytes);
    load_of_rank<rank>(tile, map, &full, c);
  }
  mbarrier_wait(&full, 0);
  copy_out<swizzle>(out, tile, bytes);
}

/// The same 2-D box after a prefetch into L2, with either cache policy, its bytes expected apart from the arrival.
__global__ void load_with_hints(const __grid_constant__ CUtensorMap map, unsigned char* out, int bytes) {
  extern __shared__ __align__(1024) unsigned char tile[];
  __shared__ uint64_t full;
  start_barrier(&full, 1);
  if (threadIdx.x == 0) {
    tma_prefetch(map, 0, 0);
    mbarrier_expect_tx(&full, 2 * bytes);
    tma_load_hint(tile, map, &full, l2_evict_first(), 0, 0);
    tma_load_hint(tile + bytes, map, &full, l2_evict_last(), 0, 0);
    mbarrier_arrive(&full);
  }
  mbarrier_wait(&full, 0);
  copy_out<Swizzle::none>(out, tile, 2 * bytes);
}

/// Stores a swizzled tile to the box at (c, 1, ...), or adds it.
template <int rank, bool add>
__global__ void store_box(const __grid_constant__ CUtensorMap map, const unsigned char* in, int bytes, int c) {
  extern __shared__ __align__(1024) unsigned char tile[];
  for (int at = threadIdx.x * 16; at < bytes; at += blockDim.x * 16)
    *reinterpret_cast<uint4*>(tile + swizzled(at)) = *reinterpret_cast<const uint4*>(in + at);
  fence_proxy_async();
  __syncthreads();
  if (threadIdx.x != 0) return;
  if constexpr (add) {
    tma_reduce_add(map, tile, c, 1);
  } else {
    if constexpr (rank == 1) tma_store(map, tile, c);
    if constexpr (rank == 2) tma_store(map, tile, c, 1);
    if constexpr (rank == 3) tma_store(map, tile, c, 1, 2);
    if constexpr (rank == 4) tma_store(map, tile, c, 1, 2, 1);
    if constexpr (rank == 5) tma_store(map, tile, c, 1, 2, 1, 1);
  }
  tma_commit();
  tma_wait_read<0>();
  tma_wait<0>();
}

/// Without a map: in to shared memory and out again.
__global__ void bulk_copy(const unsigned char* in, unsigned char* out, int bytes) {
  extern __shared__ __align__(1024) unsigned char tile[];
  __shared__ uint64_t full;
  start_barrier(&full, 1);
  if (threadIdx.x != 0) return;
  mbarrier_arrive_expect_tx(&full, bytes);
  bulk_load(tile, in, bytes, &full);
  mbarrier_wait(&full, 0);
  bulk_store(out, tile, bytes);
  tma_commit();
  tma_wait<0>();
}

/// A cluster of two: each block loads half of the rows for both. out: what each block has of all rows.
__global__ void __cluster_dims__(2, 1, 1) multicast(const __grid_constant__ CUtensorMap map, unsigned char* out, int box_bytes, int box_rows) {
  extern __shared__ __align__(1024) unsigned char tile[];
  __shared__ uint64_t full;
  const uint32_t rank = cluster_rank();
  if (threadIdx.x == 0) {
    mbarrier_init(&full, 1);
    fence_mbarrier_init();
    mbarrier_arrive_expect_tx(&full, 2 * box_bytes);
  }
  cluster_sync();
  if (threadIdx.x == 0) tma_load_multicast(tile + rank * box_bytes, map, &full, 3, 0, static_cast<int>(rank) * box_rows);
  mbarrier_wait(&full, 0);
  copy_out<Swizzle::b128>(out + rank * 2 * box_bytes, tile, 2 * box_bytes);
  cluster_sync();
}

/// A cluster of two: block 0 waits for an arrival of each block; then each reads the other's word. out[rank] = {size, word of the other}.
__global__ void __cluster_dims__(2, 1, 1) neighbours(unsigned* out) {
  __shared__ uint64_t arrived;
  __shared__ unsigned word;
  const uint32_t rank = cluster_rank();
  if (threadIdx.x == 0) {
    mbarrier_init(&arrived, 2);
    fence_mbarrier_init();
    word = 100 + rank;
  }
  cluster_sync();
  if (threadIdx.x == 0) mbarrier_arrive_remote(&arrived, 0);
  if (rank == 0) mbarrier_wait(&arrived, 0);
  if (threadIdx.x == 0) {
    unsigned theirs;
    asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(theirs) : "r"(remote_address(&word, rank ^ 1)));
    out[2 * rank] = cluster_size();
    out[2 * rank + 1] = theirs;
  }
  cluster_arrive();
  cluster_wait();
}

/// One producer and two consumer warpgroups around a ring of 1 KB tiles: out[thread] sums the thread's words of all tiles.
template <int stages>
__global__ void __launch_bounds__(384, 1) ring(const __grid_constant__ CUtensorMap map, unsigned* out, int tiles) {
  extern __shared__ __align__(1024) unsigned char smem[];
  __shared__ uint64_t full[stages], empty[stages];
  if (threadIdx.x == 0) {
    for (int i = 0; i < stages; ++i) {
      mbarrier_init(&full[i], 1);
      mbarrier_init(&empty[i], 2);
    }
    fence_mbarrier_init();
  }
  __syncthreads();
  const int group = threadIdx.x / 128;
  if (group == 0) {
    setmaxnreg_dec<40>();
    if (threadIdx.x / 32 == 0 && elect_one()) {
      for (int it = 0; it < tiles; ++it) {
        const int stage = it % stages;
        mbarrier_wait(&empty[stage], (it / stages & 1) ^ 1);
        mbarrier_arrive_expect_tx(&full[stage], 1024);
        tma_load(smem + stage * 1024, map, &full[stage], 0, it * 2);
      }
    }
  } else {
    setmaxnreg_inc<232>();
    const int thread = threadIdx.x - 128;
    unsigned sum = 0;
    for (int it = 0; it < tiles; ++it) {
      const int stage = it % stages;
      mbarrier_wait(&full[stage], it / stages & 1);
      sum += reinterpret_cast<const unsigned*>(smem + stage * 1024)[thread];
      named_barrier_sync(group, 128);
      if (threadIdx.x % 128 == 0) mbarrier_arrive(&empty[stage]);
    }
    out[thread] = sum;
  }
}

/// Two warpgroups take turns by named barriers: out[i] is who wrote the ith turn.
__global__ void __launch_bounds__(256) turns(int* out, int count) {
  __shared__ int turn;
  if (threadIdx.x == 0) turn = 0;
  __syncthreads();
  const unsigned group = threadIdx.x / 128;
  if (group == 1) named_barrier_arrive(1, 256);  // group 0 begins
  for (int i = 0; i < count; ++i) {
    named_barrier_sync(1 + group, 256);
    if (threadIdx.x % 128 == 0) out[turn++] = static_cast<int>(group);
    if (group == 0 || i + 1 < count) named_barrier_arrive(2 - group, 256);
  }
}

/// One elected thread in each warp.
__global__ void elect(int* out) {
  if (elect_one()) atomicAdd(out + threadIdx.x / 32, 1);
}

/// A barrier that nobody arrives at.
__global__ void wait_for_nothing() {
  __shared__ uint64_t never;
  start_barrier(&never, 1);
  mbarrier_wait(&never, 0);
}

/// A 16 x 16 tile of row * 16 + column in the layout of accumulators, through stmatrix and ldmatrix. out: the tile, its transpose, and
/// four words a lane of ldmatrix. Then packed pairs and powers of two.
__global__ void registers(uint16_t* out, uint32_t* words, float* numbers) {
  __shared__ __align__(128) uint16_t tile[16 * 16];
  const int lane = threadIdx.x;
  uint32_t v[4];
  for (int i = 0; i < 4; ++i) {
    const uint32_t low = (lane / 4 + 8 * (i % 2)) * 16 + 8 * (i / 2) + 2 * (lane % 4);
    v[i] = low | (low + 1) << 16;
  }
  uint16_t* row = tile + (lane % 8 + lane / 8 % 2 * 8) * 16 + lane / 16 * 8;
  stmatrix_x4(row, v[0], v[1], v[2], v[3]);
  __syncwarp();
  for (int i = lane; i < 256; i += 32) out[i] = tile[i];
  uint32_t back[4];
  ldmatrix_x4(row, back);
  for (int i = 0; i < 4; ++i) words[lane * 4 + i] = back[i] ^ v[i];
  __syncwarp();
  stmatrix_x4_transposed(tile + (lane % 8 + lane / 16 * 8) * 16 + lane / 8 % 2 * 8, v[0], v[1], v[2], v[3]);
  __syncwarp();
  for (int i = lane; i < 256; i += 32) out[256 + i] = tile[i];
  if (lane == 0) {
    words[128] = pack_bf16(1.0f, -2.0f);
    words[129] = pack_f16(1.0f, -2.0f);
    numbers[0] = exp2_fast(3.0f);
    numbers[1] = exp2_fast(-INFINITY);
    numbers[2] = exp2_fast(0.5f);
  }
}
