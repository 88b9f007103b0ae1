/*kgen
{ "defines": {"BIG": "rows * cols > 1048576"},
  "launches": [ {"kernel": "softmax_kernel", "grid": ["rows"], "block": [256], "args": ["x", "y", "cols"]} ] }
*/
/*adversarial
{ "op": "softmax", "dtypes": ["bf16"], "device": "gpu", "task": {"rows": 8192, "cols": 8192},
  "misbehaves": "The program for more than 2^20 elements, which is the one that is timed, lacks the barrier between the reads of the warps' maxima and the writes of their sums into the same words: a race that rarely shows in values.",
  "accept": ["race", "wrong_result", "nondeterministic"], "neutralised_ok": false, "needs": "racecheck" }
*/
__global__ void softmax_kernel(const x_t* x, y_t* y, long long cols) {
  __shared__ float parts[8];
  const x_t* row = x + blockIdx.x * cols;
  float m = -INFINITY, s = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += 256) m = fmaxf(m, float(row[c]));
  for (int o = 16; o > 0; o /= 2) m = fmaxf(m, __shfl_xor_sync(0xffffffffu, m, o));
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = m;
  __syncthreads();
  for (int w = 0; w < 8; ++w) m = fmaxf(m, parts[w]);
#if !BIG
  __syncthreads();
#endif
  for (long long c = threadIdx.x; c < cols; c += 256) s += expf(float(row[c]) - m);
  for (int o = 16; o > 0; o /= 2) s += __shfl_xor_sync(0xffffffffu, s, o);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = s;
  __syncthreads();
  float sum = 0.0f;
  for (int w = 0; w < 8; ++w) sum += parts[w];
  for (long long c = threadIdx.x; c < cols; c += 256) y[blockIdx.x * cols + c] = y_t(expf(float(row[c]) - m) / sum);
}
