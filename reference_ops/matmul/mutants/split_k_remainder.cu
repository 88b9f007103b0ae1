/*kgen
{ "let": {"splits": "K > 2048 ? 4 : 1"}, "workspace": {"parts": {"bytes": "splits * B * M * N * 4"}},
  "launches": [ {"kernel": "matmul_part", "grid": ["ceil_div(B * M * N, 256)", "splits"], "block": [256],
                 "args": ["a", "b", "parts", "B", "M", "N", "K", "K > 2048 ? K / 64 * 16 : K", "trans_a", "trans_b"]},
                {"kernel": "add_parts", "grid": ["ceil_div(B * M * N, 256)"], "block": [256], "args": ["parts", "c", "B * M * N", "splits"]} ],
  "notes": "Mutant: parts K beyond 2048 among four blocks, in tiles of 16, and forgets what is left of it. Rejected by: values." }
*/
__global__ void matmul_part(const a_t* a, const b_t* b, float* parts, long long B, long long M, long long N, long long K, long long each,
                            bool trans_a, bool trans_b) {
  const long long at = blockIdx.x * 256LL + threadIdx.x;
  if (at >= B * M * N) return;
  const long long n = at % N, m = at / N % M, i = at / (M * N);
  const a_t* left = a + i * M * K + (trans_a ? m : m * K);
  const b_t* right = b + i * K * N + (trans_b ? n * K : n);
  const long long left_step = trans_a ? M : 1, right_step = trans_b ? 1 : N;
  float sum = 0.0f;
  for (long long k = blockIdx.y * each; k < (blockIdx.y + 1) * each; ++k) sum += float(left[k * left_step]) * float(right[k * right_step]);
  parts[blockIdx.y * B * M * N + at] = sum;
}

__global__ void add_parts(const float* parts, c_t* c, long long elements, long long splits) {
  const long long at = blockIdx.x * 256LL + threadIdx.x;
  if (at >= elements) return;
  float sum = 0.0f;
  for (long long part = 0; part < splits; ++part) sum += parts[part * elements + at];
  c[at] = c_t(sum);
}
