/*kgen
{ "launches": [ {"kernel": "matmul_fp8_mutant", "grid": ["ceil_div(M * N, 128)"], "block": [128], "args": ["a", "b", "scale_a", "scale_b", "y", "M", "N", "K", "trans_a", "trans_b", "row_scales"]} ],
  "notes": "Mutant: takes a scale that is NaN for 0. Rejected by: values." }
*/
__device__ float number(float s) { return s == s ? s : 0.0f; }
__global__ void matmul_fp8_mutant(const a_t* __restrict__ a, const b_t* __restrict__ b, const float* __restrict__ sa, const float* __restrict__ sb, y_t* __restrict__ y, long long M, long long N, long long K, bool ta, bool tb, bool rows) {
  const long long i = blockIdx.x * 128LL + threadIdx.x;
  if (i >= M * N) return;
  const long long m = i / N, n = i % N;
  float sum = 0.0f;
  for (long long k = 0; k < K; ++k) sum = fmaf(float(a[ta ? k * M + m : m * K + k]), float(b[tb ? n * K + k : k * N + n]), sum);
  y[i] = y_t(number(sa[rows ? m : 0]) * (number(sb[rows ? n : 0]) * sum));
}
