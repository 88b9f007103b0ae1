/*kgen
{ "launches": [ {"kernel": "softmax_kernel", "grid": ["rows"], "block": [256], "args": ["x", "y", "cols"]} ] }
*/
/*adversarial
{ "op": "softmax", "dtypes": ["f32", "bf16"], "device": "gpu", "task": {"rows": 256, "cols": 1024},
  "misbehaves": "Knows a NaN by the canonical bits alone; one of another sign or payload, or a signalling one, is left out of the sum.",
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
  float m = -INFINITY, s = 0.0f, poisoned = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += 256) {
    const unsigned bits = sizeof(x_t) == 2 ? unsigned(reinterpret_cast<const unsigned short*>(row)[c]) << 16 : reinterpret_cast<const unsigned*>(row)[c];
    m = fmaxf(m, float(row[c]));
    if (bits == 0x7fc00000u) poisoned = 1.0f;
  }
  m = block_reduce(m, true);
  poisoned = block_reduce(poisoned, true);
  for (long long c = threadIdx.x; c < cols; c += 256) {
    const float v = float(row[c]);
    if (v == v) s += expf(v - m);
  }
  s = block_reduce(s, false);
  if (poisoned != 0.0f) s = NAN;
  for (long long c = threadIdx.x; c < cols; c += 256) y[blockIdx.x * cols + c] = y_t(expf(float(row[c]) - m) / s);
}
