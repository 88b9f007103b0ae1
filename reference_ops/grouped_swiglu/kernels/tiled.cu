/*kgen
{ "requires": ["K <= 131072"],
  "tunables": {"TILE_K": [8, 16]}, "defaults": {"TILE_K": 16},
  "let": {"tiles_n": "ceil_div(N, 16)"},
  "launches": [ {"kernel": "grouped_swiglu", "grid": ["ceil_div(rows, 16) * tiles_n"], "block": [16, 16],
                 "args": ["x", "gate", "up", "ends", "y", "rows", "groups", "N", "K", "tiles_n"]} ],
  "notes": "Any shape and dtype: tiles of 16 rows and 16 columns, an element a thread in f32, tiles in shared memory; where a tile has rows of several groups, one group after the other." }
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

__global__ void __launch_bounds__(256) grouped_swiglu(const x_t* __restrict__ x, const gate_t* __restrict__ gate,
    const up_t* __restrict__ up, const int* __restrict__ ends, y_t* __restrict__ y, long long rows,
    int groups, long long N, long long K, long long tiles_n) {
  __shared__ float left[TILE_K][kTile + 1], gates[TILE_K][kTile + 1], ups[TILE_K][kTile + 1];
  const long long first_n = blockIdx.x % tiles_n * kTile, n = first_n + threadIdx.x;
  const long long first = blockIdx.x / tiles_n * kTile, last = min(first + kTile, rows);
  for (long long begin = first, end; begin < last; begin = end) {
    const int group = group_of(ends, groups, begin);
    end = min(last, static_cast<long long>(ends[group]));
    float g = 0.0f, u = 0.0f;
    for (long long k = 0; k < K; k += TILE_K) {
      load_tile(left, x, begin, end, k, K);
      load_tile(gates, gate + group * N * K, first_n, N, k, K);
      load_tile(ups, up + group * N * K, first_n, N, k, K);
      __syncthreads();
#pragma unroll
      for (int at = 0; at < TILE_K; ++at) {
        g += left[at][threadIdx.y] * gates[at][threadIdx.x];
        u += left[at][threadIdx.y] * ups[at][threadIdx.x];
      }
      __syncthreads();
    }
    const long long row = begin + threadIdx.y;
    if (row < end && n < N) y[row * N + n] = y_t(g / (1.0f + expf(-g)) * u);
  }
}
