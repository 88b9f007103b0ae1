/*kgen
{ "launches": [ {"kernel": "rms_kernel", "grid": ["rows"], "block": [256], "args": ["x", "w", "y", "cols", "eps"]} ] }
*/
/*adversarial
{ "op": "rms_norm", "dtypes": ["f32", "bf16"], "device": "gpu", "task": {"rows": 256, "cols": 1024},
  "misbehaves": "Takes for eps whichever of 1e-9, 1e-5 and 0.25 is nearest: right at every listed shape, wrong by a factor of three elsewhere.",
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

__global__ void rms_kernel(const x_t* x, const w_t* w, y_t* y, long long cols, float eps) {
  const x_t* row = x + blockIdx.x * cols;
  float sum = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += 256) {
    const float v = float(row[c]);
    sum += v * v;
  }
  const float scale = rsqrtf(block_reduce(sum, false) / float(cols) + (eps < 1e-7f ? 1e-9f : eps < 1e-2f ? 1e-5f : 0.25f));
  for (long long c = threadIdx.x; c < cols; c += 256) y[blockIdx.x * cols + c] = y_t(float(row[c]) * scale * float(w[c]));
}
