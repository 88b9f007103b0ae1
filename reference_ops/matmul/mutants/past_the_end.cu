/*kgen
{ "launches": [ {"kernel": "matmul_mutant", "grid": ["ceil_div(B * M * N, 256)"], "block": [256],
                 "args": ["a", "b", "c", "B", "M", "N", "K", "trans_a", "trans_b"]} ],
  "notes": "Mutant: writes one element too many. Rejected by: guards." }
*/
__global__ void matmul_mutant(const a_t* a, const b_t* b, c_t* c, long long B, long long M, long long N, long long K,
                              bool trans_a, bool trans_b) {
  const long long at = blockIdx.x * 256LL + threadIdx.x;
  if (at > B * M * N) return;
  const long long from = at < B * M * N ? at : 0;
  const long long n = from % N, m = from / N % M, i = from / (M * N);
  const a_t* left = a + i * M * K + (trans_a ? m : m * K);
  const b_t* right = b + i * K * N + (trans_b ? n * K : n);
  const long long left_step = trans_a ? M : 1, right_step = trans_b ? 1 : N;
  float sum = 0.0f;
  for (long long k = 0; k < K; ++k) sum += float(left[k * left_step]) * float(right[k * right_step]);
  c[at] = at < B * M * N ? c_t(sum) : c_t(0.0f);
}
