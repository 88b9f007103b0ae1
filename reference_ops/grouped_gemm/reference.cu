/*kgen
{ "let": {"steps": "2 * K"},
  "launches": [ {"kernel": "grouped_gemm_reference", "grid": ["ceil_div(rows * N, 256)"], "block": [256],
                 "args": ["x", "w", "ends", "y", "y_scale", "rows * N", "groups", "N", "K"]} ],
  "notes": "Naive fp64 oracle: one thread an element. y and y_scale (|x||w|) are double here." }
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

__global__ void grouped_gemm_reference(const x_t* x, const w_t* w, const int* ends, double* y, double* y_scale, long long count, int groups, long long N, long long K) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= count) return;
  const long long row = i / N;
  const long long group = group_of(ends, groups, row);
  const x_t* const left = x + row * K;
  const w_t* const right = w + (group * N + i % N) * K;
  double sum = 0.0, magnitude = 0.0;
  for (long long k = 0; k < K; ++k) {
    const double product = static_cast<double>(static_cast<float>(left[k])) * static_cast<double>(static_cast<float>(right[k]));
    sum += product;
    magnitude += fabs(product);
  }
  y[i] = sum;
  y_scale[i] = magnitude;
}
