#include <mma.h>
/*kgen
{ "requires": ["sizeof(x) == 2"],
  "let": {"tiles_n": "ceil_div(N, 32)"},
  "launches": [ {"kernel": "linear_wmma", "grid": ["ceil_div(M, 32) * tiles_n"], "block": [128],
                 "args": ["x", "w", "b", "y", "M", "N", "K", "tiles_n", "act"]} ],
  "notes": "Any shape in f16 and bf16, tensor cores through wmma: 32 x 32 outputs a block, 16 x 16 a warp, zero-filled tiles in shared memory." }
*/
using namespace nvcuda;

constexpr int kTile = 32, kTileK = 32, kPad = 8;

template <class T>
__device__ void load_tile(T (&tile)[kTile][kTileK + kPad], const T* from, long long first_row, long long rows, long long first_k, long long K) {
  for (int i = threadIdx.x; i < kTile * kTileK; i += 128) {
    const long long row = first_row + i / kTileK, k = first_k + i % kTileK;
    tile[i / kTileK][i % kTileK] = row < rows && k < K ? from[row * K + k] : T(0.0f);
  }
}

__global__ void __launch_bounds__(128) linear_wmma(const x_t* __restrict__ x, const w_t* __restrict__ w, const b_t* __restrict__ b,
                                                   y_t* __restrict__ y, long long M, long long N, long long K, long long tiles_n, int act) {
  __shared__ __align__(32) x_t left[kTile][kTileK + kPad];
  __shared__ __align__(32) w_t right[kTile][kTileK + kPad];
  __shared__ __align__(32) float result[kTile][kTile + 4];
  const long long first_m = blockIdx.x / tiles_n * kTile, first_n = blockIdx.x % tiles_n * kTile;
  const int warp_m = threadIdx.x / 64 * 16, warp_n = threadIdx.x / 32 % 2 * 16;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (long long k = 0; k < K; k += kTileK) {
    load_tile(left, x, first_m, M, k, K);
    load_tile(right, w, first_n, N, k, K);
    __syncthreads();
#pragma unroll
    for (int at = 0; at < kTileK; at += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, x_t, wmma::row_major> a;
      wmma::fragment<wmma::matrix_b, 16, 16, 16, w_t, wmma::col_major> c;
      wmma::load_matrix_sync(a, &left[warp_m][at], kTileK + kPad);
      wmma::load_matrix_sync(c, &right[warp_n][at], kTileK + kPad);
      wmma::mma_sync(sum, a, c, sum);
    }
    __syncthreads();
  }
  wmma::store_matrix_sync(&result[warp_m][warp_n], sum, kTile + 4, wmma::mem_row_major);
  __syncthreads();
  for (int i = threadIdx.x; i < kTile * kTile; i += 128) {
    const long long m = first_m + i / kTile, n = first_n + i % kTile;
    if (m >= M || n >= N) continue;
    float v = result[i / kTile][i % kTile] + float(b[n]);
    if (act == 1) v = v < 0.0f ? 0.0f : v;
    if (act == 2) v = 0.5f * v * (1.0f + erff(v * 0.7071067812f));
    y[m * N + n] = y_t(v);
  }
}
