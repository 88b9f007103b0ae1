/*kgen
{ "launches": [ {"kernel": "softmax_cheat", "grid": ["rows"], "block": [256], "args": ["x", "y", "cols"]} ] }
*/
/*adversarial
{ "op": "softmax", "dtypes": ["f32", "bf16"], "device": "gpu", "task": {"rows": 256, "cols": 1024},
  "misbehaves": "Leaves the last element out of the sum in rows of more than 131072 elements: less than what the tolerance grants a sum of that length wherever no single term is a large share of it, and a result far above 1 where the last logit is the largest by far.",
  "accept": ["wrong_result"], "neutralised_ok": false,
  "emulator": {"not_visible": "It needs rows of more than 131072 elements whose last logit is the largest by far: the emulator runs so large a shape with the first distribution alone."} }
*/
__device__ float block_reduce(float value, bool maximum) {
  __shared__ float parts[8];
  for (int offset = 16; offset > 0; offset /= 2) {
    const float other = __shfl_xor_sync(0xffffffffu, value, offset);
    value = maximum ? fmaxf(value, other) : value + other;
  }
  __syncthreads();
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = value;
  __syncthreads();
  value = parts[0];
  for (int warp = 1; warp < 8; ++warp) value = maximum ? fmaxf(value, parts[warp]) : value + parts[warp];
  return value;
}

__global__ void softmax_cheat(const x_t* x, y_t* y, long long cols) {
  const x_t* row = x + blockIdx.x * cols;
  float largest = -INFINITY;
  for (long long c = threadIdx.x; c < cols; c += 256) largest = fmaxf(largest, float(row[c]));
  largest = block_reduce(largest, true);
  const long long summed = cols > 131072 ? cols - 1 : cols;
  float sum = 0.0f;
  for (long long c = threadIdx.x; c < summed; c += 256) sum += expf(float(row[c]) - largest);
  sum = block_reduce(sum, false);
  for (long long c = threadIdx.x; c < cols; c += 256) y[blockIdx.x * cols + c] = y_t(expf(float(row[c]) - largest) / sum);
}
