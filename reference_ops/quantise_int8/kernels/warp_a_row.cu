/*kgen
{ "launches": [ {"kernel": "quantise_int8", "grid": ["ceil_div(rows, 4)"], "block": [32, 4], "args": ["x", "q", "s", "rows", "cols"]} ],
  "notes": "One warp a row, shuffles; multiplies by 127 / max." }
*/
__global__ void __launch_bounds__(128) quantise_int8(const x_t* __restrict__ x, q_t* __restrict__ q, s_t* __restrict__ s,
                                                     long long rows, long long cols) {
  const long long row = blockIdx.x * 4LL + threadIdx.y;
  if (row >= rows) return;
  const long long first = row * cols;
  float largest = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += 32) largest = fmaxf(largest, fabsf(float(x[first + c])));
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) largest = fmaxf(largest, __shfl_xor_sync(0xffffffffu, largest, offset));
  if (threadIdx.x == 0) s[row] = largest * (1.0f / 127.0f);
  // 127 by a largest below 2^-100 may overflow: such a row is lifted by 2^100 first, which is exact
  const float lift = largest < 0x1p-100f ? 0x1p100f : 1.0f;
  const float factor = largest > 0.0f ? 127.0f / (largest * lift) : 0.0f;
  for (long long c = threadIdx.x; c < cols; c += 32) q[first + c] = static_cast<q_t>(__float2int_rn(float(x[first + c]) * lift * factor));
}
