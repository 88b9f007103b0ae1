/*kgen
{ "requires": ["dtype(x) == f32", "cols <= 4096"],
  "launches": [ {"kernel": "sort_rows_mutant", "grid": ["rows"], "block": [128], "args": ["x", "y", "cols"]} ],
  "notes": "Mutant: fills rows up with the largest finite float, which cuts an infinity off. Rejected by: values." }
*/
__global__ void __launch_bounds__(128) sort_rows_mutant(const x_t* __restrict__ x, y_t* __restrict__ y, int cols) {
  __shared__ float values[4096];
  int size = 1;
  while (size < cols) size *= 2;
  const float fill = 3.402823466e38f;
  for (int c = threadIdx.x; c < size; c += 128) values[c] = c < cols ? float(x[blockIdx.x * static_cast<long long>(cols) + c]) : fill;
  __syncthreads();
  for (int run = 2; run <= size; run *= 2) {
    for (int distance = run / 2; distance > 0; distance /= 2) {
      for (int i = threadIdx.x; i < size / 2; i += 128) {
        const int low = i / distance * 2 * distance + i % distance, high = low + distance;
        const float a = values[low], b = values[high];
        const bool ascending = (low & run) == 0;
        if ((a > b) == ascending) values[low] = b, values[high] = a;
      }
      __syncthreads();
    }
  }
  for (int c = threadIdx.x; c < cols; c += 128) y[blockIdx.x * static_cast<long long>(cols) + c] = y_t(values[c]);
}
