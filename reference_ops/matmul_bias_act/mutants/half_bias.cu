/*kgen
{ "requires": ["dtype(x) != f16"],
  "launches": [ {"kernel": "matmul_bias_act_mutant", "grid": ["ceil_div(M * N, 256)"], "block": [256],
                 "args": ["x", "w", "b", "y", "M", "N", "K", "act"]} ],
  "notes": "Mutant: takes the bias through f16. Rejected by: values." }
*/
__device__ float activated(float v, int act) {
  if (act == 1) return v > 0.0f || v != v ? v : 0.0f;
  if (act == 2) return 0.5f * v * (1.0f + erff(v * 0.7071067812f));
  return v;
}

__global__ void matmul_bias_act_mutant(const x_t* x, const w_t* w, const b_t* b, y_t* y, long long M, long long N, long long K, int act) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i >= M * N) return;
  const long long m = i / N, n = i % N;
  float sum = 0.0f;
  for (long long k = 0; k < K; ++k) sum += float(x[m * K + k]) * float(w[n * K + k]);
  y[i] = y_t(activated(sum + float(__half(float(b[n]))), act));
}
