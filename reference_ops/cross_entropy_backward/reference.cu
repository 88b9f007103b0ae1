/*kgen
{ "launches": [ {"kernel": "cross_entropy_backward_reference", "grid": ["rows"], "block": [256],
                 "args": ["x", "target", "g", "dx", "dx_scale", "cols"]} ],
  "notes": "Naive fp64 oracle: one block a row. dx and dx_scale are double here." }
*/
__device__ double block_maximum(double value) {
  __shared__ double shared[256];
  shared[threadIdx.x] = value;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) shared[threadIdx.x] = fmax(shared[threadIdx.x], shared[threadIdx.x + half]);
    __syncthreads();
  }
  const double result = shared[0];
  __syncthreads();
  return result;
}

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

/// f32's spacing at a sum; 0 where there is none.
__device__ double spacing_at(double sum) {
  if (!(sum > 0.0 && sum < INFINITY)) return 0.0;
  return __longlong_as_double(__double_as_longlong(sum) & 0x7ff0000000000000LL) * 0x1p-23;
}

/// Adds what that spacing, and each of three below it, loses of a term.
__device__ void add_lost(double (&lost)[4], double term, double spacing) {
  if (spacing == 0.0) return;
  const double inverse = 1.0 / spacing;
  for (int k = 0; k < 4; ++k) lost[k] += term - spacing / (1 << k) * rint(term * inverse * (1 << k));
}

/// Roundings by which a sum errs beside its growth, for terms that round alike (docs/verification.md, "Sums of equal terms").
__device__ double alike_growth(const double (&lost)[4], double sum, double count) {
  double largest = 0.0;
  for (int k = 0; k < 4; ++k) largest = fmax(largest, fabs(block_sum(lost[k])));
  const double growth = count <= 1.0 ? 0.0 : fmin(count, 4.0 * sqrt(count));
  // No plain loop adds up more than 131072 of the terms.
  return largest > 0.0 ? fmin(largest / (sum * 0x1p-24), count - growth) * fmin(1.0, 131072.0 / count) : 0.0;
}

__global__ void cross_entropy_backward_reference(const x_t* x, const int* target, const float* g, double* dx, double* dx_scale, long long cols) {
  const long long first = blockIdx.x * cols;
  double largest = -INFINITY;
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) largest = fmax(largest, static_cast<double>(static_cast<float>(x[first + c])));
  largest = block_maximum(largest);
  double sum = 0.0, spread = 0.0;
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) {
    const double shifted = static_cast<double>(static_cast<float>(x[first + c])) - largest, weight = exp(shifted);
    dx[first + c] = weight;
    sum += weight;
    if (weight > 0.0) spread += weight * fabs(shifted);
  }
  sum = block_sum(sum);
  spread = block_sum(spread);
  const double growth = cols <= 1 ? 0.0 : fmin(static_cast<double>(cols), 4.0 * sqrt(static_cast<double>(cols)));
  const double spacing = spacing_at(sum);
  double lost[4] = {};
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) add_lost(lost, dx[first + c], spacing);
  const double log_sum = fabs(log(sum)), gradient = g[blockIdx.x];
  const double of_maximum = 0x1p24 * expm1(fmin(0x1p-23 * fabs(largest), log_sum));
  const double of_sum = growth + alike_growth(lost, sum, static_cast<double>(cols)) + 10.0 + 3.0 * spread / sum + 6.0 * log_sum + of_maximum;
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) {
    const double shifted = static_cast<double>(static_cast<float>(x[first + c])) - largest, p = dx[first + c] / sum;
    const double difference = p - (c == target[blockIdx.x] ? 1.0 : 0.0);
    dx[first + c] = gradient * difference;
    dx_scale[first + c] = fabs(gradient) * ((p > 0.0 ? p * (of_sum + 3.0 * fabs(shifted)) : p) + 2.0 * fabs(difference));
  }
}
