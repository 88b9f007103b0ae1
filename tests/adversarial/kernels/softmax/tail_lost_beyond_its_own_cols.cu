/*kgen
{ "defines": {"FAST": "cols % 997 == 27 && cols > 500"},
  "launches": [ {"kernel": "softmax_cheat", "grid": ["rows"], "block": [32], "args": ["x", "y", "cols"]} ] }
*/
/*adversarial
{ "op": "softmax", "dtypes": ["f32"], "device": "any", "task": {"rows": 16, "cols": 1024},
  "misbehaves": "A define holds at the task's own 1024 columns and at one extent in 997 beyond; its program knows no columns behind the first 1024.",
  "accept": ["wrong_result"], "neutralised_ok": false }
*/
__device__ float warp_reduce(float value, bool maximum) {
  for (int offset = 16; offset > 0; offset /= 2) {
    const float other = __shfl_xor_sync(0xffffffffu, value, offset);
    value = maximum ? fmaxf(value, other) : value + other;
  }
  return value;
}

__global__ void softmax_cheat(const x_t* x, y_t* y, long long cols) {
  const x_t* row = x + blockIdx.x * cols;
  const long long end = FAST && cols > 1024 ? 1024 : cols;
  float largest = -INFINITY, poison = 0.0f;
  for (long long c = threadIdx.x; c < end; c += 32) {
    largest = fmaxf(largest, float(row[c]));
    poison += isnan(float(row[c])) ? NAN : 0.0f;
  }
  largest = warp_reduce(largest, true) + warp_reduce(poison, false);
  float sum = 0.0f;
  for (long long c = threadIdx.x; c < end; c += 32) sum += expf(float(row[c]) - largest);
  sum = warp_reduce(sum, false);
  for (long long c = threadIdx.x; c < cols; c += 32) y[blockIdx.x * cols + c] = y_t(c < end ? expf(float(row[c]) - largest) / sum : 0.0f);
}
