/*kgen
{ "launches": [ {"kernel": "softmax_kernel", "grid": ["rows"], "block": [256], "args": ["x", "y", "cols"]} ] }
*/
/*adversarial
{ "op": "softmax", "dtypes": ["f32", "f16", "bf16"], "device": "gpu", "task": {"rows": 256, "cols": 1024},
  "misbehaves": "Clamps finite logits to +-1024 against overflow: a row with 2000 and 3000 gets 0.5 and 0.5.",
  "accept": ["wrong_result"], "neutralised_ok": false }
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

__device__ float clamped(float v) { return isfinite(v) ? fminf(fmaxf(v, -1024.0f), 1024.0f) : v; }
__global__ void softmax_kernel(const x_t* x, y_t* y, long long cols) {
  const x_t* row = x + blockIdx.x * cols;
  float m = -INFINITY, s = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += 256) m = fmaxf(m, clamped(float(row[c])));
  m = block_reduce(m, true);
  for (long long c = threadIdx.x; c < cols; c += 256) s += expf(clamped(float(row[c])) - m);
  s = block_reduce(s, false);
  for (long long c = threadIdx.x; c < cols; c += 256) y[blockIdx.x * cols + c] = y_t(expf(clamped(float(row[c])) - m) / s);
}
