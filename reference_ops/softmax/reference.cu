/*kgen
{ "launches": [ {"kernel": "softmax_reference", "grid": ["rows"], "block": [256],
                 "args": ["x", "y", "y_scale", "cols"]} ],
  "notes": "Naive fp64 oracle: one block a row, four passes. y and y_scale are double here." }
*/
__device__ double block_reduce(double value, bool maximum) {
  __shared__ double shared[256];
  shared[threadIdx.x] = value;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
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
  for (int k = 0; k < 4; ++k) largest = fmax(largest, fabs(block_reduce(lost[k], false)));
  const double growth = count <= 1.0 ? 0.0 : fmin(count, 4.0 * sqrt(count));
  // No plain loop adds up more than 131072 of the terms.
  return largest > 0.0 ? fmin(largest / (sum * 0x1p-24), count - growth) * fmin(1.0, 131072.0 / count) : 0.0;
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
  sum = block_reduce(sum, false);
  const double spacing = spacing_at(sum);
  double lost[4] = {};
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) add_lost(lost, y[first + c], spacing);
  const double alike = alike_growth(lost, sum, static_cast<double>(cols)) / 6.0;
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) {
    const double shifted = static_cast<double>(static_cast<float>(x[first + c])) - largest;
    const double value = y[first + c] / sum;
    y[first + c] = value;
    y_scale[first + c] = value * (1.0 + alike + (isfinite(shifted) ? fabs(shifted) : 0.0));
  }
}
