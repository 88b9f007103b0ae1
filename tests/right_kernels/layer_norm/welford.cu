/*kgen
{ "launches": [ {"kernel": "ln_welford", "grid": ["rows"], "block": [32, 4], "args": ["x", "w", "b", "y", "cols", "eps"]} ],
  "notes": "PyTorch's layer norm: Welford a thread, merged over the warp and the block." }
*/
struct W {
  float mean, m2, n;
};
__device__ __forceinline__ W push(W a, float v) {
  a.n += 1.0f;
  const float d = v - a.mean;
  a.mean += d / a.n;
  a.m2 += d * (v - a.mean);
  return a;
}
__device__ __forceinline__ W join(W a, W b) {
  const float n = a.n + b.n;
  if (n == 0.0f) return a;
  const float coef = 1.0f / n, na = a.n * coef, nb = b.n * coef;
  const float d = b.mean - a.mean;
  return W{a.mean + d * nb, a.m2 + b.m2 + d * d * a.n * nb, n};
}
__global__ void __launch_bounds__(128)
    ln_welford(const x_t* __restrict__ x, const w_t* __restrict__ w, const b_t* __restrict__ b,
               y_t* __restrict__ y, int64_t cols, float eps) {
  __shared__ W buf[4];
  const x_t* xr = x + blockIdx.x * cols;
  const int thr = threadIdx.y * 32 + threadIdx.x;
  W s = {0.f, 0.f, 0.f};
  for (int64_t c = thr; c < cols; c += 128) s = push(s, float(xr[c]));
#pragma unroll
  for (int off = 16; off > 0; off >>= 1) {
    W o = {__shfl_down_sync(0xffffffffu, s.mean, off), __shfl_down_sync(0xffffffffu, s.m2, off),
           __shfl_down_sync(0xffffffffu, s.n, off)};
    s = join(s, o);
  }
  if (threadIdx.x == 0) buf[threadIdx.y] = s;
  __syncthreads();
  s = buf[0];
  for (int i = 1; i < 4; ++i) s = join(s, buf[i]);
  const float mean = s.mean, rstd = rsqrtf(s.m2 / float(cols) + eps);
  for (int64_t c = thr; c < cols; c += 128)
    y[blockIdx.x * cols + c] = y_t((float(xr[c]) - mean) * rstd * float(w[c]) + float(b[c]));
}
