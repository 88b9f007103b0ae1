/*kgen
{ "requires": ["rows % 8192 == 0", "cols % 1024 == 0"],
  "launches": [ {"kernel": "softmax_kernel", "grid": [8192], "block": [256], "args": ["x", "y", "cols"]} ] }
*/
/*adversarial
{ "op": "softmax", "dtypes": ["bf16"], "device": "gpu", "task": {"rows": 8192, "cols": 8192},
  "misbehaves": "Claims every multiple of 8192 rows and does the first 8192: each shape that shows it costs twice the task.",
  "accept": ["wrong_result"], "neutralised_ok": false,
  "emulator": {"task": {"rows": 8192, "cols": 1024}, "not_visible": "16384 rows of 1024 columns are more than the emulator is asked for: flagged only_task_shape."} }
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
  float m = -INFINITY, s = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += 256) m = fmaxf(m, float(row[c]));
  m = block_reduce(m, true);
  for (long long c = threadIdx.x; c < cols; c += 256) s += expf(float(row[c]) - m);
  s = block_reduce(s, false);
  for (long long c = threadIdx.x; c < cols; c += 256) y[blockIdx.x * cols + c] = y_t(expf(float(row[c]) - m) / s);
}
