/*kgen
{ "let": {"P": "(H + 2 * pad - window) / stride + 1", "Q": "(W + 2 * pad - window) / stride + 1"},
  "launches": [ {"kernel": "pool", "grid": ["ceil_div(Q, 32)", "ceil_div(P, 4)", "min(N * C, 65535)"], "block": [32, 4], "args": ["x", "y", "N * C", "H", "W", "P", "Q", "window", "stride", "pad"]} ],
  "notes": "A 3-d grid over columns, rows and planes; max.NaN.f32 keeps NaN; every tap tested against the image." }
*/
__device__ __forceinline__ float max_nan(float a, float b) {
  float r;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
  return r;
}
__global__ void __launch_bounds__(128)
    pool(const x_t* __restrict__ x, y_t* __restrict__ y, int64_t planes, int64_t H, int64_t W, int64_t P,
         int64_t Q, int window, int64_t stride, int64_t pad) {
  const int64_t q = (int64_t)blockIdx.x * 32 + threadIdx.x, p = (int64_t)blockIdx.y * 4 + threadIdx.y;
  if (p >= P || q >= Q) return;
  for (int64_t z = blockIdx.z; z < planes; z += gridDim.z) {
    float best = __int_as_float(0xff800000);
    for (int i = 0; i < window; ++i)
      for (int j = 0; j < window; ++j) {
        const int64_t h = p * stride - pad + i, v = q * stride - pad + j;
        if (h >= 0 && h < H && v >= 0 && v < W) best = max_nan(best, float(x[(z * H + h) * W + v]));
      }
    y[(z * P + p) * Q + q] = y_t(best);
  }
}
