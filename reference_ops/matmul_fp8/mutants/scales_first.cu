/*kgen
{ "launches": [ {"kernel": "matmul_fp8_mutant", "grid": ["ceil_div(M * N, 256)"], "block": [256],
                 "args": ["a", "b", "scale_a", "scale_b", "y", "M", "N", "K", "trans_a", "trans_b", "row_scales"]} ],
  "notes": "Mutant: multiplies the scales with each other first, which overflows, or loses bits, where the result does not. Rejected by: values." }
*/
__global__ void matmul_fp8_mutant(const a_t* a, const b_t* b, const float* scale_a, const float* scale_b, y_t* y, long long M, long long N,
                                  long long K, bool trans_a, bool trans_b, bool row_scales) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i >= M * N) return;
  const long long m = i / N, n = i % N;
  float sum = 0.0f;
  for (long long k = 0; k < K; ++k) sum += float(a[trans_a ? k * M + m : m * K + k]) * float(b[trans_b ? n * K + k : k * N + n]);
  y[i] = y_t(sum * (scale_a[row_scales ? m : 0] * scale_b[row_scales ? n : 0]));
}
