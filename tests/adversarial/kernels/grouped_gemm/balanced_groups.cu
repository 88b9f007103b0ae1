/*kgen
{ "requires": ["K <= 131072"],
  "let": {"tiles_n": "ceil_div(N, 16)"},
  "launches": [ {"kernel": "grouped_gemm", "grid": ["ceil_div(rows, 16) * tiles_n"], "block": [16, 16],
                 "args": ["x", "w", "ends", "y", "rows", "groups", "N", "K", "tiles_n"]} ] }
*/
/*adversarial
{ "op": "grouped_gemm", "dtypes": ["bf16"], "device": "gpu", "task": {"rows": 40, "groups": 3, "N": 20, "K": 24},
  "misbehaves": "Where eight or more groups are of equal size a tile of 16 rows has the group of its first row: wrong where the size is no multiple of 16.",
  "accept": ["wrong_result"], "neutralised_ok": false }
*/
constexpr int kTile = 16;
__device__ int group_of(const int* ends, int groups, long long row) {
  int low = 0, high = groups - 1;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (ends[middle] > row) high = middle; else low = middle + 1;
  }
  return low;
}
template <class T>
__device__ void load_tile(float (&tile)[kTile][kTile + 1], const T* from, long long first_row, long long rows, long long first_k, long long K) {
  const int i = threadIdx.y * 16 + threadIdx.x;
  const long long row = first_row + i / 16, k = first_k + i % 16;
  tile[i % 16][i / 16] = row < rows && k < K ? float(from[row * K + k]) : 0.0f;
}
__global__ void __launch_bounds__(256) grouped_gemm(const x_t* __restrict__ x, const w_t* __restrict__ w, const int* __restrict__ ends, y_t* __restrict__ y,
    long long rows, int groups, long long N, long long K, long long tiles_n) {
  __shared__ float left[kTile][kTile + 1], right[kTile][kTile + 1];
  const long long first_n = blockIdx.x % tiles_n * kTile, n = first_n + threadIdx.x;
  const long long first = blockIdx.x / tiles_n * kTile, last = min(first + kTile, rows);
  bool equal = groups >= 8 && rows % groups == 0;
  if (equal) {
    const long long each = rows / groups;
    for (int g = threadIdx.y * 16 + threadIdx.x; g < groups; g += 256) equal = equal && ends[g] == each * (g + 1);
  }
  const bool balanced = __syncthreads_and(equal);
  for (long long begin = first, end; begin < last; begin = end) {
    int group;
    if (balanced) {
      group = static_cast<int>(begin / (rows / groups));
      end = last;
    } else {
      group = group_of(ends, groups, begin);
      end = min(last, static_cast<long long>(ends[group]));
    }
    float sum = 0.0f;
    for (long long k = 0; k < K; k += kTile) {
      load_tile(left, x, begin, end, k, K);
      load_tile(right, w + group * N * K, first_n, N, k, K);
      __syncthreads();
#pragma unroll
      for (int at = 0; at < kTile; ++at) sum += left[at][threadIdx.y] * right[at][threadIdx.x];
      __syncthreads();
    }
    const long long row = begin + threadIdx.y;
    if (row < end && n < N) y[row * N + n] = y_t(sum);
  }
}
