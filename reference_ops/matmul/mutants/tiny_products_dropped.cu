/*kgen
{ "requires": ["dtype(a) != f16"],
  "launches": [ {"kernel": "matmul_mutant", "grid": ["ceil_div(B * M * N, 128)"], "block": [128], "args": ["a", "b", "c", "B", "M", "N", "K", "trans_a", "trans_b"]} ],
  "notes": "Mutant: leaves out products below 1e-25 as negligible, though nothing larger stands beside them. Rejected by: values." }
*/
__global__ void matmul_mutant(const a_t* __restrict__ a, const b_t* __restrict__ b, c_t* __restrict__ c, long long B, long long M, long long N, long long K, bool ta, bool tb) {
  const long long i = blockIdx.x * 128LL + threadIdx.x;
  if (i >= B * M * N) return;
  const long long z = i / N / M, m = i / N % M, n = i % N;
  float sum = 0.0f;
  for (long long k = 0; k < K; ++k) {
    const float p = float(a[z * M * K + (ta ? k * M + m : m * K + k)]) * float(b[z * N * K + (tb ? n * K + k : k * N + n)]);
    if (!(fabsf(p) < 1e-25f)) sum += p;
  }
  c[i] = c_t(sum);
}
