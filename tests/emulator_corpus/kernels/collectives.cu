// CUB's collectives of a block and of a warp.
#include <cub/cub.cuh>

__global__ void cub_reduce(const float* x, float* y) {
  using Reduce = cub::BlockReduce<float, 128, cub::BLOCK_REDUCE_RAKING>;
  __shared__ typename Reduce::TempStorage storage;
  float items[4];
  for (int i = 0; i < 4; ++i) items[i] = x[blockIdx.x * 512 + threadIdx.x * 4 + i];
  const float sum = Reduce(storage).Sum(items);
  __syncthreads();
  const float least = Reduce(storage).Reduce(fminf(fminf(items[0], items[1]), fminf(items[2], items[3])),
                                             [](float a, float b) { return fminf(a, b); });
  if (threadIdx.x == 0) y[2 * blockIdx.x] = sum, y[2 * blockIdx.x + 1] = least;
}

__global__ void cub_scan(const int* x, int* y, int* total) {
  using Load = cub::BlockLoad<int, 64, 4, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
  using Scan = cub::BlockScan<int, 64>;
  using Store = cub::BlockStore<int, 64, 4, cub::BLOCK_STORE_TRANSPOSE>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Scan::TempStorage scan;
    typename Store::TempStorage store;
  } storage;
  int items[4], sum = 0;
  Load(storage.load).Load(x, items, 250, 0);
  __syncthreads();
  Scan(storage.scan).ExclusiveSum(items, items, sum);
  __syncthreads();
  Store(storage.store).Store(y, items, 250);
  if (threadIdx.x == 0) *total = sum;
}

__global__ void cub_radix_sort(float* keys, int* values) {
  using Sort = cub::BlockRadixSort<float, 64, 3, int>;
  __shared__ typename Sort::TempStorage storage;
  float mine[3];
  int my_values[3];
  cub::LoadDirectBlocked(threadIdx.x, keys, mine);
  cub::LoadDirectBlocked(threadIdx.x, values, my_values);
  Sort(storage).SortDescendingBlockedToStriped(mine, my_values);
  cub::StoreDirectStriped<64>(threadIdx.x, keys, mine);
  cub::StoreDirectStriped<64>(threadIdx.x, values, my_values);
}

__global__ void cub_histogram(const unsigned char* x, unsigned* bins) {
  using Histogram = cub::BlockHistogram<unsigned char, 64, 4, 32, cub::BLOCK_HISTO_SORT>;
  __shared__ typename Histogram::TempStorage storage;
  __shared__ unsigned counts[32];
  unsigned char mine[4];
  for (int i = 0; i < 4; ++i) mine[i] = x[threadIdx.x * 4 + i];
  Histogram(storage).Histogram(mine, counts);
  __syncthreads();
  if (threadIdx.x < 32) bins[threadIdx.x] = counts[threadIdx.x];
}

__global__ void cub_flags(const int* x, int* heads, double* warp_sums) {
  using Flags = cub::BlockDiscontinuity<int, 64>;
  using Warp = cub::WarpReduce<double, 16>;
  using Exchange = cub::BlockExchange<int, 64, 2>;
  __shared__ typename Flags::TempStorage storage;
  __shared__ typename Warp::TempStorage warps[4];
  __shared__ typename Exchange::TempStorage exchange;
  int mine[2] = {x[threadIdx.x], x[64 + threadIdx.x]}, flags[2];
  Exchange(exchange).StripedToBlocked(mine);
  Flags(storage).FlagHeads(flags, mine, [](int a, int b) { return a != b; });
  heads[2 * threadIdx.x] = flags[0], heads[2 * threadIdx.x + 1] = flags[1];
  const double sum = Warp(warps[threadIdx.x / 16]).Sum(mine[0] * 0.5 + mine[1]);
  if (threadIdx.x % 16 == 0) warp_sums[threadIdx.x / 16] = sum;
}
