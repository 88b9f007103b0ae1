/*kgen
{ "launches": [ {"kernel": "gemv_int4_reference", "grid": ["M"], "block": [256], "args": ["q", "s", "x", "y", "y_scale", "K", "group"]} ],
  "notes": "Naive fp64 oracle: one block a row. y and y_scale are double here." }
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

__global__ void gemv_int4_reference(const unsigned int* q, const s_t* s, const x_t* x, double* y, double* y_scale, long long K, long long group) {
  const long long first = blockIdx.x * K;
  double sum = 0.0, magnitude = 0.0, weights = 0.0;
  for (long long k = threadIdx.x; k < K; k += blockDim.x) {
    const double value = q[(first + k) / 8] >> (4 * (k % 8)) & 15u;
    const double factor = static_cast<double>(static_cast<float>(s[(first + k) / group])) * static_cast<double>(static_cast<float>(x[k]));
    sum += (value - 8.0) * factor;
    magnitude += fabs((value - 8.0) * factor);
    weights += (value + 8.0) * fabs(factor);
  }
  sum = block_sum(sum);
  magnitude = block_sum(magnitude);
  weights = block_sum(weights);
  const double length = static_cast<double>(K), growth = fmin(length, 4.0 * sqrt(length));
  if (threadIdx.x == 0) y[blockIdx.x] = sum, y_scale[blockIdx.x] = growth * magnitude + 4.0 * weights;
}
