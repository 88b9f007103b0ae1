/*kgen
{ "requires": ["cols <= 536870912"],
  "launches": [ {"kernel": "cumsum", "grid": ["ceil_div(rows, 4)"], "block": [32, 4], "args": ["x", "y", "rows", "cols"]} ],
  "notes": "One warp a row, 32 columns at a time by shuffles, with a carry." }
*/
__global__ void __launch_bounds__(128) cumsum(const x_t* __restrict__ x, y_t* __restrict__ y, long long rows, long long cols) {
  const long long row = blockIdx.x * 4LL + threadIdx.y;
  if (row >= rows) return;
  const int lane = threadIdx.x;
  float carry = 0.0f;
  for (long long first = 0; first < cols; first += 32) {
    const long long c = first + lane;
    float sum = c < cols ? float(x[row * cols + c]) : 0.0f;
#pragma unroll
    for (int offset = 1; offset < 32; offset *= 2) {
      const float before = __shfl_up_sync(0xffffffffu, sum, offset);
      if (lane >= offset) sum += before;
    }
    sum += carry;
    if (c < cols) y[row * cols + c] = y_t(sum);
    carry = __shfl_sync(0xffffffffu, sum, 31);
  }
}
