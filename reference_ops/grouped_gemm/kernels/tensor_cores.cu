#include <mma.h>
/*kgen
{ "requires": ["sizeof(x) == 2"],
  "let": {"tiles_n": "ceil_div(N, 32)"},
  "launches": [ {"kernel": "grouped_gemm", "grid": ["ceil_div(rows, 32) * tiles_n"], "block": [128],
                 "args": ["x", "w", "ends", "y", "rows", "groups", "N", "K", "tiles_n"]} ],
  "notes": "Any shape in f16 and bf16, tensor cores through wmma: tiles of 32 rows and 32 columns, 16 x 16 a warp, zero-filled in shared memory; where a tile has rows of several groups, one group after the other." }
*/
using namespace nvcuda;

constexpr int kTile = 32, kTileK = 32, kPad = 8;

/// The group of a row: the first that ends behind it. The last ends behind all.
__device__ int group_of(const int* ends, int groups, long long row) {
  int low = 0, high = groups - 1;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (ends[middle] > row) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

template <class T>
__device__ void load_tile(T (&tile)[kTile][kTileK + kPad], const T* from, long long first_row, long long rows, long long first_k, long long K) {
  for (int i = threadIdx.x; i < kTile * kTileK; i += 128) {
    const long long row = first_row + i / kTileK, k = first_k + i % kTileK;
    tile[i / kTileK][i % kTileK] = row < rows && k < K ? from[row * K + k] : T(0.0f);
  }
}

__global__ void __launch_bounds__(128) grouped_gemm(const x_t* __restrict__ x, const w_t* __restrict__ w,
    const int* __restrict__ ends, y_t* __restrict__ y, long long rows,
    int groups, long long N, long long K, long long tiles_n) {
  __shared__ __align__(32) x_t left[kTile][kTileK + kPad];
  __shared__ __align__(32) w_t right[kTile][kTileK + kPad];
  __shared__ __align__(32) float sum_out[kTile][kTile + 4];
  const long long first_n = blockIdx.x % tiles_n * kTile;
  const long long first = blockIdx.x / tiles_n * kTile, last = min(first + kTile, rows);
  const int warp_m = threadIdx.x / 64 * 16, warp_n = threadIdx.x / 32 % 2 * 16;
  for (long long begin = first, end; begin < last; begin = end) {
    const int group = group_of(ends, groups, begin);
    end = min(last, static_cast<long long>(ends[group]));
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (long long k = 0; k < K; k += kTileK) {
      load_tile(left, x, begin, end, k, K);
      load_tile(right, w + group * N * K, first_n, N, k, K);
      __syncthreads();
#pragma unroll
      for (int at = 0; at < kTileK; at += 16) {
        wmma::fragment<wmma::matrix_a, 16, 16, 16, x_t, wmma::row_major> a;
        wmma::load_matrix_sync(a, &left[warp_m][at], kTileK + kPad);
        wmma::fragment<wmma::matrix_b, 16, 16, 16, w_t, wmma::col_major> b;
        wmma::load_matrix_sync(b, &right[warp_n][at], kTileK + kPad);
        wmma::mma_sync(sum, a, b, sum);
      }
      __syncthreads();
    }
    wmma::store_matrix_sync(&sum_out[warp_m][warp_n], sum, kTile + 4, wmma::mem_row_major);
    __syncthreads();
    for (int i = threadIdx.x; i < kTile * kTile; i += 128) {
      const long long row = begin + i / kTile, n = first_n + i % kTile;
      if (row >= end || n >= N) continue;
      y[row * N + n] = y_t(sum_out[i / kTile][i % kTile]);
    }
  }
}
