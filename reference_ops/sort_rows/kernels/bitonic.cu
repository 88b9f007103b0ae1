/*kgen
{ "launches": [ {"kernel": "sort_rows", "grid": ["rows"], "block": [128], "args": ["x", "y", "cols"]} ],
  "notes": "One block a row: bitonic in shared memory, filled up with +Inf." }
*/
__global__ void __launch_bounds__(128) sort_rows(const x_t* __restrict__ x, y_t* __restrict__ y, int cols) {
  __shared__ float values[4096];
  int size = 1;
  while (size < cols) size *= 2;
  for (int c = threadIdx.x; c < size; c += 128) values[c] = c < cols ? float(x[blockIdx.x * static_cast<long long>(cols) + c]) : INFINITY;
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
