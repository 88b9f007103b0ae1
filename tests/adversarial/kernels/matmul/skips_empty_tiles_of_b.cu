/*kgen
{ "launches": [ {"kernel": "matmul", "grid": ["ceil_div(M, 16) * ceil_div(N, 16)", "min(B, 65535)"], "block": [16, 16],
                 "args": ["a", "b", "c", "B", "M", "N", "K", "trans_a", "trans_b"]} ] }
*/
/*adversarial
{ "op": "matmul", "dtypes": ["bf16"], "device": "gpu", "task": {"B": 1, "M": 64, "N": 96, "K": 64},
  "misbehaves": "Tiles of b that are zero throughout (weights pruned by blocks) are skipped: infinities and NaN of a that meet them give 0 and not NaN.",
  "accept": ["wrong_result"], "neutralised_ok": false }
*/
__global__ void __launch_bounds__(256) matmul(const a_t* __restrict__ a, const b_t* __restrict__ b, c_t* __restrict__ c, long long B, long long M, long long N,
                                              long long K, bool trans_a, bool trans_b) {
  __shared__ float left[16][17], right[16][17];
  const long long tiles_n = (N + 15) / 16;
  const long long m0 = blockIdx.x / tiles_n * 16, n0 = blockIdx.x % tiles_n * 16;
  const int tx = threadIdx.x, ty = threadIdx.y;
  for (long long i = blockIdx.y; i < B; i += gridDim.y) {
    const a_t* const own_a = a + i * M * K;
    const b_t* const own_b = b + i * K * N;
    float sum = 0.0f;
    for (long long k0 = 0; k0 < K; k0 += 16) {
      float value = 0.0f;
      if (trans_b) {
        if (n0 + ty < N && k0 + tx < K) value = float(own_b[(n0 + ty) * K + k0 + tx]);
        right[tx][ty] = value;
      } else {
        if (n0 + tx < N && k0 + ty < K) value = float(own_b[(k0 + ty) * N + n0 + tx]);
        right[ty][tx] = value;
      }
      if (!__syncthreads_or(value != 0.0f)) continue;
      if (trans_a) left[tx][ty] = m0 + tx < M && k0 + ty < K ? float(own_a[(k0 + ty) * M + m0 + tx]) : 0.0f;
      else left[ty][tx] = m0 + ty < M && k0 + tx < K ? float(own_a[(m0 + ty) * K + k0 + tx]) : 0.0f;
      __syncthreads();
#pragma unroll
      for (int k = 0; k < 16; ++k) sum += left[ty][k] * right[k][tx];
      __syncthreads();
    }
    if (m0 + ty < M && n0 + tx < N) c[(i * M + m0 + ty) * N + n0 + tx] = c_t(sum);
  }
}
