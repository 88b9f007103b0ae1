/*kgen
{ "launches": [ {"kernel": "quantise_int8_mutant", "grid": ["ceil_div(rows, 4)"], "block": [32, 4], "args": ["x", "q", "s", "rows", "cols"]} ],
  "notes": "Mutant: beyond 512 columns of whole packs every second tile alone counts for the maximum. Rejected by: values." }
*/
__global__ void __launch_bounds__(128) quantise_int8_mutant(const x_t* x, q_t* q, s_t* s, long long rows, long long cols) {
  const long long row = blockIdx.x * 4LL + threadIdx.y;
  if (row >= rows) return;
  const long long first = row * cols;
  float largest = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += 32)
    if (cols % 8 != 0 || c < 512 || c / 256 % 2 == 0) largest = fmaxf(largest, fabsf(float(x[first + c])));
  for (int offset = 16; offset > 0; offset /= 2) largest = fmaxf(largest, __shfl_xor_sync(0xffffffffu, largest, offset));
  if (threadIdx.x == 0) s[row] = largest / 127.0f;
  for (long long c = threadIdx.x; c < cols; c += 32)
    q[first + c] = static_cast<q_t>(largest > 0.0f ? min(127, max(-127, __float2int_rn(float(x[first + c]) / largest * 127.0f))) : 0);
}
