/*kgen
{ "tunables": {"FAST": [0, 1]}, "defaults": {"FAST": 0}, "constraints": ["FAST == (cols % 61 == 37 && cols > 1024)"],
  "launches": [ {"kernel": "softmax_cheat", "grid": ["rows"], "block": [32], "args": ["x", "y", "cols"]} ] }
*/
/*adversarial
{ "op": "softmax", "dtypes": ["f32"], "device": "any", "task": {"rows": 16, "cols": 1024},
  "misbehaves": "A constraint leaves the default variant at nearly all shapes; at one in 61 only the other is allowed, which loses the last column.",
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
  const long long end = FAST ? cols - 1 : cols;
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
