/*kgen
{ "requires": ["cols % 8 == 0", "cols <= 16384", "sizeof(x) == 2"],
  "tunables": {"THREADS": [256, 512, 1024]}, "defaults": {"THREADS": 512},
  "defines": {"COLS": "cols"},
  "constraints": ["cols <= THREADS * 64"],
  "launches": [ {"kernel": "softmax_rows", "grid": ["rows"], "block": ["THREADS"], "args": ["x", "y"]} ],
  "notes": "The row stays in registers between its one read and one write; 16-byte accesses." }
*/
constexpr int kVectors = (COLS + THREADS * 8 - 1) / (THREADS * 8);

template <bool kMaximum>
__device__ float block_reduce(float value) {
  __shared__ float shared[32];
  for (int offset = 16; offset > 0; offset /= 2) {
    const float other = __shfl_xor_sync(0xffffffffu, value, offset);
    value = kMaximum ? fmaxf(value, other) : value + other;
  }
  __syncthreads();
  if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = value;
  __syncthreads();
  value = shared[0];
  for (int warp = 1; warp < THREADS / 32; ++warp) value = kMaximum ? fmaxf(value, shared[warp]) : value + shared[warp];
  return value;
}

__global__ void __launch_bounds__(THREADS) softmax_rows(const x_t* __restrict__ x, y_t* __restrict__ y) {
  const long long first = static_cast<long long>(blockIdx.x) * COLS;
  float values[kVectors][8];
  float largest = -INFINITY;
#pragma unroll
  for (int v = 0; v < kVectors; ++v) {
    const int c = (v * THREADS + threadIdx.x) * 8;
    if (c < COLS) {
      const uint4 raw = *reinterpret_cast<const uint4*>(x + first + c);
      const x_t* lanes = reinterpret_cast<const x_t*>(&raw);
#pragma unroll
      for (int i = 0; i < 8; ++i) {
        values[v][i] = float(lanes[i]);
        largest = fmaxf(largest, values[v][i]);
      }
    }
  }
  largest = block_reduce<true>(largest);
  float sum = 0.0f;
#pragma unroll
  for (int v = 0; v < kVectors; ++v) {
    if ((v * THREADS + static_cast<int>(threadIdx.x)) * 8 < COLS) {
#pragma unroll
      for (int i = 0; i < 8; ++i) {
        values[v][i] = __expf(values[v][i] - largest);
        sum += values[v][i];
      }
    }
  }
  sum = block_reduce<false>(sum);
  const float scale = 1.0f / sum;
#pragma unroll
  for (int v = 0; v < kVectors; ++v) {
    const int c = (v * THREADS + threadIdx.x) * 8;
    if (c < COLS) {
      uint4 raw;
      y_t* lanes = reinterpret_cast<y_t*>(&raw);
#pragma unroll
      for (int i = 0; i < 8; ++i) lanes[i] = y_t(values[v][i] * scale);
      *reinterpret_cast<uint4*>(y + first + c) = raw;
    }
  }
}
