/*kgen
{ "requires": ["K <= 131072"],
  "tunables": {"TILE_K": [8, 16, 32]},
  "defaults": {"TILE_K": 16},
  "let": {"tiles_n": "ceil_div(N, 64)", "tiles": "ceil_div(M, 64) * tiles_n"},
  "launches": [ {"kernel": "matmul_tiled", "grid": ["B * tiles"], "block": [16, 16], "args": ["a", "b", "c", "M", "N", "K", "tiles_n", "tiles", "trans_a", "trans_b"]} ],
  "notes": "Mutant: holds b at K - 1 where it fills a with zeros: 0 times infinity. Rejected by: values." }
*/
constexpr int kTile = 64, kEach = 4, kThreads = 256;

// A kTile x TILE_K part of op(x), element (row, k), as f32; zeros outside. Rows of x along k lie next to each other where
// `k_inner`, else its columns do.
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

/// As above, but clamped in k: what lies behind meets zeros of the other factor.
template <class T>
__device__ void load_clamped(float (&tile)[TILE_K][kTile + 1], const T* x, long long first_row, long long rows,
                             long long first_k, long long K, bool k_inner) {
  for (int i = threadIdx.y * 16 + threadIdx.x; i < kTile * TILE_K; i += kThreads) {
    const int r = k_inner ? i / TILE_K : i % kTile;
    const int k = k_inner ? i % TILE_K : i / kTile;
    const long long row = min(first_row + r, rows - 1), at = min(first_k + k, K - 1);
    tile[k][r] = float(x[k_inner ? row * K + at : at * rows + row]);
  }
}

__global__ void __launch_bounds__(kThreads) matmul_tiled(const a_t* __restrict__ a, const b_t* __restrict__ b,
                                                         c_t* __restrict__ c, long long M, long long N, long long K,
                                                         long long tiles_n, long long tiles, bool trans_a, bool trans_b) {
  __shared__ float left[TILE_K][kTile + 1], right[TILE_K][kTile + 1];
  const long long i = blockIdx.x / tiles, tile = blockIdx.x % tiles;
  const long long first_m = tile / tiles_n * kTile, first_n = tile % tiles_n * kTile;
  float sum[kEach][kEach] = {};
  for (long long k = 0; k < K; k += TILE_K) {
    load_tile(left, a + i * M * K, first_m, M, k, K, !trans_a);
    load_clamped(right, b + i * K * N, first_n, N, k, K, trans_b);
    __syncthreads();
#pragma unroll
    for (int at = 0; at < TILE_K; ++at) {
      float x[kEach], y[kEach];
#pragma unroll
      for (int e = 0; e < kEach; ++e) {
        x[e] = left[at][threadIdx.y + 16 * e];
        y[e] = right[at][threadIdx.x + 16 * e];
      }
#pragma unroll
      for (int r = 0; r < kEach; ++r) {
#pragma unroll
        for (int s = 0; s < kEach; ++s) sum[r][s] += x[r] * y[s];
      }
    }
    __syncthreads();
  }
  for (int r = 0; r < kEach; ++r) {
    const long long m = first_m + threadIdx.y + 16 * r;
    for (int s = 0; s < kEach; ++s) {
      const long long n = first_n + threadIdx.x + 16 * s;
      if (m < M && n < N) c[(i * M + m) * N + n] = c_t(sum[r][s]);
    }
  }
}
