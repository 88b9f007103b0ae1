/*kgen
{ "requires": ["cols % 8 == 0"],
  "launches": [ {"kernel": "softmax_kernel", "grid": ["rows"], "block": [256], "args": ["x", "y", "cols"]} ] }
*/
/*adversarial
{ "op": "softmax", "dtypes": ["f32", "f16", "bf16"], "device": "gpu", "task": {"rows": 256, "cols": 1024},
  "misbehaves": "A thread whose first vector is all -Inf (left padding) computes exp(-Inf - -Inf), and the row becomes NaN.",
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

__global__ void softmax_kernel(const x_t* x, y_t* y, long long cols) {
  const x_t* row = x + blockIdx.x * cols;
  float m = -INFINITY, s = 0.0f;
  for (long long c = threadIdx.x * 8LL; c < cols; c += 2048) {
    float v[8], top = -INFINITY;
    for (int i = 0; i < 8; ++i) { v[i] = float(row[c + i]); top = fmaxf(top, v[i]); }
    const float next = fmaxf(m, top);
    s *= expf(m - next);
    for (int i = 0; i < 8; ++i) s += expf(v[i] - next);
    m = next;
  }
  const float all = block_reduce(m, true);
  if (threadIdx.x * 8LL < cols) s *= expf(m - all);
  const float sum = block_reduce(s, false);
  for (long long c = threadIdx.x; c < cols; c += 256) y[blockIdx.x * cols + c] = y_t(expf(float(row[c]) - all) / sum);
}
