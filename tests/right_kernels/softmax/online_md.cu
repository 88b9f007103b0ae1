/*kgen
{ "launches": [ {"kernel": "softmax_online", "grid": ["min(rows, num_sms * 16)"], "block": [256], "args": ["x", "y", "rows", "cols"]} ],
  "notes": "Online softmax: (m, d) pairs of each thread merged by shuffles and shared memory; blocks stride over rows." }
*/
struct MD {
  float m, d;
};

__device__ __forceinline__ MD merge(MD a, MD b) {
  MD r;
  r.m = fmaxf(a.m, b.m);
  // a partial without any finite logit has m = -Inf and counts for what its d says
  const float ea = (a.m == r.m) ? 1.0f : exp2f((a.m - r.m) * 1.4426950408889634f);
  const float eb = (b.m == r.m) ? 1.0f : exp2f((b.m - r.m) * 1.4426950408889634f);
  r.d = a.d * ea + b.d * eb;
  return r;
}

__global__ void __launch_bounds__(256)
    softmax_online(const x_t* __restrict__ x, y_t* __restrict__ y, long long rows, long long cols) {
  __shared__ MD part[8];
  const int lane = threadIdx.x & 31, wid = threadIdx.x >> 5;
  for (long long row = blockIdx.x; row < rows; row += gridDim.x) {
    const x_t* xr = x + row * cols;
    y_t* yr = y + row * cols;
    MD t = {-INFINITY, 0.0f};
    for (long long c = threadIdx.x; c < cols; c += blockDim.x) {
      const float v = float(xr[c]);
      if (v > t.m) {
        t.d = t.d * exp2f((t.m - v) * 1.4426950408889634f) +
              exp2f(v - v);  // exp2f(0) = 1, and NaN where v = +Inf
        t.m = v;
      } else if (v != -INFINITY || v != v) {
        t.d += exp2f((v - t.m) * 1.4426950408889634f);  // NaN logits end here: d becomes NaN
      }
    }
    for (int off = 16; off; off >>= 1) {
      MD o;
      o.m = __shfl_down_sync(0xffffffffu, t.m, off);
      o.d = __shfl_down_sync(0xffffffffu, t.d, off);
      t = merge(t, o);
    }
    if (lane == 0) part[wid] = t;
    __syncthreads();
    t = lane < 8 ? part[lane] : MD{-INFINITY, 0.0f};
    for (int off = 4; off; off >>= 1) {
      MD o;
      o.m = __shfl_xor_sync(0xffffffffu, t.m, off);
      o.d = __shfl_xor_sync(0xffffffffu, t.d, off);
      t = merge(t, o);
    }
    t.m = __shfl_sync(0xffffffffu, t.m, 0);
    t.d = __shfl_sync(0xffffffffu, t.d, 0);
    const float inv = 1.0f / t.d;
    for (long long c = threadIdx.x; c < cols; c += blockDim.x)
      yr[c] = y_t(exp2f((float(xr[c]) - t.m) * 1.4426950408889634f) * inv);
    __syncthreads();
  }
}
