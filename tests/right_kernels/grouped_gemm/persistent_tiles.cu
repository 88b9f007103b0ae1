/*kgen
{ "let": {"tn": "ceil_div(N, 64)"},
  "launches": [ {"kernel": "grouped", "grid": ["max(1, min(num_sms * 2, (ceil_div(rows, 32) + groups) * tn))"], "block": [128], "args": ["x", "w", "ends", "y", "groups", "N", "K", "tn"]} ],
  "notes": "Persistent blocks walk the tiles (32 rows of one group by 64 columns) of all groups in order, as CUTLASS's grouped schedule does; 4 x 4 outputs a thread." }
*/
__global__ void __launch_bounds__(128)
    grouped(const x_t* __restrict__ x, const w_t* __restrict__ w, const int* __restrict__ ends,
            y_t* __restrict__ y, int groups, int64_t N, int64_t K, int64_t tn) {
  __shared__ float xs[32][17], ws[64][17];
  const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;  // 16 x 8
  int64_t tile = blockIdx.x, first_tile = 0;
  int64_t begin = 0;
  for (int g = 0; g < groups; ++g) {
    const int64_t end = ends[g];
    const int64_t mine = (end - begin + 31) / 32 * tn;
    for (; tile < first_tile + mine; tile += gridDim.x) {
      const int64_t t = tile - first_tile, m0 = begin + t / tn * 32, n0 = t % tn * 64;
      float acc[4][4] = {};
      for (int64_t k0 = 0; k0 < K; k0 += 16) {
        for (int i = threadIdx.x; i < 32 * 16; i += 128) {
          const int r = i / 16, k = i % 16;
          xs[r][k] = (m0 + r < end && k0 + k < K) ? float(x[(m0 + r) * K + k0 + k]) : 0.f;
        }
        for (int i = threadIdx.x; i < 64 * 16; i += 128) {
          const int r = i / 16, k = i % 16;
          ws[r][k] = (n0 + r < N && k0 + k < K) ? float(w[((int64_t)g * N + n0 + r) * K + k0 + k]) : 0.f;
        }
        __syncthreads();
#pragma unroll 4
        for (int k = 0; k < 16; ++k)
#pragma unroll
          for (int i = 0; i < 4; ++i)
#pragma unroll
            for (int j = 0; j < 4; ++j) acc[i][j] += xs[ty * 4 + i][k] * ws[tx + 16 * j][k];
        __syncthreads();
      }
#pragma unroll
      for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j) {
          const int64_t m = m0 + ty * 4 + i, n = n0 + tx + 16 * j;
          if (m < end && n < N) y[m * N + n] = y_t(acc[i][j]);
        }
    }
    first_tile += mine;
    begin = end;
  }
}
