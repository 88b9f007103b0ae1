/*kgen
{ "tunables": {"THREADS": [64, 128, 256]},
  "defaults": {"THREADS": 128},
  "launches": [ {"kernel": "group_norm", "grid": ["N * groups"], "block": ["THREADS"], "args": ["x", "w", "b", "y", "groups", "C / groups", "S", "eps"]} ],
  "notes": "Mutant: gives the bias for groups of one element, which loses NaN. Rejected by: values." }
*/
__device__ float block_sum(float value) {
  __shared__ float shared[THREADS / 32];
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
  __syncthreads();
  if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = value;
  __syncthreads();
  value = shared[0];
#pragma unroll
  for (int warp = 1; warp < THREADS / 32; ++warp) value += shared[warp];
  return value;
}

__global__ void __launch_bounds__(THREADS) group_norm(const x_t* __restrict__ x, const w_t* __restrict__ w, const b_t* __restrict__ b,
                                                      y_t* __restrict__ y, int groups, int channels, long long S, float eps) {
  const long long count = channels * S, first = blockIdx.x * count;
  const int first_channel = blockIdx.x % groups * channels;
  if (count == 1) {  // the mean is the element itself: nothing but the bias is left
    if (threadIdx.x == 0) y[first] = y_t(float(b[first_channel]));
    return;
  }
  float sum = 0.0f, squares = 0.0f;
  for (long long i = threadIdx.x; i < count; i += THREADS) sum += float(x[first + i]);
  const float mean = block_sum(sum) / count;
  for (long long i = threadIdx.x; i < count; i += THREADS) {
    const float deviation = float(x[first + i]) - mean;
    squares = fmaf(deviation, deviation, squares);
  }
  const float factor = rsqrtf(block_sum(squares) / count + eps);
  for (int c = 0; c < channels; ++c) {
    const float weight = float(w[first_channel + c]), bias = float(b[first_channel + c]);
    for (long long s = threadIdx.x; s < S; s += THREADS) {
      const long long i = first + c * S + s;
      y[i] = y_t(fmaf((float(x[i]) - mean) * factor, weight, bias));
    }
  }
}
