/*kgen
{ "launches": [ {"kernel": "log_softmax_reference", "grid": ["rows"], "block": [256], "args": ["x", "y", "y_scale", "cols"]} ],
  "notes": "Naive fp64 oracle: one block a row. y and y_scale are double here." }
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

/// Roundings by which a sum of `count` terms errs beside its growth, for terms that round alike (docs/verification.md, "Sums of
/// equal terms"): what f32's spacing at the sum, 2^-1 of it and so on lose of them. All threads of the block call it, each with
/// the terms that it looks at.
template <class Term>
__device__ double alike_growth(long long count, double sum, long long begin, long long end, long long step, const Term& term) {
  if (!(sum > 0.0 && sum < INFINITY)) return 0.0;
  const double length = static_cast<double>(count), growth = count <= 1 ? 0.0 : fmin(length, 4.0 * sqrt(length));
  double spacing = __longlong_as_double(__double_as_longlong(sum) & 0x7ff0000000000000LL) * 0x1p-23, alike = 0.0;
  const double share = 131072.0 / length * (sum / (spacing * 0x1p23));  // no plain loop adds up more; times the significand
  for (double parts = 1.0;; parts *= 16.0, spacing /= 16.0) {
    const double inverse = 1.0 / spacing;
    double lost[4] = {};
    for (long long i = begin; i < end; i += step) {
      const double value = term(i);
      for (int k = 0; k < 4; ++k) lost[k] += value - spacing / (1 << k) * rint(value * inverse * (1 << k));
    }
    for (int k = 0; k < 4; ++k)
      alike = fmax(alike, fmin(fabs(block_sum(lost[k])) / (sum * 0x1p-24), length - growth) * fmin(1.0, share * parts * (1 << k)));
    if (length <= 131072.0 * parts) return alike;
  }
}

__global__ void log_softmax_reference(const x_t* x, double* y, double* y_scale, long long cols) {
  const long long first = blockIdx.x * cols;
  double largest = -INFINITY;
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) largest = fmax(largest, static_cast<double>(static_cast<float>(x[first + c])));
  largest = block_maximum(largest);
  double sum = 0.0, spread = 0.0;
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) {
    const double shifted = static_cast<double>(static_cast<float>(x[first + c])) - largest, weight = exp(shifted);
    y[first + c] = weight;
    sum += weight;
    if (weight > 0.0) spread += weight * fabs(shifted);
  }
  sum = block_sum(sum);
  spread = block_sum(spread);
  const double log_sum = log(sum), growth = cols <= 1 ? 0.0 : fmin(static_cast<double>(cols), 4.0 * sqrt(static_cast<double>(cols)));
  const double of_maximum = fmin(2.0 * fabs(largest), 0x1p24 * fabs(log_sum));
  const double of_sum = growth + alike_growth(cols, sum, threadIdx.x, cols, blockDim.x, [&](long long c) { return y[first + c]; }) + 6.0 + 3.0 * spread / sum + 3.0 * fabs(log_sum) + of_maximum;
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) {
    const double shifted = static_cast<double>(static_cast<float>(x[first + c])) - largest, value = shifted - log_sum;
    y[first + c] = value;
    y_scale[first + c] = of_sum + 2.0 * fabs(shifted) + fabs(value);
  }
}
