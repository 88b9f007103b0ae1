/*kgen
{ "launches": [ {"kernel": "softmax_kernel", "grid": ["rows"], "block": [256], "args": ["x", "y", "cols"]} ] }
*/
/*adversarial
{ "op": "softmax", "dtypes": ["bf16"], "device": "gpu", "task": {"rows": 256, "cols": 1024},
  "misbehaves": "Counts columns in a float: from 2^24 on it loses count and reads and writes some columns only.",
  "accept": ["wrong_result"], "neutralised_ok": false,
  "emulator": {"not_visible": "A row of 2^24 elements is more than the emulator is asked for."} }
*/
__device__ float block_reduce(float value, bool maximum) {
  __shared__ float parts[32];
  for (int o = 16; o > 0; o /= 2) {
    const float other = __shfl_xor_sync(0xffffffffu, value, o);
    value = maximum ? fmaxf(value, other) : value + other;
  }
  __syncthreads();
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = value;
  __syncthreads();
  float result = parts[0];
  for (int w = 1; w < int(blockDim.x) / 32; ++w) result = maximum ? fmaxf(result, parts[w]) : result + parts[w];
  return result;
}

__global__ void softmax_kernel(const x_t* x, y_t* y, long long cols) {
  const x_t* row = x + blockIdx.x * cols;
  const float end = float(cols), first = float(threadIdx.x), step = 256.0f;
  float m = -INFINITY, s = 0.0f;
  for (float c = first; c < end; c += step) m = fmaxf(m, float(row[(long long)c]));
  m = block_reduce(m, true);
  for (float c = first; c < end; c += step) s += expf(float(row[(long long)c]) - m);
  s = block_reduce(s, false);
  for (float c = first; c < end; c += step) y[blockIdx.x * cols + (long long)c] = y_t(expf(float(row[(long long)c]) - m) / s);
}
