/*kgen
{ "launches": [ {"kernel": "matmul_reference", "grid": ["ceil_div(B * M * N, 256)"], "block": [256],
                 "args": ["a", "b", "c", "c_scale", "B", "M", "N", "K", "trans_a", "trans_b"]} ],
  "notes": "Naive fp64 oracle: one thread an element. c and c_scale (|A||B|) are double here." }
*/
__global__ void matmul_reference(const a_t* a, const b_t* b, double* c, double* c_scale, long long B, long long M,
                                 long long N, long long K, bool trans_a, bool trans_b) {
  const long long at = blockIdx.x * 256LL + threadIdx.x;
  if (at >= B * M * N) return;
  const long long n = at % N, m = at / N % M, i = at / (M * N);
  const a_t* left = a + i * M * K + (trans_a ? m : m * K);
  const b_t* right = b + i * K * N + (trans_b ? n * K : n);
  const long long left_step = trans_a ? M : 1, right_step = trans_b ? 1 : N;
  double sum = 0.0, scale = 0.0;
  for (long long k = 0; k < K; ++k) {
    const double product = static_cast<double>(static_cast<float>(left[k * left_step])) *
                           static_cast<double>(static_cast<float>(right[k * right_step]));
    sum += product;
    scale += fabs(product);
  }
  c[at] = sum;
  c_scale[at] = scale;
}
