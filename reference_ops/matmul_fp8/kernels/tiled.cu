/*kgen
{ "tunables": {"TILE_K": [16, 32, 64]}, "defaults": {"TILE_K": 32},
  "let": {"tiles_n": "ceil_div(N, 64)"},
  "launches": [ {"kernel": "matmul_fp8_tiled", "grid": ["ceil_div(M, 64) * tiles_n"], "block": [16, 16],
                 "args": ["a", "b", "scale_a", "scale_b", "y", "M", "N", "K", "tiles_n", "trans_a", "trans_b", "row_scales"]} ],
  "notes": "Any shape and device: 64 x 64 outputs a block, 4 x 4 a thread in f32, tiles of op(a) and op(b) widened to f32 in shared memory." }
*/
constexpr int kTile = 64, kEach = 4, kThreads = 256;

// A kTile x TILE_K part of op(x), element (row, k), as f32; zeros outside. `k_inner`: rows lie along k in memory.
template <class T>
__device__ void load_tile(float (&tile)[TILE_K][kTile + 1], const T* x, long long first_row, long long rows,
                          long long first_k, long long K, bool k_inner) {
  for (int i = threadIdx.y * 16 + threadIdx.x; i < kTile * TILE_K; i += kThreads) {
    const int r = k_inner ? i / TILE_K : i % kTile;
    const int k = k_inner ? i % TILE_K : i / kTile;
    const long long row = first_row + r, at = first_k + k;
    tile[k][r] = row < rows && at < K ? float(x[k_inner ? row * K + at : at * rows + row]) : 0.0f;
  }
}

__global__ void __launch_bounds__(kThreads) matmul_fp8_tiled(const a_t* __restrict__ a, const b_t* __restrict__ b,
                                                             const float* __restrict__ scale_a, const float* __restrict__ scale_b,
                                                             y_t* __restrict__ y, long long M, long long N, long long K,
                                                             long long tiles_n, bool trans_a, bool trans_b, bool row_scales) {
  __shared__ float left[TILE_K][kTile + 1], right[TILE_K][kTile + 1];
  const long long first_m = blockIdx.x / tiles_n * kTile, first_n = blockIdx.x % tiles_n * kTile;
  float sum[kEach][kEach] = {};
  for (long long k = 0; k < K; k += TILE_K) {
    load_tile(left, a, first_m, M, k, K, !trans_a);
    load_tile(right, b, first_n, N, k, K, trans_b);
    __syncthreads();
#pragma unroll 8
    for (int at = 0; at < TILE_K; ++at) {
      float l[kEach], r[kEach];
#pragma unroll
      for (int e = 0; e < kEach; ++e) {
        l[e] = left[at][threadIdx.y + 16 * e];
        r[e] = right[at][threadIdx.x + 16 * e];
      }
#pragma unroll
      for (int i = 0; i < kEach; ++i) {
#pragma unroll
        for (int j = 0; j < kEach; ++j) sum[i][j] += l[i] * r[j];
      }
    }
    __syncthreads();
  }
  for (int i = 0; i < kEach; ++i) {
    const long long m = first_m + threadIdx.y + 16 * i;
    for (int j = 0; j < kEach; ++j) {
      const long long n = first_n + threadIdx.x + 16 * j;
      if (m < M && n < N) y[m * N + n] = y_t(sum[i][j] * scale_a[row_scales ? m : 0] * scale_b[row_scales ? n : 0]);
    }
  }
}
