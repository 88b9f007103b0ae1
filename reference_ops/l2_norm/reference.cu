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

__global__ void l2_norm_reference(const x_t* x, double* y, double* y_scale, long long cols, double eps) {
  const long long first = blockIdx.x * cols;
  double sum = 0.0;
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) sum += static_cast<double>(static_cast<float>(x[first + c])) * static_cast<double>(static_cast<float>(x[first + c]));
  sum = block_sum(sum);
  const double norm = fmax(sqrt(sum), eps), spacing = spacing_at(sum);
  double lost[4] = {};
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) {
    const double value = static_cast<float>(x[first + c]);
    add_lost(lost, value * value, spacing);
  }
  const double alike = alike_growth(lost, sum, static_cast<double>(cols)) / 12.0;
  for (long long c = threadIdx.x; c < cols; c += blockDim.x) {
    y[first + c] = static_cast<double>(static_cast<float>(x[first + c])) / norm;
    y_scale[first + c] = fabs(y[first + c]) * (1.0 + alike);
  }
}
