/*kgen
{ "launches": [ {"kernel": "softmax_cheat", "grid": ["rows"], "block": [32], "args": ["x", "y", "cols"]} ] }
*/
/*adversarial
{ "op": "softmax", "dtypes": ["bf16"], "device": "any", "task": {"rows": 256, "cols": 1024},
  "misbehaves": "Has thousands of errors, to flood the log and the next prompt.",
  "accept": ["compile_error"], "neutralised_ok": false }
*/
#define E(x) undeclared_##x + undeclared_b_##x;
#define E10(x) E(x##0) E(x##1) E(x##2) E(x##3) E(x##4) E(x##5) E(x##6) E(x##7) E(x##8) E(x##9)
#define E100(x) E10(x##0) E10(x##1) E10(x##2) E10(x##3) E10(x##4) E10(x##5) E10(x##6) E10(x##7) E10(x##8) E10(x##9)
__device__ void errors() {
  E100(1) E100(2) E100(3) E100(4) E100(5) E100(6) E100(7) E100(8) E100(9)
}

__device__ float warp_reduce(float value, bool maximum) {
  for (int offset = 16; offset > 0; offset /= 2) {
    const float other = __shfl_xor_sync(0xffffffffu, value, offset);
    value = maximum ? fmaxf(value, other) : value + other;
  }
  return value;
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
