/*kgen
{ "launches": [ {"kernel": "layer_norm_reference", "grid": ["rows"], "block": [256], "args": ["x", "w", "b", "y", "y_scale", "cols", "eps"]} ],
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

/// Roundings by which a sum of `count` terms errs beside its growth, for terms that round alike (docs/verification.md, "Sums of
/// equal terms"): what f32's spacing at the sum, 2^-1 of it and so on lose of them. All threads of the block call it.
template <class Term>
__device__ double alike_growth(long long count, double sum, const Term& term) {
  if (!(sum > 0.0 && sum < INFINITY)) return 0.0;
  const double length = static_cast<double>(count), growth = count <= 1 ? 0.0 : fmin(length, 4.0 * sqrt(length));
  double spacing = __longlong_as_double(__double_as_longlong(sum) & 0x7ff0000000000000LL) * 0x1p-23, alike = 0.0;
  const double share = 131072.0 / length * (sum / (spacing * 0x1p23));  // no plain loop adds up more; times the significand
  for (double parts = 1.0;; parts *= 16.0, spacing /= 16.0) {
    const double inverse = 1.0 / spacing;
    double lost[4] = {};
    for (long long i = threadIdx.x; i < count; i += blockDim.x) {
      const double value = term(i);
      for (int k = 0; k < 4; ++k) lost[k] += value - spacing / (1 << k) * rint(value * inverse * (1 << k));
    }
    for (int k = 0; k < 4; ++k)
      alike = fmax(alike, fmin(fabs(block_sum(lost[k])) / (sum * 0x1p-24), length - growth) * fmin(1.0, share * parts * (1 << k)));
    if (length <= 131072.0 * parts) return alike;
  }
}

__global__ void layer_norm_reference(const x_t* x, const w_t* w, const b_t* b, double* y, double* y_scale, long long cols, double eps) {
  const long long first = blockIdx.x * cols;
  const double count = static_cast<double>(cols), growth = cols <= 1 ? 0.0 : fmin(count, 4.0 * sqrt(count));
  double sum = 0.0, magnitude = 0.0, squares = 0.0, deviations = 0.0;
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) {
    const double value = static_cast<float>(x[first + c]);
    sum += value;
    magnitude += fabs(value);
    squares += value * value;
  }
  const double mean = block_sum(sum) / count;
  const double mean_error = (growth + 2.0) * block_sum(magnitude) / count;
  squares = block_sum(squares) / count;
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) {
    const double value = static_cast<float>(x[first + c]);
    deviations += (value - mean) * (value - mean);
  }
  deviations = block_sum(deviations);
  const double alike = alike_growth(cols, deviations, [&](long long c) {
    const double value = static_cast<float>(x[first + c]);
    return (value - mean) * (value - mean);
  });
  const double variance = deviations / count, factor = 1.0 / sqrt(variance + eps);
  const double condition = variance > 0.0 ? sqrt(squares / variance) : 0.0;
  const double variance_error = ((growth + 6.0) * condition + alike) * variance / (variance + eps);
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) {
    const double value = static_cast<float>(x[first + c]), weight = static_cast<float>(w[c]), bias = static_cast<float>(b[c]);
    const double normed = (value - mean) * factor, result = normed * weight + bias;
    y[first + c] = result;
    y_scale[first + c] = fabs(weight) * (factor * (mean_error + 2.0 * fabs(value) + 2.0 * fabs(mean)) +
                                         fabs(normed) * (8.0 + 0.5 * variance_error)) +
                         fabs(bias) + fabs(result);
  }
}
