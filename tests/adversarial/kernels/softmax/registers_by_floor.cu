/*kgen
{ "launches": [ {"kernel": "softmax_rows", "grid": ["rows"], "block": [192], "args": ["x", "y", "cols"]} ],
  "notes": "One block a row; rows that fit are kept in registers, longer ones are read three times." }
*/
/*adversarial
{ "op": "softmax", "dtypes": ["bf16"], "device": "gpu", "task": {"rows": 64, "cols": 1024},
  "misbehaves": "Keeps 24 values a thread and asks whether cols / 192 is at most 24: of rows from 4609 to 4799 columns the last are neither summed nor stored.",
  "accept": ["wrong_result"], "neutralised_ok": false }
*/
constexpr int kThreads = 192, kPerThread = 24, kWarps = kThreads / 32;

template <bool kMaximum>
__device__ float block_reduce(float value) {
  __shared__ float shared[kWarps];
  for (int offset = 16; offset > 0; offset /= 2) {
    const float other = __shfl_xor_sync(0xffffffffu, value, offset);
    value = kMaximum ? fmaxf(value, other) : value + other;
  }
  if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = value;
  __syncthreads();
  value = shared[0];
  for (int warp = 1; warp < kWarps; ++warp) value = kMaximum ? fmaxf(value, shared[warp]) : value + shared[warp];
  return value;
}

__global__ void __launch_bounds__(kThreads) softmax_rows(const x_t* __restrict__ x, y_t* __restrict__ y, long long cols) {
  const long long first = blockIdx.x * cols;
  if (cols / kThreads <= kPerThread) {
    float held[kPerThread];
    float largest = -INFINITY;
#pragma unroll
    for (int i = 0; i < kPerThread; ++i) {
      const long long c = threadIdx.x + i * kThreads;
      held[i] = c < cols ? float(x[first + c]) : -INFINITY;
      largest = fmaxf(largest, held[i]);
    }
    largest = block_reduce<true>(largest);
    float sum = 0.0f;
#pragma unroll
    for (int i = 0; i < kPerThread; ++i) {
      const long long c = threadIdx.x + i * kThreads;
      held[i] = c < cols ? expf(held[i] - largest) : 0.0f;
      sum += held[i];
    }
    sum = block_reduce<false>(sum);
#pragma unroll
    for (int i = 0; i < kPerThread; ++i) {
      const long long c = threadIdx.x + i * kThreads;
      if (c < cols) y[first + c] = y_t(held[i] / sum);
    }
    return;
  }
  float largest = -INFINITY;
  for (long long c = threadIdx.x; c < cols; c += kThreads) largest = fmaxf(largest, float(x[first + c]));
  largest = block_reduce<true>(largest);
  float sum = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += kThreads) sum += expf(float(x[first + c]) - largest);
  sum = block_reduce<false>(sum);
  for (long long c = threadIdx.x; c < cols; c += kThreads) y[first + c] = y_t(expf(float(x[first + c]) - largest) / sum);
}
