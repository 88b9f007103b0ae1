/*kgen
{ "launches": [ {"kernel": "merge_sort_row", "grid": ["rows"], "block": [256], "args": ["x", "y", "cols"]} ],
  "notes": "Bottom-up merge sort in shared memory: each element finds its place by a binary search in the neighbouring run; two buffers." }
*/
__global__ void __launch_bounds__(256)
    merge_sort_row(const x_t* __restrict__ x, y_t* __restrict__ y, int cols) {
  __shared__ float buf[2][4096];
  const int64_t base = (int64_t)blockIdx.x * cols;
  for (int i = threadIdx.x; i < cols; i += 256) buf[0][i] = float(x[base + i]);
  __syncthreads();
  int cur = 0;
  for (int run = 1; run < cols; run <<= 1) {
    for (int i = threadIdx.x; i < cols; i += 256) {
      const float v = buf[cur][i];
      const int pair = i / (2 * run) * (2 * run);
      const bool left = i - pair < run;
      const int lo0 = left ? min(pair + run, cols) : pair,
                hi0 = left ? min(pair + 2 * run, cols) : pair + run;
      int lo = lo0, hi = hi0;
      while (lo < hi) {
        const int mid = (lo + hi) >> 1;
        const float u = buf[cur][mid];
        if (left ? u < v : u <= v)
          lo = mid + 1;
        else
          hi = mid;
      }
      const int own = left ? i - pair : i - pair - run;
      buf[cur ^ 1][pair + own + (lo - lo0)] = v;
    }
    __syncthreads();
    cur ^= 1;
  }
  for (int i = threadIdx.x; i < cols; i += 256) y[base + i] = y_t(buf[cur][i]);
}
