/*kgen
{ "launches": [ {"kernel": "l2_norm_reference", "grid": ["rows"], "block": [256], "args": ["x", "y", "y_scale", "cols", "eps"]} ],
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

__global__ void l2_norm_reference(const x_t* x, double* y, double* y_scale, long long cols, double eps) {
  const long long first = blockIdx.x * cols;
  double sum = 0.0;
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) sum += static_cast<double>(static_cast<float>(x[first + c])) * static_cast<double>(static_cast<float>(x[first + c]));
  sum = block_sum(sum);
  const double norm = fmax(sqrt(sum), eps);
  const double alike = alike_growth(cols, sum, threadIdx.x, cols, blockDim.x, [&](long long c) {
    const double value = static_cast<float>(x[first + c]);
    return value * value;
  }) / 12.0;
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) {
    y[first + c] = static_cast<double>(static_cast<float>(x[first + c])) / norm;
    y_scale[first + c] = fabs(y[first + c]) * (1.0 + alike);
  }
}
