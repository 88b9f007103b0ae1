/*kgen
{ "let": {"tier": "cols <= 256 ? 0 : cols <= 1024 ? 1 : 2"},
  "launches": [ {"kernel": "sort_row<128, 2>", "when": "tier == 0", "grid": ["rows"], "block": [128], "args": ["x", "y", "cols"]},
                {"kernel": "sort_row<256, 4>", "when": "tier == 1", "grid": ["rows"], "block": [256], "args": ["x", "y", "cols"]},
                {"kernel": "sort_row<256, 16>", "when": "tier == 2", "grid": ["rows"], "block": [256], "args": ["x", "y", "cols"]} ],
  "notes": "cub block radix sort of f32 keys (all dtypes fit exactly), padded with +Inf." }
*/
#include <cub/cub.cuh>
template <int kThreads, int kItems>
__global__ void __launch_bounds__(kThreads)
    sort_row(const x_t* __restrict__ x, y_t* __restrict__ y, int cols) {
  using Sort = cub::BlockRadixSort<float, kThreads, kItems>;
  __shared__ typename Sort::TempStorage temp;
  const int64_t base = (int64_t)blockIdx.x * cols;
  float keys[kItems];
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    const int c = i * kThreads + threadIdx.x;  // any order will do: equal keys are equal values
    keys[i] = c < cols ? float(x[base + c]) : INFINITY;
  }
  Sort(temp).SortBlockedToStriped(keys);
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    const int c = i * kThreads + threadIdx.x;
    if (c < cols) y[base + c] = y_t(keys[i]);
  }
}
