/*kgen
{ "launches": [ {"kernel": "ln_peeled", "grid": ["rows"], "block": [128], "args": ["x", "w", "b", "y", "cols", "eps"]} ],
  "notes": "Rows of any length with 16-byte loads: a head up to the first aligned address, vectors, a tail; mean, then squares." }
*/
template <class F>
__device__ __forceinline__ void each(const x_t* p, int64_t n, F f) {
  constexpr int N = 16 / sizeof(x_t);
  const uintptr_t addr = reinterpret_cast<uintptr_t>(p);
  int64_t head = (int64_t)((16 - addr % 16) % 16 / sizeof(x_t));
  if (head > n) head = n;
  const int64_t vecs = (n - head) / N;
  if (threadIdx.x < head) f(threadIdx.x, float(p[threadIdx.x]));
  for (int64_t i = threadIdx.x; i < vecs; i += 128) {
    const uint4 raw = *reinterpret_cast<const uint4*>(p + head + i * N);
    x_t e[N];
    memcpy(e, &raw, 16);
#pragma unroll
    for (int j = 0; j < N; ++j) f(head + i * N + j, float(e[j]));
  }
  for (int64_t i = head + vecs * N + threadIdx.x; i < n; i += 128) f(i, float(p[i]));
}
__device__ float all(float v) {
  __shared__ float s[4];
  for (int o = 16; o; o >>= 1) v += __shfl_xor_sync(0xffffffffu, v, o);
  __syncthreads();
  if ((threadIdx.x & 31) == 0) s[threadIdx.x >> 5] = v;
  __syncthreads();
  return s[0] + s[1] + s[2] + s[3];
}
__global__ void __launch_bounds__(128)
    ln_peeled(const x_t* __restrict__ x, const w_t* __restrict__ w, const b_t* __restrict__ b,
              y_t* __restrict__ y, int64_t cols, float eps) {
  const x_t* p = x + blockIdx.x * cols;
  y_t* out = y + blockIdx.x * cols;
  float s = 0.f;
  each(p, cols, [&](int64_t, float v) { s += v; });
  const float mean = all(s) / (float)cols;
  float q = 0.f;
  each(p, cols, [&](int64_t, float v) { q += (v - mean) * (v - mean); });
  const float rstd = rsqrtf(all(q) / (float)cols + eps);
  each(p, cols, [&](int64_t c, float v) { out[c] = y_t((v - mean) * rstd * float(w[c]) + float(b[c])); });
}
