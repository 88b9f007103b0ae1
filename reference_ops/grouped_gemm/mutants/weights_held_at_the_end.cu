/*kgen
{ "requires": ["K <= 131072"],
  "tunables": {"TILE_K": [8, 16]},
  "defaults": {"TILE_K": 16},
  "let": {"tiles_n": "ceil_div(N, 16)"},
  "launches": [ {"kernel": "grouped_gemm", "grid": ["ceil_div(rows, 16) * tiles_n"], "block": [16, 16], "args": ["x", "w", "ends", "y", "rows", "groups", "N", "K", "tiles_n"]} ],
  "notes": "Mutant: holds w at K - 1 where it fills x with zeros: 0 times infinity. Rejected by: values." }
*/
constexpr int kTile = 16;

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

template <class T>
__device__ void load_tile(float (&tile)[TILE_K][kTile + 1], const T* from, long long first_row, long long rows, long long first_k, long long K) {
  for (int i = threadIdx.y * 16 + threadIdx.x; i < kTile * TILE_K; i += 256) {
    const long long row = first_row + i / TILE_K, k = first_k + i % TILE_K;
    tile[i % TILE_K][i / TILE_K] = row < rows && k < K ? float(from[row * K + k]) : 0.0f;
  }
}

/// Weights: rows and columns behind the end are clamped, x is zero there.
template <class T>
__device__ void load_weights(float (&tile)[TILE_K][kTile + 1], const T* from, long long first_row, long long rows, long long first_k, long long K) {
  for (int i = threadIdx.y * 16 + threadIdx.x; i < kTile * TILE_K; i += 256) {
    const long long row = min(first_row + i / TILE_K, rows - 1), k = min(first_k + i % TILE_K, K - 1);
    tile[i % TILE_K][i / TILE_K] = float(from[row * K + k]);
  }
}

__global__ void __launch_bounds__(256) grouped_gemm(const x_t* __restrict__ x, const w_t* __restrict__ w,
    const int* __restrict__ ends, y_t* __restrict__ y, long long rows,
    int groups, long long N, long long K, long long tiles_n) {
  __shared__ float left[TILE_K][kTile + 1], right[TILE_K][kTile + 1];
  const long long first_n = blockIdx.x % tiles_n * kTile, n = first_n + threadIdx.x;
  const long long first = blockIdx.x / tiles_n * kTile, last = min(first + kTile, rows);
  for (long long begin = first, end; begin < last; begin = end) {
    const int group = group_of(ends, groups, begin);
    end = min(last, static_cast<long long>(ends[group]));
    float sum = 0.0f;
    for (long long k = 0; k < K; k += TILE_K) {
      load_tile(left, x, begin, end, k, K);
      load_weights(right, w + group * N * K, first_n, N, k, K);
      __syncthreads();
#pragma unroll
      for (int at = 0; at < TILE_K; ++at) sum += left[at][threadIdx.y] * right[at][threadIdx.x];
      __syncthreads();
    }
    const long long row = begin + threadIdx.y;
    if (row < end && n < N) y[row * N + n] = y_t(sum);
  }
}
