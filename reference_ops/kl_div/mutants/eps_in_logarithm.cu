/*kgen
{ "requires": ["dtype(p) != f16"],
  "launches": [ {"kernel": "kl_div_mutant", "grid": ["rows"], "block": [256], "args": ["q", "p", "loss", "cols"]} ],
  "notes": "Mutant: adds 1e-10 under the logarithm. Rejected by: values." }
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

__global__ void kl_div_mutant(const q_t* q, const p_t* p, float* loss, long long cols) {
  const long long first = blockIdx.x * cols;
  float sum = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) {
    const float weight = float(p[first + c]);
    if (weight > 0.0f) sum += weight * (logf(weight + 1e-10f) - float(q[first + c]));
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0) loss[blockIdx.x] = sum;
}
