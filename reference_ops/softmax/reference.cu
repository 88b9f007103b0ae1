/*kgen
{ "let": {"threads": "cols <= 64 ? 32 : cols <= 65536 ? 256 : 1024", "steps": "5 * cols / 256"},
  "launches": [ {"kernel": "softmax_reference", "grid": ["rows"], "block": ["threads"],
                 "args": ["x", "y", "y_scale", "cols"]} ],
  "notes": "Naive fp64 oracle: one block a row, four passes. y and y_scale are double here." }
*/
__device__ double block_reduce(double value, bool maximum) {
  __shared__ double shared[1024];
  shared[threadIdx.x] = value;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      const double other = shared[threadIdx.x + half];
      shared[threadIdx.x] = maximum ? fmax(shared[threadIdx.x], other) : shared[threadIdx.x] + other;
    }
    __syncthreads();
  }
  const double result = shared[0];
  __syncthreads();
  return result;
}

__device__ double block_sum(double value) { return block_reduce(value, false); }

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

__global__ void softmax_reference(const x_t* x, double* y, double* y_scale, long long cols) {
  const long long first = static_cast<long long>(blockIdx.x) * cols;
  double largest = -INFINITY;
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) {
    largest = fmax(largest, static_cast<double>(static_cast<float>(x[first + c])));
  }
  largest = block_reduce(largest, true);
  double sum = 0.0;
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) {
    y[first + c] = exp(static_cast<double>(static_cast<float>(x[first + c])) - largest);
    sum += y[first + c];
  }
  sum = block_sum(sum);
  const double alike = alike_growth(cols, sum, threadIdx.x, cols, blockDim.x, [&](long long c) { return y[first + c]; }) / 6.0;
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) {
    const double shifted = static_cast<double>(static_cast<float>(x[first + c])) - largest;
    const double value = y[first + c] / sum;
    y[first + c] = value;
    y_scale[first + c] = value * (1.0 + alike + (isfinite(shifted) ? fabs(shifted) : 0.0));
  }
}
