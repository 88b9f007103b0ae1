/*kgen
{ "requires": ["cols <= 4194304"],
  "workspace": {"stats": {"bytes": "rows * 8"}},
  "launches": [
    {"kernel": "row_stats", "grid": ["ceil_div(rows, 8)"], "block": [256], "args": ["x", "stats", "rows", "cols"]},
    {"kernel": "quotients", "grid": ["min(ceil_div(numel(y), 1024), 8 * num_sms)"], "block": [256],
     "args": ["x", "stats", "y", "numel(y)", "cols"]} ],
  "notes": "A warp a row leaves its maximum and the sum in a workspace; a second launch writes the quotients." }
*/
__global__ void __launch_bounds__(256) row_stats(const x_t* x, float2* stats, long long rows, long long cols) {
  const long long row = blockIdx.x * 8ll + threadIdx.x / 32;
  if (row >= rows) return;
  const x_t* const values = x + row * cols;
  float largest = -INFINITY;
  for (long long c = threadIdx.x % 32; c < cols; c += 32) largest = fmaxf(largest, float(values[c]));
  for (int offset = 16; offset > 0; offset /= 2) largest = fmaxf(largest, __shfl_xor_sync(0xffffffffu, largest, offset));
  float sum = 0.0f;
  for (long long c = threadIdx.x % 32; c < cols; c += 32) sum += expf(float(values[c]) - largest);
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
  if (threadIdx.x % 32 == 0) stats[row] = make_float2(largest, sum);
}

__global__ void __launch_bounds__(256)
    quotients(const x_t* x, const float2* stats, y_t* y, long long count, long long cols) {
  for (long long i = blockIdx.x * 256ll + threadIdx.x; i < count; i += gridDim.x * 256ll) {
    const float2 row = stats[i / cols];
    y[i] = y_t(expf(float(x[i]) - row.x) / row.y);
  }
}
