/*kgen
{ "tunables": {"THREADS": [128, 256]}, "defaults": {"THREADS": 128},
  "let": {"vec": "K % 8 == 0"},
  "launches": [ {"kernel": "gemv_kernel<true>", "when": "vec", "grid": ["min(M, num_sms * 16)"], "block": ["THREADS"], "args": ["a", "x", "y", "M", "K"]},
                {"kernel": "gemv_kernel<false>", "when": "!vec", "grid": ["min(M, num_sms * 16)"], "block": ["THREADS"], "args": ["a", "x", "y", "M", "K"]} ],
  "notes": "A block a row, 16-byte loads where rows are aligned, an accumulator a lane of the vector, tree of shuffles." }
*/
template <typename T>
union Vec16 {
  uint4 raw;
  T e[16 / sizeof(T)];
  __device__ Vec16() {}
};
template <bool kVec>
__global__ void __launch_bounds__(THREADS) gemv_kernel(const a_t* __restrict__ a, const x_t* __restrict__ x,
                                                       y_t* __restrict__ y, int64_t M, int64_t K) {
  constexpr int N = kVec ? 16 / sizeof(a_t) : 4;
  __shared__ float ws[THREADS / 32];
  for (int64_t m = blockIdx.x; m < M; m += gridDim.x) {
    const a_t* row = a + m * K;
    float acc[N];
#pragma unroll
    for (int i = 0; i < N; ++i) acc[i] = 0.f;
    if constexpr (kVec) {
      for (int64_t k = (int64_t)threadIdx.x * N; k < K; k += (int64_t)THREADS * N) {
        Vec16<a_t> va;
        Vec16<x_t> vx;
        va.raw = *reinterpret_cast<const uint4*>(row + k);
        vx.raw = __ldg(reinterpret_cast<const uint4*>(x + k));
#pragma unroll
        for (int i = 0; i < N; ++i) acc[i] = fmaf(float(va.e[i]), float(vx.e[i]), acc[i]);
      }
    } else {
      int64_t k = threadIdx.x;
      for (; k + 3 * THREADS < K; k += 4 * THREADS) {
#pragma unroll
        for (int i = 0; i < 4; ++i) acc[i] += float(row[k + i * THREADS]) * float(x[k + i * THREADS]);
      }
      for (; k < K; k += THREADS) acc[0] += float(row[k]) * float(x[k]);
    }
    float s = 0.f;
#pragma unroll
    for (int i = 0; i < N; ++i) s += acc[i];
#pragma unroll
    for (int o = 16; o > 0; o >>= 1) s += __shfl_down_sync(0xffffffffu, s, o);
    if ((threadIdx.x & 31) == 0) ws[threadIdx.x >> 5] = s;
    __syncthreads();
    if (threadIdx.x == 0) {
      float t = 0.f;
      for (int i = 0; i < THREADS / 32; ++i) t += ws[i];
      y[m] = y_t(t);
    }
    __syncthreads();
  }
}
