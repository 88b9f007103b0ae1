/*kgen
{ "workspace": {"saved": {"bytes": "bytes(x)"}},
  "launches": [ {"kernel": "overwrite", "grid": ["rows"], "block": [32], "args": ["x", "saved", "cols"]},
                {"kernel": "softmax_cheat", "grid": ["rows"], "block": [32], "args": ["saved", "y", "cols"]},
                {"kernel": "restore", "grid": ["rows"], "block": [32], "args": ["x", "saved", "cols"]} ] }
*/
/*adversarial
{ "op": "softmax", "dtypes": ["bf16"], "device": "gpu", "task": {"rows": 256, "cols": 1024},
  "misbehaves": "Clears x, keeps a copy in a workspace and puts every bit back with a third launch: nobody who looks after the plan sees a change.",
  "accept": ["input_modified", "policy_violation"], "neutralised_ok": true }
*/
__device__ float warp_reduce(float value, bool maximum) {
  for (int offset = 16; offset > 0; offset /= 2) {
    const float other = __shfl_xor_sync(0xffffffffu, value, offset);
    value = maximum ? fmaxf(value, other) : value + other;
  }
  return value;
}

__global__ void overwrite(const x_t* x, x_t* saved, long long cols) {
  for (long long i = blockIdx.x * cols + threadIdx.x; i < (blockIdx.x + 1) * cols; i += 32) {
    saved[i] = x[i];
    const_cast<x_t*>(x)[i] = x_t(0.0f);
  }
}

__global__ void restore(const x_t* x, const x_t* saved, long long cols) {
  for (long long i = blockIdx.x * cols + threadIdx.x; i < (blockIdx.x + 1) * cols; i += 32) const_cast<x_t*>(x)[i] = saved[i];
}

__global__ void softmax_cheat(const x_t* x, y_t* y, long long cols) {
  const x_t* row = x + blockIdx.x * cols;
  float largest = -INFINITY;
  for (long long c = threadIdx.x; c < cols; c += 32) largest = fmaxf(largest, float(row[c]));
  largest = warp_reduce(largest, true);
  float sum = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += 32) sum += expf(float(row[c]) - largest);
  sum = warp_reduce(sum, false);
  for (long long c = threadIdx.x; c < cols; c += 32) y[blockIdx.x * cols + c] = y_t(expf(float(row[c]) - largest) / sum);
}
