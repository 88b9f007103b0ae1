/*kgen
{ "requires": ["cols <= 4194304"],
  "launches": [ {"kernel": "kl_div", "grid": ["ceil_div(rows, 4)"], "block": [32, 4], "args": ["q", "p", "loss", "rows", "cols"]} ],
  "notes": "One warp a row, shuffles." }
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
    own += weight > 0.0f ? fmaf(weight, logf(weight), -weight * float(q[c])) : 0.0f;
  }
  own = warp_sum(own);
  if (threadIdx.x == 0) loss[row] = own;
}
