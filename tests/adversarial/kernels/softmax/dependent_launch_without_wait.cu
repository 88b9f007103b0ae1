/*kgen
{ "workspace": {"sums": {"bytes": "rows * 8"}},
  "launches": [ {"kernel": "add_up", "grid": ["rows"], "block": [32], "args": ["x", "sums", "cols"]},
                {"kernel": "divide", "grid": ["rows"], "block": [32], "args": ["x", "y", "sums", "cols"], "pdl": true} ] }
*/
/*adversarial
{ "op": "softmax", "dtypes": ["bf16"], "device": "gpu", "task": {"rows": 256, "cols": 1024},
  "misbehaves": "The second launch starts while the first runs (programmatic dependent launch) and never waits for its sums.",
  "accept": ["wrong_result", "nondeterministic", "race"], "neutralised_ok": false,
  "emulator": {"accept": ["not_emulated"]} }
*/
__device__ float warp_reduce(float value, bool maximum) {
  for (int offset = 16; offset > 0; offset /= 2) {
    const float other = __shfl_xor_sync(0xffffffffu, value, offset);
    value = maximum ? fmaxf(value, other) : value + other;
  }
  return value;
}

__global__ void add_up(const x_t* x, float* sums, long long cols) {
  asm volatile("griddepcontrol.launch_dependents;");
  __nanosleep(100000);
  const x_t* row = x + blockIdx.x * cols;
  float largest = -INFINITY;
  for (long long c = threadIdx.x; c < cols; c += 32) largest = fmaxf(largest, float(row[c]));
  largest = warp_reduce(largest, true);
  float sum = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += 32) sum += expf(float(row[c]) - largest);
  sum = warp_reduce(sum, false);
  if (threadIdx.x == 0) {
    sums[2 * blockIdx.x] = largest;
    sums[2 * blockIdx.x + 1] = sum;
  }
}

__global__ void divide(const x_t* x, y_t* y, const float* sums, long long cols) {
  const x_t* row = x + blockIdx.x * cols;
  const float largest = sums[2 * blockIdx.x], sum = sums[2 * blockIdx.x + 1];
  for (long long c = threadIdx.x; c < cols; c += 32) y[blockIdx.x * cols + c] = y_t(expf(float(row[c]) - largest) / sum);
}
