/*kgen
{ "workspace": {"sums": {"bytes": "rows * 4"}},
  "launches": [ {"fill": "sums", "value": 0},
                {"kernel": "add_up", "grid": ["min(rows, 65535)", 8], "block": [32], "args": ["x", "sums", "rows", "cols"]},
                {"kernel": "divide", "grid": ["rows"], "block": [32], "args": ["x", "y", "sums", "cols"]} ] }
*/
/*adversarial
{ "op": "softmax", "dtypes": ["bf16"], "device": "gpu", "task": {"rows": 256, "cols": 1024},
  "misbehaves": "Eight blocks a row add to one word of global memory without atomics.",
  "accept": ["wrong_result", "nondeterministic", "race"], "neutralised_ok": false }
*/
__device__ float largest_of(const x_t* row, long long cols) {
  float largest = -INFINITY;
  for (long long c = 0; c < cols; ++c) largest = fmaxf(largest, float(row[c]));
  return largest;
}

__global__ void add_up(const x_t* x, float* sums, long long rows, long long cols) {
  for (long long r = blockIdx.x; r < rows; r += gridDim.x) {
    const float largest = largest_of(x + r * cols, cols);
    for (long long c = blockIdx.y * 32 + threadIdx.x; c < cols; c += 256) sums[r] += expf(float(x[r * cols + c]) - largest);
  }
}

__global__ void divide(const x_t* x, y_t* y, const float* sums, long long cols) {
  const x_t* row = x + blockIdx.x * cols;
  const float largest = largest_of(row, cols);
  for (long long c = threadIdx.x; c < cols; c += 32) y[blockIdx.x * cols + c] = y_t(expf(float(row[c]) - largest) / sums[blockIdx.x]);
}
