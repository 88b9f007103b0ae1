#include <mma.h>
/*kgen
{ "requires": ["dtype(T) != f32"],
  "let": {"tiles_n": "ceil_div(N, 64)", "tiles": "ceil_div(M, 64) * tiles_n"},
  "defines": {"IS_TF32": "dtype(T) == tf32"},
  "launches": [ {"kernel": "matmul_wmma", "grid": ["B * tiles"], "block": [128],
                 "args": ["a", "b", "c", "M", "N", "K", "tiles_n", "tiles", "trans_a", "trans_b"]} ],
  "notes": "Any shape, tensor cores through wmma: 64 x 64 outputs a block, 32 x 32 a warp, zero-filled tiles in shared memory." }
*/
using namespace nvcuda;

constexpr int kTile = 64, kTileK = 32, kPad = 16 / sizeof(a_t), kThreads = 128, kStep = IS_TF32 ? 8 : 16;
#if IS_TF32
using Factor = wmma::precision::tf32;
#else
using Factor = a_t;
#endif
using LeftFragment = wmma::fragment<wmma::matrix_a, 16, 16, kStep, Factor, wmma::row_major>;
using RightFragment = wmma::fragment<wmma::matrix_b, 16, 16, kStep, Factor, wmma::col_major>;

// kTile rows of kTileK elements of op(x) along k; zeros outside. `k_inner`: so they lie in memory, too.
template <class T>
__device__ void load_tile(T (&tile)[kTile][kTileK + kPad], const T* x, long long first_row, long long rows,
                          long long first_k, long long K, bool k_inner) {
  for (int i = threadIdx.x; i < kTile * kTileK; i += kThreads) {
    const int r = k_inner ? i / kTileK : i % kTile;
    const int k = k_inner ? i % kTileK : i / kTile;
    const long long row = first_row + r, at = first_k + k;
    tile[r][k] = row < rows && at < K ? x[k_inner ? row * K + at : at * rows + row] : T(0.0f);
  }
}

template <class Fragment>
__device__ void round_factors(Fragment& fragment) {
#if IS_TF32
#pragma unroll
  for (int e = 0; e < fragment.num_elements; ++e) fragment.x[e] = wmma::__float_to_tf32(fragment.x[e]);
#endif
}

__global__ void __launch_bounds__(kThreads) matmul_wmma(const a_t* __restrict__ a, const b_t* __restrict__ b,
                                                        c_t* __restrict__ c, long long M, long long N, long long K,
                                                        long long tiles_n, long long tiles, bool trans_a, bool trans_b) {
  __shared__ __align__(32) a_t left[kTile][kTileK + kPad];
  __shared__ __align__(32) b_t right[kTile][kTileK + kPad];
  __shared__ __align__(32) float result[kTile][kTile + 4];
  const long long i = blockIdx.x / tiles, tile = blockIdx.x % tiles;
  const long long first_m = tile / tiles_n * kTile, first_n = tile % tiles_n * kTile;
  const int warp = threadIdx.x / 32, warp_m = warp / 2 * 32, warp_n = warp % 2 * 32;
  wmma::fragment<wmma::accumulator, 16, 16, kStep, float> sum[2][2];
#pragma unroll
  for (int r = 0; r < 2; ++r) {
#pragma unroll
    for (int s = 0; s < 2; ++s) wmma::fill_fragment(sum[r][s], 0.0f);
  }
  for (long long k = 0; k < K; k += kTileK) {
    load_tile(left, a + i * M * K, first_m, M, k, K, !trans_a);
    load_tile(right, b + i * K * N, first_n, N, k, K, trans_b);
    __syncthreads();
#pragma unroll
    for (int at = 0; at < kTileK; at += kStep) {
      LeftFragment x[2];
      RightFragment y[2];
#pragma unroll
      for (int e = 0; e < 2; ++e) {
        wmma::load_matrix_sync(x[e], &left[warp_m + 16 * e][at], kTileK + kPad);
        wmma::load_matrix_sync(y[e], &right[warp_n + 16 * e][at], kTileK + kPad);
        round_factors(x[e]);
        round_factors(y[e]);
      }
#pragma unroll
      for (int r = 0; r < 2; ++r) {
#pragma unroll
        for (int s = 0; s < 2; ++s) wmma::mma_sync(sum[r][s], x[r], y[s], sum[r][s]);
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int r = 0; r < 2; ++r) {
#pragma unroll
    for (int s = 0; s < 2; ++s) {
      wmma::store_matrix_sync(&result[warp_m + 16 * r][warp_n + 16 * s], sum[r][s], kTile + 4, wmma::mem_row_major);
    }
  }
  __syncthreads();
  for (int e = threadIdx.x; e < kTile * kTile; e += kThreads) {
    const long long m = first_m + e / kTile, n = first_n + e % kTile;
    if (m < M && n < N) c[(i * M + m) * N + n] = c_t(result[e / kTile][e % kTile]);
  }
}
