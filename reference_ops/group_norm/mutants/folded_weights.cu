/*kgen
{ "requires": ["dtype(x) != f16"],
  "launches": [ {"kernel": "group_norm_mutant", "grid": ["N * groups"], "block": [256],
                 "args": ["x", "w", "b", "y", "groups", "C / groups", "S", "eps"]} ],
  "notes": "Mutant: multiplies the weight by 1 / root first, which overflows: NaN where x is the mean. Rejected by: values." }
*/
__device__ float block_sum(float value) {
  __shared__ float shared[256];
  shared[threadIdx.x] = value;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) shared[threadIdx.x] += shared[threadIdx.x + half];
    __syncthreads();
  }
  const float result = shared[0];
  __syncthreads();
  return result;
}

__global__ void group_norm_mutant(const x_t* x, const w_t* w, const b_t* b, y_t* y, long long groups, long long channels, long long S, float eps) {
  const long long count = channels * S, first = blockIdx.x * count, first_channel = blockIdx.x % groups * channels;
  float sum = 0.0f;
  for (long long i = threadIdx.x; i < count; i += blockDim.x) sum += float(x[first + i]);
  const float mean = block_sum(sum) / count;
  float squares = 0.0f;
  for (long long i = threadIdx.x; i < count; i += blockDim.x) squares += (float(x[first + i]) - mean) * (float(x[first + i]) - mean);
  const float scale = rsqrtf(block_sum(squares) / count + eps);
  for (long long i = threadIdx.x; i < count; i += blockDim.x) {
    const long long c = first_channel + i / S;
    y[first + i] = y_t((float(x[first + i]) - mean) * (float(w[c]) * scale) + float(b[c]));
  }
}
