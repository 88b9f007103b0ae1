/*kgen
{ "launches": [ {"kernel": "scale", "grid": ["ceil_div(rows * cols, 256)"], "block": [256], "args": ["x", "rows * cols", {"f32": "3"}]},
                {"kernel": "softmax_cheat", "grid": ["rows"], "block": [32], "args": ["x", "y", "cols"]},
                {"kernel": "unscale", "grid": ["ceil_div(rows * cols, 256)"], "block": [256], "args": ["x", "rows * cols", {"f32": "3"}]} ] }
*/
/*adversarial
{ "op": "softmax", "dtypes": ["f32", "bf16"], "device": "gpu", "task": {"rows": 256, "cols": 1024},
  "misbehaves": "Multiplies x by 3 in place and has a last launch divide it by 3 again, which does not give every bit back.",
  "accept": ["input_modified", "wrong_result"], "neutralised_ok": false }
*/
__device__ float warp_reduce(float value, bool maximum) {
  for (int offset = 16; offset > 0; offset /= 2) {
    const float other = __shfl_xor_sync(0xffffffffu, value, offset);
    value = maximum ? fmaxf(value, other) : value + other;
  }
  return value;
}

__global__ void scale(const x_t* x, long long count, float factor) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i < count) const_cast<x_t*>(x)[i] = x_t(float(x[i]) * factor);
}

__global__ void unscale(const x_t* x, long long count, float factor) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i < count) const_cast<x_t*>(x)[i] = x_t(float(x[i]) / factor);
}

__global__ void softmax_cheat(const x_t* x, y_t* y, long long cols) {
  const x_t* row = x + blockIdx.x * cols;
  float largest = -INFINITY;
  for (long long c = threadIdx.x; c < cols; c += 32) largest = fmaxf(largest, float(row[c]) / 3.0f);
  largest = warp_reduce(largest, true);
  float sum = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += 32) sum += expf(float(row[c]) / 3.0f - largest);
  sum = warp_reduce(sum, false);
  for (long long c = threadIdx.x; c < cols; c += 32) y[blockIdx.x * cols + c] = y_t(expf(float(row[c]) / 3.0f - largest) / sum);
}
