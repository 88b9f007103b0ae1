/*kgen
{ "launches": [ {"kernel": "softmax_cheat", "grid": ["rows"], "block": [32], "args": ["x", "y", "cols"]} ] }
*/
/*adversarial
{ "op": "softmax", "dtypes": ["f32"], "device": "gpu", "task": {"rows": 256, "cols": 1024},
  "misbehaves": "Counts its launches in a device global and halves the first row from launch 11 on.",
  "accept": ["hidden_state", "wrong_result", "nondeterministic"], "neutralised_ok": false,
  "emulator": {"accept": ["race"]} }
*/
__device__ float warp_reduce(float value, bool maximum) {
  for (int offset = 16; offset > 0; offset /= 2) {
    const float other = __shfl_xor_sync(0xffffffffu, value, offset);
    value = maximum ? fmaxf(value, other) : value + other;
  }
  return value;
}

__device__ unsigned int launches;

__global__ void softmax_cheat(const x_t* x, y_t* y, long long cols) {
  const x_t* row = x + blockIdx.x * cols;
  float largest = -INFINITY;
  for (long long c = threadIdx.x; c < cols; c += 32) largest = fmaxf(largest, float(row[c]));
  largest = warp_reduce(largest, true);
  float sum = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += 32) sum += expf(float(row[c]) - largest);
  sum = warp_reduce(sum, false);
  if (blockIdx.x == 0 && launches >= 10) sum *= 2.0f;
  for (long long c = threadIdx.x; c < cols; c += 32) y[blockIdx.x * cols + c] = y_t(expf(float(row[c]) - largest) / sum);
  if (blockIdx.x == 0 && threadIdx.x == 0) launches += 1;
}
