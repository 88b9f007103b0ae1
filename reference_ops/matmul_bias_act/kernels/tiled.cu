/*kgen
{ "requires": ["K <= 131072"],
  "tunables": {"TILE_K": [8, 16]}, "defaults": {"TILE_K": 16},
  "let": {"tiles_n": "ceil_div(N, 32)"},
  "launches": [ {"kernel": "linear_tiled", "grid": ["ceil_div(M, 32) * tiles_n"], "block": [16, 16],
                 "args": ["x", "w", "b", "y", "M", "N", "K", "tiles_n", "act"]} ],
  "notes": "Any shape and dtype: 32 x 32 outputs a block, 2 x 2 a thread in f32, tiles in shared memory; bias and activation on the way out." }
*/
constexpr int kTile = 32;

template <class T>
__device__ void load_tile(float (&tile)[TILE_K][kTile + 1], const T* from, long long first_row, long long rows, long long first_k, long long K) {
  for (int i = threadIdx.y * 16 + threadIdx.x; i < kTile * TILE_K; i += 256) {
    const long long row = first_row + i / TILE_K, k = first_k + i % TILE_K;
    tile[i % TILE_K][i / TILE_K] = row < rows && k < K ? float(from[row * K + k]) : 0.0f;
  }
}

__global__ void __launch_bounds__(256) linear_tiled(const x_t* __restrict__ x, const w_t* __restrict__ w, const b_t* __restrict__ b,
                                                    y_t* __restrict__ y, long long M, long long N, long long K, long long tiles_n, int act) {
  __shared__ float left[TILE_K][kTile + 1], right[TILE_K][kTile + 1];
  const long long first_m = blockIdx.x / tiles_n * kTile, first_n = blockIdx.x % tiles_n * kTile;
  float sum[2][2] = {};
  for (long long k = 0; k < K; k += TILE_K) {
    load_tile(left, x, first_m, M, k, K);
    load_tile(right, w, first_n, N, k, K);
    __syncthreads();
#pragma unroll
    for (int at = 0; at < TILE_K; ++at) {
#pragma unroll
      for (int r = 0; r < 2; ++r) {
#pragma unroll
        for (int s = 0; s < 2; ++s) sum[r][s] += left[at][threadIdx.y + 16 * r] * right[at][threadIdx.x + 16 * s];
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int r = 0; r < 2; ++r) {
#pragma unroll
    for (int s = 0; s < 2; ++s) {
      const long long m = first_m + threadIdx.y + 16 * r, n = first_n + threadIdx.x + 16 * s;
      if (m >= M || n >= N) continue;
      float v = sum[r][s] + float(b[n]);
      if (act == 1) v = v < 0.0f ? 0.0f : v;
      if (act == 2) v = 0.5f * v * erfcf(v * -0.7071067812f);
      y[m * N + n] = y_t(v);
    }
  }
}
