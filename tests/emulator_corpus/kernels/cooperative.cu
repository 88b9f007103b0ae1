// Cooperative groups, atomic references, barriers and pipelines of the CUDA C++ library.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/std/array>
#include <cuda/std/complex>
#include <cuda/std/limits>
namespace cg = cooperative_groups;

// Tiles of 8 threads a row.
__global__ void tile_reduce(const float* x, float* sums, float* largest, int rows, int cols) {
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<8>(block);
  const int row = blockIdx.x * tile.meta_group_size() + tile.meta_group_rank();
  if (row >= rows) return;
  float sum = 0, most = -INFINITY;
  for (int c = tile.thread_rank(); c < cols; c += tile.size()) sum += x[row * cols + c], most = fmaxf(most, x[row * cols + c]);
  sum = cg::reduce(tile, sum, cg::plus<float>());
  most = cg::reduce(tile, most, cg::greater<float>());
  if (tile.thread_rank() == 0) sums[row] = sum, largest[row] = most;
}

__global__ void tile_scan(const int* x, int* inclusive, int* exclusive) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  inclusive[i] = cg::inclusive_scan(tile, x[i]);
  exclusive[i] = cg::exclusive_scan(tile, x[i], cg::bit_xor<int>());
}

// Threads that took a branch together share one atomic; groups by label.
__global__ void coalesced(const int* x, int* count, int* ranks, int* sums, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (x[i] % 3 == 0) {
    const auto group = cg::coalesced_threads();
    if (group.thread_rank() == 0) atomicAdd(count, group.size());
    ranks[i] = group.thread_rank();
  } else {
    ranks[i] = -1;
  }
  const auto peers = cg::labeled_partition(cg::coalesced_threads(), x[i] % 4);
  sums[i] = cg::reduce(peers, x[i], cg::plus<int>());
  const auto halves = cg::binary_partition(peers, x[i] > 50);
  sums[i] += 1000 * halves.num_threads();
}

// The whole grid twice: sums by block, then the total by block 0, then everybody divides.
__global__ void grid_normalise(float* x, float* parts, int n) {
  __shared__ float warps[4];
  const auto grid = cg::this_grid();
  float sum = 0;
  for (int i = grid.thread_rank(); i < n; i += grid.size()) sum += x[i];
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  sum = cg::reduce(warp, sum, cg::plus<float>());
  if (warp.thread_rank() == 0) warps[warp.meta_group_rank()] = sum;
  cg::this_thread_block().sync();
  if (threadIdx.x == 0) parts[blockIdx.x] = warps[0] + warps[1] + warps[2] + warps[3];
  grid.sync();
  if (grid.thread_rank() == 0) {
    float total = 0;
    for (int b = 0; b < gridDim.x; ++b) total += parts[b];
    parts[gridDim.x] = total;
  }
  grid.sync();
  const float total = parts[gridDim.x];
  for (int i = grid.thread_rank(); i < n; i += grid.size()) x[i] /= total;
}

// Iterations of a stencil with the grid meeting between them.
__global__ void grid_stencil(double* a, double* b, int n, int rounds) {
  const auto grid = cg::this_grid();
  const int i = grid.thread_rank();
  for (int r = 0; r < rounds; ++r) {
    if (i > 0 && i < n - 1) b[i] = (a[i - 1] + a[i] + a[i + 1]) * 0.25;
    grid.sync();
    double* const swap = a;
    a = b;
    b = swap;
  }
}

__global__ void copy_async_tiles(const int* x, int* y, int n) {
  __shared__ __align__(16) int tile[2][64];
  const auto block = cg::this_thread_block();
  const int tiles = n / 64;
  cg::memcpy_async(block, tile[0], x, cuda::aligned_size_t<16>(256));
  int sum = 0;
  for (int t = 0; t < tiles; ++t) {
    if (t + 1 < tiles) {
      cg::memcpy_async(block, tile[(t + 1) % 2], x + (t + 1) * 64, cuda::aligned_size_t<16>(256));
      cg::wait_prior<1>(block);
    } else {
      cg::wait(block);
    }
    sum += tile[t % 2][63 - threadIdx.x];
    block.sync();
  }
  y[threadIdx.x] = sum;
}

__global__ void atomic_references(const int* x, float* sum, unsigned* most, unsigned long long* bits, int* flag, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  cuda::atomic_ref<float, cuda::thread_scope_device> total(*sum);
  total.fetch_add(static_cast<float>(x[i]), cuda::memory_order_relaxed);
  cuda::atomic_ref<unsigned, cuda::thread_scope_device>(*most).fetch_max(static_cast<unsigned>(x[i]));
  cuda::atomic_ref<unsigned long long, cuda::thread_scope_system> word(*bits);
  word.fetch_or(1ull << (x[i] % 64), cuda::memory_order_acq_rel);
  cuda::atomic_ref<int, cuda::thread_scope_block> ticket(*flag);
  int seen = ticket.load(cuda::memory_order_acquire);
  while (!ticket.compare_exchange_weak(seen, (seen * 5 + 1) % 97)) {
  }
}

// Half the warps fill a tile, half read it; two barriers with phases.
__global__ void producer_consumer(const int* x, int* y, int rounds) {
  using Barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ alignas(Barrier) unsigned char memory[2 * sizeof(Barrier)];
  Barrier* const barriers = reinterpret_cast<Barrier*>(memory);
  __shared__ int tile[32];
  if (threadIdx.x == 0) {
    init(&barriers[0], 64);
    init(&barriers[1], 64);
  }
  __syncthreads();
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    for (int r = 0; r < rounds; ++r) {
      tile[lane] = x[r * 32 + lane] * 3;
      (void)barriers[0].arrive();
      barriers[1].arrive_and_wait();
    }
  } else {
    int sum = 0;
    for (int r = 0; r < rounds; ++r) {
      barriers[0].arrive_and_wait();
      sum += tile[31 - lane];
      (void)barriers[1].arrive();
    }
    y[lane] = sum;
  }
}

__global__ void library_types(const float2* x, float2* y, int n) {
  const int i = threadIdx.x;
  if (i >= n) return;
  const cuda::std::complex<float> z(x[i].x, x[i].y);
  cuda::std::array<cuda::std::complex<float>, 3> powers{z, z * z, z * z * z};
  cuda::std::complex<float> sum(cuda::std::numeric_limits<float>::epsilon(), 0);
  for (const auto& power : powers) sum += power / cuda::std::complex<float>(2, 1);
  y[i] = make_float2(sum.real(), sum.imag());
}
