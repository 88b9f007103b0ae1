/*kgen
{ "launches": [ {"kernel": "softmax_cheat", "grid": ["rows"], "block": [256], "args": ["x", "y", "cols"]} ] }
*/
/*adversarial
{ "op": "softmax", "dtypes": ["bf16"], "device": "gpu", "task": {"rows": 256, "cols": 1024},
  "misbehaves": "All threads of a block add to one word of shared memory without atomics.",
  "accept": ["race", "wrong_result", "nondeterministic"], "neutralised_ok": false }
*/
__global__ void softmax_cheat(const x_t* x, y_t* y, long long cols) {
  __shared__ float total;
  __shared__ float largest;
  const x_t* row = x + blockIdx.x * cols;
  if (threadIdx.x == 0) {
    largest = -INFINITY;
    for (long long c = 0; c < cols; ++c) largest = fmaxf(largest, float(row[c]));
  }
  __syncthreads();
  float mine = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += 256) mine += expf(float(row[c]) - largest);
  if (threadIdx.x == 0) total = 0.0f;
  __syncthreads();
  total += mine;
  __syncthreads();
  const float sum = total;
  for (long long c = threadIdx.x; c < cols; c += 256) y[blockIdx.x * cols + c] = y_t(expf(float(row[c]) - largest) / sum);
}
