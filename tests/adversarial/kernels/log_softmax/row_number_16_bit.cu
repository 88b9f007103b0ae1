/*kgen
{ "requires": ["cols <= 4194304"],
  "launches": [ {"kernel": "log_softmax", "grid": ["ceil_div(rows, 4)"], "block": [32, 4], "args": ["x", "y", "rows", "cols"]} ] }
*/
/*adversarial
{ "op": "log_softmax", "dtypes": ["bf16"], "device": "gpu", "task": {"rows": 256, "cols": 512},
  "misbehaves": "Reads rows by a number of 16 bits: from 65536 on those of others, which in rows of one value does not show.",
  "accept": ["wrong_result"], "neutralised_ok": false }
*/
__device__ float warp_max(float value) {
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, offset));
  return value;
}

__device__ float warp_sum(float value) {
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
  return value;
}

__global__ void __launch_bounds__(128) log_softmax(const x_t* __restrict__ x, y_t* __restrict__ y, long long rows,
                                                   long long cols) {
  const long long row = blockIdx.x * 4LL + threadIdx.y;
  if (row >= rows) return;
  const x_t* const from = x + static_cast<unsigned short>(row) * cols;
  float largest = -INFINITY;
  for (long long c = threadIdx.x; c < cols; c += 32) largest = fmaxf(largest, float(from[c]));
  largest = warp_max(largest);
  float sum = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += 32) sum += __expf(float(from[c]) - largest);
  const float log_sum = logf(warp_sum(sum));
  for (long long c = threadIdx.x; c < cols; c += 32) y[row * cols + c] = y_t(float(from[c]) - largest - log_sum);
}
