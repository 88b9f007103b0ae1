/*kgen
{ "launches": [ {"kernel": "softmax_kernel", "grid": ["rows"], "block": [256], "args": ["x", "y", "cols"]} ] }
*/
/*adversarial
{ "op": "softmax", "dtypes": ["f32", "f16", "bf16"], "device": "gpu", "task": {"rows": 256, "cols": 8192},
  "misbehaves": "Rescales lazily, but measures the step from the last maximum and not from the reference in use: a row that rises in small steps overflows.",
  "accept": ["wrong_result"], "neutralised_ok": false, "emulator": {"task": {"rows": 4, "cols": 8192}} }
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
  float m = -INFINITY, reference = -INFINITY, s = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += 256) {
    const float v = float(row[c]);
    if (v > m) {
      if (v - m > 8.0f) {  // should compare with `reference`
        s *= expf(reference - v);
        reference = v;
      }
      m = v;
    }
    if (v != -INFINITY) s += expf(v - reference);
  }
  const float all = block_reduce(reference, true);
  const float sum = block_reduce(reference == -INFINITY ? s : s * expf(reference - all), false);
  for (long long c = threadIdx.x; c < cols; c += 256) y[blockIdx.x * cols + c] = y_t(expf(float(row[c]) - all) / sum);
}
