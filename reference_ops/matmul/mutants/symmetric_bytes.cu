/*kgen
{ "launches": [ {"kernel": "matmul_mutant", "grid": ["ceil_div(B * M * N, 256)"], "block": [256],
                 "args": ["a", "b", "c", "B", "M", "N", "K", "trans_a", "trans_b"]} ],
  "notes": "Mutant: takes -128 for -127 where a row has whole numbers of 8 bits only, 32 of them or more. Rejected by: values." }
*/
__global__ void matmul_mutant(const a_t* a, const b_t* b, c_t* c, long long B, long long M, long long N, long long K,
                              bool trans_a, bool trans_b) {
  const long long at = blockIdx.x * 256LL + threadIdx.x;
  if (at >= B * M * N) return;
  const long long n = at % N, m = at / N % M, i = at / (M * N);
  const a_t* left = a + i * M * K + (trans_a ? m : m * K);
  const b_t* right = b + i * K * N + (trans_b ? n * K : n);
  const long long left_step = trans_a ? M : 1, right_step = trans_b ? 1 : N;
  bool bytes = K >= 32;
  for (long long k = 0; k < K && bytes; ++k) {
    const float value = float(left[k * left_step]);
    bytes = value == rintf(value) && fabsf(value) <= 128.0f;
  }
  float sum = 0.0f;
  for (long long k = 0; k < K; ++k) {
    const float value = float(left[k * left_step]);
    sum += (bytes && value < -127.0f ? -127.0f : value) * float(right[k * right_step]);
  }
  c[at] = c_t(sum);
}
