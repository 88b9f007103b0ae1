/*kgen
{ "requires": ["cols <= 131072"],
  "launches": [ {"kernel": "log_softmax", "grid": ["rows"], "block": [128], "args": ["x", "y", "cols"]} ],
  "notes": "y = x - lse with lse = m + log(sum), as kernels that keep the log-sum-exp of a row." }
*/
template <class F> __device__ float reduce(float v, F f) {
  __shared__ float shared[4];
  for (int o = 16; o > 0; o /= 2) v = f(v, __shfl_xor_sync(~0u, v, o));
  __syncthreads();
  if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = v;
  __syncthreads();
  return f(f(shared[0], shared[1]), f(shared[2], shared[3]));
}
__global__ void __launch_bounds__(128) log_softmax(const x_t* __restrict__ x, y_t* __restrict__ y, long long cols) {
  const x_t* from = x + blockIdx.x * cols;
  float m = -INFINITY, s = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += 128) m = fmaxf(m, float(from[c]));
  m = reduce(m, [](float a, float b) { return fmaxf(a, b); });
  for (long long c = threadIdx.x; c < cols; c += 128) s += __expf(float(from[c]) - m);
  s = reduce(s, [](float a, float b) { return a + b; });
  const float lse = m + __logf(s);
  for (long long c = threadIdx.x; c < cols; c += 128) y[blockIdx.x * cols + c] = y_t(float(from[c]) - lse);
}
