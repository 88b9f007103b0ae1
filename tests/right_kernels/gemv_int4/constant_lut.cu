/*kgen
{ "launches": [ {"kernel": "w4_lut", "grid": ["ceil_div(M, 4)"], "block": [32, 4], "args": ["q", "s", "x", "y", "M", "K", "group"]} ],
  "notes": "A table of the sixteen weights in constant memory, copied to shared memory once a block." }
*/
__constant__ float kTable[16] = {-8, -7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7};
__global__ void __launch_bounds__(128)
    w4_lut(const uint32_t* __restrict__ q, const s_t* __restrict__ s, const x_t* __restrict__ x,
           y_t* __restrict__ y, int64_t M, int64_t K, int64_t group) {
  __shared__ float lut[16];
  const int tid = threadIdx.y * 32 + threadIdx.x;
  if (tid < 16) lut[tid] = kTable[tid];
  __syncthreads();
  const int64_t m = (int64_t)blockIdx.x * 4 + threadIdx.y;
  if (m >= M) return;
  float acc = 0.f;
  for (int64_t g = 0; g < K / group; ++g) {
    float part = 0.f;
    for (int64_t k = g * group + threadIdx.x; k < (g + 1) * group; k += 32) {
      const uint32_t word = q[(m * K + k) / 8];
      part = fmaf(lut[(word >> (k % 8 * 4)) & 15u], float(x[k]), part);
    }
    acc = fmaf(part, float(s[m * (K / group) + g]), acc);
  }
  for (int o = 16; o; o >>= 1) acc += __shfl_xor_sync(0xffffffffu, acc, o);
  if (threadIdx.x == 0) y[m] = y_t(acc);
}
