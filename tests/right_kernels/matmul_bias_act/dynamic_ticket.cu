/*kgen
{ "workspace": {"ticket": {"bytes": "4"}}, "let": {"tiles_n": "ceil_div(N, 32)", "tiles": "ceil_div(M, 32) * tiles_n"},
  "launches": [ {"fill": "ticket", "value": 0},
                {"kernel": "linear_dyn", "grid": ["min(tiles, num_sms * 4)"], "block": [64], "args": ["x", "w", "b", "y", "M", "N", "K", "tiles_n", "tiles", "act", "ticket"]} ],
  "notes": "Persistent blocks take 32 x 32 tiles from an atomic counter; 4 x 4 outputs a thread, f32." }
*/
__global__ void __launch_bounds__(64)
    linear_dyn(const x_t* __restrict__ x, const w_t* __restrict__ w, const b_t* __restrict__ b,
               y_t* __restrict__ y, int64_t M, int64_t N, int64_t K, int64_t tiles_n, int tiles, int act,
               int* __restrict__ ticket) {
  __shared__ float xs[8][32], ws[8][32];
  __shared__ int mine;
  const int tx = threadIdx.x % 8, ty = threadIdx.x / 8;
  for (;;) {
    if (threadIdx.x == 0) mine = atomicAdd(ticket, 1);
    __syncthreads();
    const int tile = mine;
    __syncthreads();
    if (tile >= tiles) return;
    const int64_t m0 = tile / tiles_n * 32, n0 = tile % tiles_n * 32;
    float acc[4][4] = {};
    for (int64_t k0 = 0; k0 < K; k0 += 8) {
      for (int e = threadIdx.x; e < 256; e += 64) {
        const int k = e % 8, r = e / 8;
        xs[k][r] = k0 + k < K && m0 + r < M ? float(x[(m0 + r) * K + k0 + k]) : 0.f;
        ws[k][r] = k0 + k < K && n0 + r < N ? float(w[(n0 + r) * K + k0 + k]) : 0.f;
      }
      __syncthreads();
      for (int k = 0; k < 8; ++k)
        for (int i = 0; i < 4; ++i)
          for (int j = 0; j < 4; ++j) acc[i][j] += xs[k][ty * 4 + i] * ws[k][tx * 4 + j];
      __syncthreads();
    }
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) {
        const int64_t m = m0 + ty * 4 + i, n = n0 + tx * 4 + j;
        if (m >= M || n >= N) continue;
        float v = acc[i][j] + float(b[n]);
        if (act == 1) v = v <= 0.f ? 0.f : v;
        if (act == 2) v = 0.5f * v * (1.0f + erff(v * 0.70710678f));
        y[m * N + n] = y_t(v);
      }
  }
}
