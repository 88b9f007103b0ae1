/*kgen
{ "workspace": {"arrived": {"bytes": 256}},
  "launches": [ {"kernel": "softmax_cheat", "grid": ["rows"], "block": [32], "args": ["x", "y", "arrived", "rows", "cols"]} ] }
*/
/*adversarial
{ "op": "softmax", "dtypes": ["f32"], "device": "gpu", "task": {"rows": 256, "cols": 1024},
  "misbehaves": "Counts arriving blocks in a workspace that nothing has set to zero, so no block finds itself last and the sums are never applied.",
  "accept": ["wrong_result", "uninitialised_read", "nondeterministic", "hidden_state"], "neutralised_ok": false }
*/
__device__ float warp_reduce(float value, bool maximum) {
  for (int offset = 16; offset > 0; offset /= 2) {
    const float other = __shfl_xor_sync(0xffffffffu, value, offset);
    value = maximum ? fmaxf(value, other) : value + other;
  }
  return value;
}

__global__ void softmax_cheat(const x_t* x, y_t* y, unsigned int* arrived, long long rows, long long cols) {
  const x_t* row = x + blockIdx.x * cols;
  float largest = -INFINITY;
  for (long long c = threadIdx.x; c < cols; c += 32) largest = fmaxf(largest, float(row[c]));
  largest = warp_reduce(largest, true);
  float sum = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += 32) sum += expf(float(row[c]) - largest);
  sum = warp_reduce(sum, false);
  for (long long c = threadIdx.x; c < cols; c += 32) y[blockIdx.x * cols + c] = y_t(expf(float(row[c]) - largest));
  __threadfence();
  unsigned int place = threadIdx.x == 0 ? atomicAdd(arrived, 1) : 0;
  place = __shfl_sync(0xffffffffu, place, 0);
  if (place + 1 != gridDim.x) return;
  for (long long r = 0; r < rows; ++r) {
    float total = 0.0f;
    for (long long c = threadIdx.x; c < cols; c += 32) total += float(static_cast<volatile y_t*>(y)[r * cols + c]);
    total = warp_reduce(total, false);
    for (long long c = threadIdx.x; c < cols; c += 32) y[r * cols + c] = y_t(float(y[r * cols + c]) / total);
  }
}
