/*kgen
{ "launches": [ {"kernel": "mean_variance_reference", "grid": ["rows"], "block": [256], "args": ["x", "mean", "variance", "mean_scale", "variance_scale", "cols"]} ],
  "notes": "Naive fp64 oracle: one block a row. Outputs are double here." }
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

__global__ void mean_variance_reference(const x_t* x, double* mean, double* variance, double* mean_scale, double* variance_scale,
                                        long long cols) {
  const long long first = blockIdx.x * cols;
  const double count = static_cast<double>(cols);
  double sum = 0.0, magnitude = 0.0, squares = 0.0, deviations = 0.0;
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) {
    const double value = static_cast<float>(x[first + c]);
    sum += value;
    magnitude += fabs(value);
    squares += value * value;
  }
  const double m = block_sum(sum) / count;
  magnitude = block_sum(magnitude) / count;
  squares = block_sum(squares) / count;
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) {
    const double value = static_cast<float>(x[first + c]);
    deviations += (value - m) * (value - m);
  }
  deviations = block_sum(deviations);
  const double spacing = spacing_at(deviations);
  double lost[4] = {};
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) {
    const double value = static_cast<float>(x[first + c]);
    add_lost(lost, (value - m) * (value - m), spacing);
  }
  const double v = deviations / count, alike = alike_growth(lost, deviations, count);
  if (threadIdx.x != 0) return;
  mean[blockIdx.x] = m;
  variance[blockIdx.x] = v;
  mean_scale[blockIdx.x] = magnitude;
  const double growth = cols <= 1 ? 0.0 : fmin(count, 4.0 * sqrt(count)), mean_error = (growth + 2.0) * magnitude;
  variance_scale[blockIdx.x] = sqrt(v * squares) + (alike * v + 0x1p-24 * mean_error * mean_error) / (growth + 6.0);
}
