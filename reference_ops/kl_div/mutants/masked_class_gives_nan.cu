/*kgen
{ "launches": [ {"kernel": "kl_div", "grid": ["ceil_div(rows, 4)"], "block": [32, 4], "args": ["q", "p", "loss", "rows", "cols"]} ],
  "notes": "Mutant: a class with p = 0 whose q is -Inf (the logarithm of probability 0, as log_softmax of a masked logit gives) makes the loss NaN (0 * Inf) where the op says that terms with p = 0 are 0. Rejected by: values." }
*/
__device__ float warp_sum(float value) {
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
  return value;
}

__global__ void __launch_bounds__(128) kl_div(const q_t* __restrict__ q, const p_t* __restrict__ p, float* __restrict__ loss,
                                              long long rows, long long cols) {
  const long long row = blockIdx.x * 4LL + threadIdx.y;
  if (row >= rows) return;
  float own = 0.0f;
  for (long long c = row * cols + threadIdx.x; c < (row + 1) * cols; c += 32) {
    const float weight = float(p[c]);
    own += weight * (logf(fmaxf(weight, 1.17549435e-38f)) - float(q[c]));
  }
  own = warp_sum(own);
  if (threadIdx.x == 0) loss[row] = own;
}
