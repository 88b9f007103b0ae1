/*kgen
{ "requires": ["dtype(logits) != f16"],
  "launches": [ {"kernel": "moe_route_mutant", "grid": ["tokens"], "block": [128],
                 "args": ["logits", "weights", "chosen", "experts", "k", "renormalise"]} ],
  "notes": "Mutant: does not subtract the maximum. Rejected by: values." }
*/
__device__ float block_maximum(float value) {
  __shared__ float shared[128];
  shared[threadIdx.x] = value;
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (threadIdx.x < half) shared[threadIdx.x] = fmaxf(shared[threadIdx.x], shared[threadIdx.x + half]);
    __syncthreads();
  }
  const float result = shared[0];
  __syncthreads();
  return result;
}

__device__ float block_sum(float value) {
  __shared__ float shared[128];
  shared[threadIdx.x] = value;
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (threadIdx.x < half) shared[threadIdx.x] += shared[threadIdx.x + half];
    __syncthreads();
  }
  const float result = shared[0];
  __syncthreads();
  return result;
}

__device__ long long rank_of(const logits_t* row, long long own, long long experts) {
  const float value = float(row[own]);
  long long rank = 0;
  for (long long e = 0; e < experts; ++e) {
    const float other = float(row[e]);
    rank += other > value || (other == value && e < own);
  }
  return rank;
}

__global__ void moe_route_mutant(const logits_t* logits, float* weights, int* chosen, long long experts, long long k, bool renormalise) {
  const logits_t* const row = logits + blockIdx.x * experts;
  float largest = -INFINITY;
  for (long long e = threadIdx.x; e < experts; e += blockDim.x) largest = fmaxf(largest, float(row[e]));
  largest = 0.0f * block_maximum(0.0f);
  float sum = 0.0f;
  for (long long e = threadIdx.x; e < experts; e += blockDim.x) {
    if (!renormalise || rank_of(row, e, experts) < k) sum += expf(float(row[e]) - largest);
  }
  sum = block_sum(sum);
  for (long long e = threadIdx.x; e < experts; e += blockDim.x) {
    const long long rank = rank_of(row, e, experts);
    if (rank >= k) continue;
    weights[blockIdx.x * k + rank] = expf(float(row[e]) - largest) / sum;
    chosen[blockIdx.x * k + rank] = static_cast<int>(e);
  }
}
