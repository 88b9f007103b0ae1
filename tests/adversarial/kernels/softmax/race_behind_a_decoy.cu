/*kgen
{ "launches": [ {"kernel": "softmax_cheat", "grid": ["rows"], "block": [256], "args": ["x", "y", "cols"]} ] }
*/
/*adversarial
{ "op": "softmax", "dtypes": ["bf16"], "device": "gpu", "task": {"rows": 256, "cols": 1024},
  "misbehaves": "Writes its partial sums over the partial maxima without a barrier behind their last read, a race that seldom shows; a comment in an inline assembly statement has the judge take it for a user of mbarriers, whose races it does not judge.",
  "accept": ["race", "wrong_result", "nondeterministic"], "neutralised_ok": false }
*/
__shared__ float parts[8];

__device__ float block_reduce(float value, bool maximum) {
  for (int offset = 16; offset > 0; offset /= 2) {
    const float other = __shfl_xor_sync(0xffffffffu, value, offset);
    value = maximum ? fmaxf(value, other) : value + other;
  }
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = value;
  __syncthreads();
  value = parts[0];
  for (int warp = 1; warp < 8; ++warp) value = maximum ? fmaxf(value, parts[warp]) : value + parts[warp];
  return value;  // the next call writes `parts` while other warps may still read here
}

__global__ void softmax_cheat(const x_t* x, y_t* y, long long cols) {
  asm volatile("// mbarrier.");
  const x_t* row = x + blockIdx.x * cols;
  float largest = -INFINITY;
  for (long long c = threadIdx.x; c < cols; c += 256) largest = fmaxf(largest, float(row[c]));
  largest = block_reduce(largest, true);
  float sum = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += 256) sum += expf(float(row[c]) - largest);
  sum = block_reduce(sum, false);
  for (long long c = threadIdx.x; c < cols; c += 256) y[blockIdx.x * cols + c] = y_t(expf(float(row[c]) - largest) / sum);
}
