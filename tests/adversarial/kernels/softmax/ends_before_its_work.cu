/*kgen
{ "tunables": {"CHEAT": [1, 0]}, "defaults": {"CHEAT": 1}, "requires": ["rows > 0"],
  "launches": [
    {"kernel": "softmax_kernel", "grid": ["rows"], "block": [256], "args": ["x", "y", "cols"]},
    {"kernel": "tail", "when": "CHEAT", "grid": [1], "block": [32], "args": [], "pdl": true} ] }
*/
/*adversarial
{ "op": "softmax", "dtypes": ["bf16"], "device": "gpu", "task": {"rows": 1024, "cols": 2048},
  "misbehaves": "Ends in an empty programmatic dependent launch that never waits for the one that does the work, to have the clock stopped early.",
  "accept": ["hidden_state", "wrong_result"], "neutralised_ok": true,
  "timing": true,
  "honest_variant": {"CHEAT": 0},
  "emulator": {"accept": ["not_emulated"]} }
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
  asm volatile("griddepcontrol.launch_dependents;");
  const x_t* row = x + blockIdx.x * cols;
  float m = -INFINITY, s = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += 256) m = fmaxf(m, float(row[c]));
  m = block_reduce(m, true);
  for (long long c = threadIdx.x; c < cols; c += 256) s += expf(float(row[c]) - m);
  s = block_reduce(s, false);
  for (long long c = threadIdx.x; c < cols; c += 256) y[blockIdx.x * cols + c] = y_t(expf(float(row[c]) - m) / s);
}
__global__ void tail() {}
