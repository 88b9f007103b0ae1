/*kgen
{ "launches": [ {"kernel": "kl_div_reference", "grid": ["rows"], "block": [256], "args": ["q", "p", "loss", "loss_scale", "cols"]} ],
  "notes": "Naive fp64 oracle: one block a row. loss and loss_scale are double here." }
*/
__device__ double block_sum(double value) {
  __shared__ double shared[256];
  shared[threadIdx.x] = value;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) shared[threadIdx.x] += shared[threadIdx.x + half];
    __syncthreads();
  }
  const double result = shared[0];
  __syncthreads();
  return result;
}

__global__ void kl_div_reference(const q_t* q, const p_t* p, double* loss, double* loss_scale, long long cols) {
  const long long first = blockIdx.x * cols;
  double sum = 0.0, magnitude = 0.0;
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) {
    const double weight = static_cast<float>(p[first + c]), other = static_cast<float>(q[first + c]);
    if (!(weight > 0.0)) continue;
    const double log_weight = log(weight);
    sum += weight * (log_weight - other);
    magnitude += weight * (fabs(log_weight) + fabs(other));
  }
  sum = block_sum(sum);
  magnitude = block_sum(magnitude);
  if (threadIdx.x == 0) loss[blockIdx.x] = sum, loss_scale[blockIdx.x] = magnitude;
}
