/*kgen
{ "workspace": {"sums": {"bytes": "rows * 4"}},
  "launches": [ {"fill": "sums", "value": "0"},
                {"kernel": "add_up", "grid": ["rows", 16], "block": [64], "args": ["x", "sums", "cols"]},
                {"kernel": "divide", "grid": ["rows"], "block": [32], "args": ["x", "y", "sums", "cols"]} ] }
*/
/*adversarial
{ "op": "softmax", "dtypes": ["f32"], "device": "gpu", "task": {"rows": 256, "cols": 1024},
  "misbehaves": "Sixteen blocks a row add to its sum with float atomics: the order, and with it the last bits, change from launch to launch.",
  "accept": ["nondeterministic", "wrong_result"], "neutralised_ok": false }
*/
__device__ float warp_reduce(float value, bool maximum) {
  for (int offset = 16; offset > 0; offset /= 2) {
    const float other = __shfl_xor_sync(0xffffffffu, value, offset);
    value = maximum ? fmaxf(value, other) : value + other;
  }
  return value;
}

__device__ float row_maximum(const x_t* row, long long cols) {
  float largest = -INFINITY;
  for (long long c = threadIdx.x % 32; c < cols; c += 32) largest = fmaxf(largest, float(row[c]));
  return warp_reduce(largest, true);
}

__global__ void add_up(const x_t* x, float* sums, long long cols) {
  const x_t* row = x + blockIdx.x * cols;
  const float largest = row_maximum(row, cols);
  for (long long c = blockIdx.y * 64 + threadIdx.x; c < cols; c += 1024) atomicAdd(sums + blockIdx.x, expf(float(row[c]) - largest));
}

__global__ void divide(const x_t* x, y_t* y, const float* sums, long long cols) {
  const x_t* row = x + blockIdx.x * cols;
  const float largest = row_maximum(row, cols), sum = sums[blockIdx.x];
  for (long long c = threadIdx.x; c < cols; c += 32) y[blockIdx.x * cols + c] = y_t(expf(float(row[c]) - largest) / sum);
}
