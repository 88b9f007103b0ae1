/*kgen
{ "requires": ["cols <= 131072"],
  "launches": [ {"kernel": "backward", "grid": ["rows"], "block": [128], "args": ["x", "target", "g", "dx", "cols"]} ],
  "notes": "p = exp(x - lse) with lse = m + log(sum), as Apex's xentropy and fused language-model heads have it, which keep lse from the forward pass." }
*/
template <class F> __device__ float reduce(float v, F f) {
  __shared__ float shared[4];
  for (int o = 16; o > 0; o /= 2) v = f(v, __shfl_xor_sync(~0u, v, o));
  __syncthreads();
  if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = v;
  __syncthreads();
  return f(f(shared[0], shared[1]), f(shared[2], shared[3]));
}
__global__ void __launch_bounds__(128) backward(const x_t* __restrict__ x, const int* __restrict__ target, const float* __restrict__ g,
                                                dx_t* __restrict__ dx, long long cols) {
  const x_t* from = x + blockIdx.x * cols;
  float m = -INFINITY, s = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += 128) m = fmaxf(m, float(from[c]));
  m = reduce(m, [](float a, float b) { return fmaxf(a, b); });
  for (long long c = threadIdx.x; c < cols; c += 128) s += expf(float(from[c]) - m);
  s = reduce(s, [](float a, float b) { return a + b; });
  const float lse = m + logf(s), gradient = g[blockIdx.x];
  const int t = target[blockIdx.x];
  for (long long c = threadIdx.x; c < cols; c += 128) {
    float p = expf(float(from[c]) - lse);
    if (c == t) p -= 1.0f;
    dx[blockIdx.x * cols + c] = dx_t(p * gradient);
  }
}
