/*kgen
{ "requires": ["cols <= 16777216"],
  "tunables": {"THREADS": [128, 256, 512]}, "defaults": {"THREADS": 256},
  "launches": [ {"kernel": "rms_norm", "grid": ["rows"], "block": ["THREADS"], "args": ["x", "w", "y", "cols", "eps"]} ],
  "notes": "Any shape and dtype: one block a row, warp shuffles, one barrier." }
*/
__global__ void __launch_bounds__(THREADS) rms_norm(const x_t* __restrict__ x, const w_t* __restrict__ w,
                                                    y_t* __restrict__ y, long long cols, float eps) {
  __shared__ float partial[THREADS / 32];
  const x_t* row = x + static_cast<long long>(blockIdx.x) * cols;
  y_t* out = y + static_cast<long long>(blockIdx.x) * cols;
  const int lane = threadIdx.x % 32;
  float sum = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += THREADS) sum += float(row[c]) * float(row[c]);
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
  if (lane == 0) partial[threadIdx.x / 32] = sum;
  __syncthreads();
  sum = lane < THREADS / 32 ? partial[lane] : 0.0f;
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
  const float scale = rsqrtf(sum / cols + eps);
  for (long long c = threadIdx.x; c < cols; c += THREADS) out[c] = y_t(float(row[c]) * scale * float(w[c]));
}
