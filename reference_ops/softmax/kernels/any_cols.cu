/*kgen
{ "requires": ["cols <= 16777216"],
  "tunables": {"THREADS": [128, 256, 512]}, "defaults": {"THREADS": 256},
  "launches": [ {"kernel": "softmax_any", "grid": ["rows"], "block": ["THREADS"], "args": ["x", "y", "cols"]} ],
  "notes": "One block a row, any row length: maximum of the whole row first, then the sum, then the quotients." }
*/
template <bool kMaximum>
__device__ float block_reduce(float value) {
  __shared__ float shared[THREADS / 32];
  for (int offset = 16; offset > 0; offset /= 2) {
    const float other = __shfl_xor_sync(0xffffffffu, value, offset);
    value = kMaximum ? fmaxf(value, other) : value + other;
  }
  if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = value;
  __syncthreads();
  value = shared[0];
  for (int warp = 1; warp < THREADS / 32; ++warp) value = kMaximum ? fmaxf(value, shared[warp]) : value + shared[warp];
  return value;
}

__global__ void __launch_bounds__(THREADS) softmax_any(const x_t* x, y_t* y, long long cols) {
  const long long first = blockIdx.x * cols;
  float largest = -INFINITY;
  for (long long c = threadIdx.x; c < cols; c += THREADS) largest = fmaxf(largest, float(x[first + c]));
  largest = block_reduce<true>(largest);
  float sum = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += THREADS) sum += expf(float(x[first + c]) - largest);
  sum = block_reduce<false>(sum);
  for (long long c = threadIdx.x; c < cols; c += THREADS) {
    y[first + c] = y_t(expf(float(x[first + c]) - largest) / sum);
  }
}
