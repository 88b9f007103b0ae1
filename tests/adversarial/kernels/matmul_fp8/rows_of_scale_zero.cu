/*kgen
{ "launches": [ {"kernel": "matmul_fp8", "grid": ["ceil_div(M, 16) * ceil_div(N, 16)"], "block": [16, 16],
                 "args": ["a", "b", "scale_a", "scale_b", "y", "M", "N", "K", "trans_a", "trans_b", "row_scales"]} ] }
*/
/*adversarial
{ "op": "matmul_fp8", "dtypes": ["f8e4m3"], "device": "gpu", "task": {"M": 48, "N": 64, "K": 96},
  "misbehaves": "Where all rows of a tile have the scale 0 it is written as zeros: NaN in a or b, and a scale of b that is NaN or infinite, are lost.",
  "accept": ["wrong_result"], "neutralised_ok": false }
*/
__global__ void __launch_bounds__(256) matmul_fp8(const a_t* __restrict__ a, const b_t* __restrict__ b, const float* __restrict__ scale_a,
                                                  const float* __restrict__ scale_b, y_t* __restrict__ y, long long M, long long N, long long K, bool trans_a,
                                                  bool trans_b, bool row_scales) {
  __shared__ float left[16][17], right[16][17];
  const long long tiles_n = (N + 15) / 16;
  const long long m0 = blockIdx.x / tiles_n * 16, n0 = blockIdx.x % tiles_n * 16;
  const int tx = threadIdx.x, ty = threadIdx.y;
  const long long m = m0 + ty, n = n0 + tx;
  const float own = m < M ? scale_a[row_scales ? m : 0] : 0.0f;
  float sum = 0.0f;
  if (__syncthreads_or(own != 0.0f)) {
    for (long long k0 = 0; k0 < K; k0 += 16) {
      if (trans_a) left[tx][ty] = m0 + tx < M && k0 + ty < K ? float(a[(k0 + ty) * M + m0 + tx]) : 0.0f;
      else left[ty][tx] = m < M && k0 + tx < K ? float(a[m * K + k0 + tx]) : 0.0f;
      if (trans_b) right[tx][ty] = n0 + ty < N && k0 + tx < K ? float(b[(n0 + ty) * K + k0 + tx]) : 0.0f;
      else right[ty][tx] = n < N && k0 + ty < K ? float(b[(k0 + ty) * N + n]) : 0.0f;
      __syncthreads();
#pragma unroll
      for (int k = 0; k < 16; ++k) sum += left[ty][k] * right[k][tx];
      __syncthreads();
    }
    if (m < M && n < N) y[m * N + n] = y_t(sum * own * scale_b[row_scales ? n : 0]);
  } else if (m < M && n < N) {
    y[m * N + n] = y_t(0.0f);
  }
}
