/*kgen
{ "requires": ["cols % 8 == 0", "cols <= 8192", "sizeof(x) == 2"],
  "tunables": {"THREADS": [128, 256]}, "defaults": {"THREADS": 256},
  "defines": {"COLS": "cols"},
  "launches": [ {"kernel": "residual_rms_norm", "grid": ["rows"], "block": ["THREADS"], "args": ["x", "residual", "w", "y", "eps"]} ],
  "notes": "16-byte accesses; the sums stay in registers between the one read and the two writes." }
*/
constexpr int kVectors = (COLS + THREADS * 8 - 1) / (THREADS * 8);

__global__ void __launch_bounds__(THREADS) residual_rms_norm(const x_t* __restrict__ x, residual_t* __restrict__ residual,
                                                             const w_t* __restrict__ w, y_t* __restrict__ y, float eps) {
  __shared__ float shared[THREADS / 32];
  const long long first = static_cast<long long>(blockIdx.x) * COLS;
  float sums[kVectors][8], squares = 0.0f;
#pragma unroll
  for (int v = 0; v < kVectors; ++v) {
    const int c = (v * THREADS + threadIdx.x) * 8;
    if (c >= COLS) break;
    const uint4 left = *reinterpret_cast<const uint4*>(x + first + c), right = *reinterpret_cast<const uint4*>(residual + first + c);
    uint4 rounded;
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      sums[v][i] = float(reinterpret_cast<const x_t*>(&left)[i]) + float(reinterpret_cast<const residual_t*>(&right)[i]);
      squares += sums[v][i] * sums[v][i];
      reinterpret_cast<residual_t*>(&rounded)[i] = residual_t(sums[v][i]);
    }
    *reinterpret_cast<uint4*>(residual + first + c) = rounded;
  }
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) squares += __shfl_xor_sync(0xffffffffu, squares, offset);
  if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = squares;
  __syncthreads();
  squares = shared[0];
#pragma unroll
  for (int warp = 1; warp < THREADS / 32; ++warp) squares += shared[warp];
  const float factor = rsqrtf(squares / COLS + eps);
#pragma unroll
  for (int v = 0; v < kVectors; ++v) {
    const int c = (v * THREADS + threadIdx.x) * 8;
    if (c >= COLS) break;
    const uint4 weights = *reinterpret_cast<const uint4*>(w + c);
    uint4 out;
#pragma unroll
    for (int i = 0; i < 8; ++i)
      reinterpret_cast<y_t*>(&out)[i] = y_t(sums[v][i] * factor * float(reinterpret_cast<const w_t*>(&weights)[i]));
    *reinterpret_cast<uint4*>(y + first + c) = out;
  }
}
