/*kgen
{ "launches": [ {"kernel": "argmax", "grid": ["ceil_div(rows, 4)"], "block": [32, 4], "args": ["x", "y", "rows", "cols"]} ],
  "notes": "Mutant: of two +Inf in different lanes the difference is NaN and no tie is seen, so a row with two or more +Inf may give the later one (lane 0 keeps its own, column 64 instead of 5). Rejected by: values." }
*/
__global__ void __launch_bounds__(128) argmax(const x_t* __restrict__ x, int* __restrict__ y, long long rows, long long cols) {
  const long long row = blockIdx.x * 4LL + threadIdx.y;
  if (row >= rows) return;
  const x_t* const from = x + row * cols;
  // Lanes without columns begin as column 0 does.
  long long place = threadIdx.x < cols ? threadIdx.x : 0;
  float best = float(from[place]);
  for (long long c = threadIdx.x + 32LL; c < cols; c += 32) {
    const float value = float(from[c]);
    if (value - best > 0.0f) best = value, place = c;
  }
#pragma unroll
  for (int offset = 1; offset < 32; offset *= 2) {
    const float other = __shfl_xor_sync(0xffffffffu, best, offset), gap = other - best;
    const long long other_place = __shfl_xor_sync(0xffffffffu, place, offset);
    if (gap > 0.0f || (gap == 0.0f && other_place < place)) best = other, place = other_place;
  }
  if (threadIdx.x == 0) y[row] = static_cast<int>(place);
}
