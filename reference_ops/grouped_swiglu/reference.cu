/*kgen
{ "let": {"steps": "4 * K"},
  "defines": {"CUTS_OFF": "dtype(x) != f32"},
  "launches": [ {"kernel": "grouped_swiglu_reference", "grid": ["ceil_div(rows * N, 256)"], "block": [256],
                 "args": ["x", "gate", "up", "ends", "y", "y_scale", "rows * N", "groups", "N", "K"]} ],
  "notes": "Naive fp64 oracle: one thread an element. y and y_scale, its error in roundings of f32, are double here." }
*/
/// The group of a row: the first that ends behind it. The last ends behind all.
__device__ int group_of(const int* ends, int groups, long long row) {
  int low = 0, high = groups - 1;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (ends[middle] > row) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

__device__ double growth(double length) { return length <= 1.0 ? 0.0 : fmin(length, 4.0 * sqrt(length)); }

/// A product, and its error in roundings of f32 (docs/verification.md, "Products with an epilogue").
__device__ void multiply(const x_t* x, const x_t* w, long long K, double& value, double& error) {
  double sum = 0.0, magnitude = 0.0;
  for (long long k = 0; k < K; ++k) {
    const double product = static_cast<double>(static_cast<float>(x[k])) * static_cast<double>(static_cast<float>(w[k]));
    sum += product;
    magnitude += fabs(product);
  }
  const double count = static_cast<double>(K);
  value = sum;
  error = (growth(count) + 1.0) * magnitude + (CUTS_OFF ? ceil(count / 8.0) * fabs(sum) : 0.0);
}

__global__ void grouped_swiglu_reference(const x_t* x, const gate_t* gate, const up_t* up, const int* ends, double* y, double* y_scale,
                                         long long count, int groups, long long N, long long K) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= count) return;
  const long long row = i / N;
  const long long group = group_of(ends, groups, row);
  const long long at = (group * N + i % N) * K;
  double g, g_error, u, u_error;
  multiply(x + row * K, gate + at, K, g, g_error);
  multiply(x + row * K, up + at, K, u, u_error);
  const double share = 1.0 / (1.0 + exp(-g)), silu = g * share, slope = fabs(share * (1.0 + g * (1.0 - share)));
  const double silu_error = (slope + 0.25 * g_error * 0x1p-24) * g_error;
  y[i] = silu * u;
  y_scale[i] = silu_error * (fabs(u) + u_error * 0x1p-24) + fabs(silu) * u_error + 10.0 * fabs(silu * u) * (1.0 + fabs(g));
}
