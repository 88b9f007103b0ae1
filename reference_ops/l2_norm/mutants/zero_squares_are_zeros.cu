/*kgen
{ "requires": ["cols <= 4194304", "dtype(x) != f16"],
  "launches": [ {"kernel": "l2_norm", "grid": ["ceil_div(rows, 4)"], "block": [32, 4], "args": ["x", "y", "rows", "cols", "eps"]} ],
  "notes": "Mutant: takes a sum of squares of 0 for a row of zeros. Rejected by: values." }
*/
__device__ float warp_sum(float value) {
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
  return value;
}

__global__ void __launch_bounds__(128) l2_norm(const x_t* __restrict__ x, y_t* __restrict__ y, long long rows, long long cols,
                                               float eps) {
  const long long row = blockIdx.x * 4LL + threadIdx.y;
  if (row >= rows) return;
  const x_t* const from = x + row * cols;
  float sum = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += 32) sum += float(from[c]) * float(from[c]);
  sum = warp_sum(sum);
  if (sum == 0.0f) {  // a row of zeros stays one
    for (long long c = threadIdx.x; c < cols; c += 32) y[row * cols + c] = y_t(0.0f);
    return;
  }
  const float factor = fminf(rsqrtf(sum), 1.0f / eps);
  for (long long c = threadIdx.x; c < cols; c += 32) y[row * cols + c] = y_t(float(from[c]) * factor);
}
