/*kgen
{ "requires":    ["sizeof(x) == 2", "cols % 8 == 0", "cols <= 32768"],
  "tunables":    {"THREADS": [256, 512, 1024]},
  "defaults":    {"THREADS": 256},
  "constraints": ["cols <= THREADS * 64"],
  "defines":     {"COLS": "cols"},
  "launches": [
    {"kernel": "rms_norm", "grid": ["rows"], "block": ["THREADS"], "args": ["x", "w", "y", "eps"]} ],
  "notes": "One block a row; the row waits in registers between its one read and its one write." }
*/
constexpr int kLanes = 8;                                                          // 16-bit values in 16 bytes
constexpr int kRowVectors = COLS / kLanes;
constexpr int kVectors = (kRowVectors + THREADS - 1) / THREADS;                    // a thread's share of the row

__device__ __forceinline__ float block_sum(float value) {
  __shared__ float partial[THREADS / 32];
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = value;
  __syncthreads();
  const int lane = threadIdx.x % 32;
  value = lane < THREADS / 32 ? partial[lane] : 0.0f;
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
  return value;
}

__global__ void __launch_bounds__(THREADS, 1024 / THREADS)
rms_norm(const x_t* __restrict__ x, const w_t* __restrict__ w, y_t* __restrict__ y, float eps) {
  const long long first = static_cast<long long>(blockIdx.x) * COLS;
  const uint4* source = reinterpret_cast<const uint4*>(x + first);
  const uint4* weights = reinterpret_cast<const uint4*>(w);
  uint4* target = reinterpret_cast<uint4*>(y + first);

  uint4 held[kVectors];
#pragma unroll
  for (int v = 0; v < kVectors; ++v) {                                             // all loads leave before one is used
    const int at = v * THREADS + threadIdx.x;
    held[v] = at < kRowVectors ? source[at] : make_uint4(0, 0, 0, 0);
  }
  float sum = 0.0f;
#pragma unroll
  for (int v = 0; v < kVectors; ++v) {
    const x_t* values = reinterpret_cast<const x_t*>(&held[v]);
#pragma unroll
    for (int i = 0; i < kLanes; ++i) sum += float(values[i]) * float(values[i]);
  }
  const float scale = rsqrtf(block_sum(sum) / COLS + eps);
#pragma unroll
  for (int v = 0; v < kVectors; ++v) {
    const int at = v * THREADS + threadIdx.x;
    if (at < kRowVectors) {
      const uint4 weight = __ldg(weights + at);
      const w_t* factors = reinterpret_cast<const w_t*>(&weight);
      const x_t* values = reinterpret_cast<const x_t*>(&held[v]);
      uint4 packed;
      y_t* results = reinterpret_cast<y_t*>(&packed);
#pragma unroll
      for (int i = 0; i < kLanes; ++i) results[i] = y_t(float(values[i]) * scale * float(factors[i]));
      target[at] = packed;
    }
  }
}
