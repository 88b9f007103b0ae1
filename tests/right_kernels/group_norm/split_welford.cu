/*kgen
{ "let": {"len": "C / groups * S", "parts": "max(1, min(8, C / groups * S / 256))"},
  "workspace": {"stats": {"bytes": "N * groups * parts * 12"}},
  "launches": [ {"kernel": "gn_stats", "grid": ["parts", "min(N * groups, 65535)"], "block": [128], "args": ["x", "stats", "N * groups", "len"]},
                {"kernel": "gn_apply", "grid": ["min(ceil_div(numel(y), 512), 65535)"], "block": [256], "args": ["x", "w", "b", "stats", "y", "numel(y)", "C", "S", "C / groups", "len", "parts", "eps"]} ],
  "notes": "Parts of a group: mean and squares about it in two passes, joined by Chan's formula where they are used." }
*/
__device__ __forceinline__ float blockSum(float v, float* sh) {
  for (int o = 16; o; o >>= 1) v += __shfl_xor_sync(0xffffffffu, v, o);
  __syncthreads();
  if (threadIdx.x % 32 == 0) sh[threadIdx.x / 32] = v;
  __syncthreads();
  return (sh[0] + sh[1]) + (sh[2] + sh[3]);
}
__global__ void __launch_bounds__(128)
    gn_stats(const x_t* __restrict__ x, float* __restrict__ stats, int64_t ngroups, int64_t len) {
  __shared__ float sh[4];
  const int64_t from = len * blockIdx.x / gridDim.x, to = len * (blockIdx.x + 1) / gridDim.x;
  for (int64_t g = blockIdx.y; g < ngroups; g += gridDim.y) {
    const x_t* p = x + g * len;
    float s = 0.f;
    for (int64_t i = from + threadIdx.x; i < to; i += 128) s += float(p[i]);
    const float mean = blockSum(s, sh) / float(to - from);
    float m2 = 0.f;
    for (int64_t i = from + threadIdx.x; i < to; i += 128) {
      const float d = float(p[i]) - mean;
      m2 += d * d;
    }
    m2 = blockSum(m2, sh);
    if (threadIdx.x == 0) {
      float* o = stats + (g * gridDim.x + blockIdx.x) * 3;
      o[0] = float(to - from);
      o[1] = mean;
      o[2] = m2;
    }
  }
}
__global__ void __launch_bounds__(256)
    gn_apply(const x_t* __restrict__ x, const w_t* __restrict__ w, const b_t* __restrict__ b,
             const float* __restrict__ stats, y_t* __restrict__ y, int64_t total, int64_t C, int64_t S,
             int64_t D, int64_t len, int parts, float eps) {
  for (int64_t i = (int64_t)blockIdx.x * 256 + threadIdx.x; i < total; i += (int64_t)gridDim.x * 256) {
    const int64_t c = i / S % C;
    const float* st = stats + i / len * parts * 3;
    float n = st[0], mean = st[1], m2 = st[2];
    for (int k = 1; k < parts; ++k) {
      const float nb = st[3 * k], d = st[3 * k + 1] - mean, nn = n + nb;
      mean += d * (nb / nn);
      m2 += st[3 * k + 2] + d * d * (n * nb / nn);
      n = nn;
    }
    const float rstd = rsqrtf(m2 / n + eps);
    y[i] = y_t((float(x[i]) - mean) * rstd * float(w[c]) + float(b[c]));
  }
}
