/*kgen
{ "requires": ["dtype(a) == f32"],
  "launches": [ {"kernel": "gemv_mutant", "grid": ["ceil_div(M, 4)"], "block": [32, 4], "args": ["a", "x", "y", "M", "K"]} ],
  "notes": "Mutant: compensated sum with Veltkamp's splitting, whose 4097 x overflows where x is beyond 2^116. Rejected by: values." }
*/
__device__ void split(float v, float& high, float& low) {
  const float c = __fmul_rn(4097.0f, v);
  high = __fsub_rn(c, __fsub_rn(c, v));
  low = __fsub_rn(v, high);
}
__global__ void __launch_bounds__(128) gemv_mutant(const a_t* __restrict__ a, const x_t* __restrict__ x, y_t* __restrict__ y, long long M, long long K) {
  const long long m = blockIdx.x * 4LL + threadIdx.y;
  if (m >= M) return;
  float sum = 0.0f, low_sum = 0.0f;
  for (long long k = threadIdx.x; k < K; k += 32) {
    const float l = float(a[m * K + k]), r = float(x[k]), p = __fmul_rn(l, r);
    if (isfinite(l) && isfinite(r)) {
      float lh, ll, rh, rl;
      split(l, lh, ll);
      split(r, rh, rl);
      low_sum += __fsub_rn(__fmul_rn(ll, rl), __fsub_rn(__fsub_rn(__fsub_rn(p, __fmul_rn(lh, rh)), __fmul_rn(ll, rh)), __fmul_rn(lh, rl)));
    }
    const float t = __fadd_rn(sum, p);
    if (isfinite(t)) { const float z = __fsub_rn(t, sum); low_sum += __fadd_rn(__fsub_rn(sum, __fsub_rn(t, z)), __fsub_rn(p, z)); }
    sum = t;
  }
  float own = sum + low_sum;
  for (int offset = 16; offset > 0; offset /= 2) own += __shfl_xor_sync(0xffffffffu, own, offset);
  if (threadIdx.x == 0) y[m] = y_t(own);
}
