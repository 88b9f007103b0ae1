/*kgen
{ "requires": ["cols <= 8388608"],
  "tunables": {"THREADS": [64, 128, 256]}, "defaults": {"THREADS": 128},
  "launches": [ {"kernel": "cross_entropy_backward", "grid": ["rows"], "block": ["THREADS"], "args": ["x", "target", "g", "dx", "cols"]} ],
  "notes": "One block a row; p by exp of the logarithm, as a forward pass that kept log softmax has it." }
*/
template <bool kMaximum>
__device__ float block_reduce(float value) {
  __shared__ float shared[THREADS / 32];
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) {
    const float other = __shfl_xor_sync(0xffffffffu, value, offset);
    value = kMaximum ? fmaxf(value, other) : value + other;
  }
  if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = value;
  __syncthreads();
  value = shared[0];
#pragma unroll
  for (int warp = 1; warp < THREADS / 32; ++warp) value = kMaximum ? fmaxf(value, shared[warp]) : value + shared[warp];
  return value;
}

__global__ void __launch_bounds__(THREADS) cross_entropy_backward(const x_t* __restrict__ x, const int* __restrict__ target,
                                                                  const float* __restrict__ g, dx_t* __restrict__ dx, long long cols) {
  const long long first = blockIdx.x * cols;
  float largest = -INFINITY, sum = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += THREADS) largest = fmaxf(largest, float(x[first + c]));
  largest = block_reduce<true>(largest);
  for (long long c = threadIdx.x; c < cols; c += THREADS) sum += expf(float(x[first + c]) - largest);
  const float log_sum = logf(block_reduce<false>(sum));
  const float gradient = g[blockIdx.x];
  const int chosen = target[blockIdx.x];
  for (long long c = threadIdx.x; c < cols; c += THREADS) {
    const float p = expf(float(x[first + c]) - largest - log_sum);
    dx[first + c] = dx_t(c == chosen ? gradient * (p - 1.0f) : gradient * p);
  }
}
