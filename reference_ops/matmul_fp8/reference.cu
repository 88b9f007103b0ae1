/*kgen
{ "let": {"steps": "4 * K"},
  "launches": [ {"kernel": "matmul_fp8_reference", "grid": ["ceil_div(M * N, 256)"], "block": [256],
                 "args": ["a", "b", "scale_a", "scale_b", "y", "y_scale", "M", "N", "K", "trans_a", "trans_b", "row_scales"]} ],
  "notes": "Naive fp64 oracle: one element a thread. y and y_scale are double here." }
*/
// Subnormal factors have the exponent of the smallest normal number where tensor cores align products.
__device__ double aligned_size(double x) { return x == 0.0 ? 0.0 : fmax(fabs(x), 0x1p-6); }

__global__ void matmul_fp8_reference(const a_t* a, const b_t* b, const float* scale_a, const float* scale_b, double* y, double* y_scale,
                                     long long M, long long N, long long K, bool trans_a, bool trans_b, bool row_scales) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i >= M * N) return;
  const long long m = i / N, n = i % N;
  double sum = 0.0, squares = 0.0;
  for (long long k = 0; k < K; ++k) {
    const double left = static_cast<float>(a[trans_a ? k * M + m : m * K + k]);
    const double right = static_cast<float>(b[trans_b ? n * K + k : k * N + n]);
    const double size = aligned_size(left) * aligned_size(right);
    sum += left * right;
    squares += size * size;
  }
  const double factor = static_cast<double>(scale_a[row_scales ? m : 0]) * static_cast<double>(scale_b[row_scales ? n : 0]);
  const double length = static_cast<double>(K), growth = K == 1 ? 0.0 : fmin(length, 4.0 * sqrt(length));
  const double reach = fabs(sum) + 4.0 * sqrt(squares), blocks = static_cast<double>((K + 15) / 16);
  y[i] = factor * sum;
  y_scale[i] = fabs(factor) * 0x1p11 * (length * fabs(sum) + (growth + blocks) * reach) + 3.0 * fabs(factor * sum);
}
