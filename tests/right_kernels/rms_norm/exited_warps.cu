/*kgen
{ "requires": ["cols <= 2048"],
  "launches": [ {"kernel": "rms_warp_rows", "grid": ["ceil_div(rows, 4)"], "block": [32, 4], "dynamic_shared_bytes": "4 * cols * 4", "args": ["x", "w", "y", "rows", "cols", "eps"]} ],
  "notes": "A warp a row staged in shared memory; warps without a row leave at once (barriers wait for threads that have not exited)." }
*/
__global__ void __launch_bounds__(128) rms_warp_rows(const x_t* __restrict__ x, const w_t* __restrict__ w,
                                                     y_t* __restrict__ y, int64_t rows, int cols, float eps) {
  extern __shared__ float stage[];
  const int64_t row = (int64_t)blockIdx.x * 4 + threadIdx.y;
  if (row >= rows) return;
  float* mine = stage + threadIdx.y * cols;
  for (int c = threadIdx.x; c < cols; c += 32) mine[c] = float(x[row * cols + c]);
  __syncthreads();
  float ss = 0.f;
  for (int c = threadIdx.x * 4; c < cols; c += 128)
    for (int i = c; i < min(c + 4, cols); ++i) ss += mine[i] * mine[i];
  for (int o = 16; o; o >>= 1) ss += __shfl_xor_sync(0xffffffffu, ss, o);
  const float inv = 1.0f / sqrtf(ss / cols + eps);
  for (int c = threadIdx.x; c < cols; c += 32) y[row * cols + c] = y_t(mine[c] * inv * float(w[c]));
}
