/*kgen
{ "defines": {"VEC_OK": "cols % 8 == 0"},
  "launches": [ {"kernel": "rms_norm_fwd", "grid": ["rows"], "block": [256], "args": ["x", "w", "y", "cols", "eps"]} ],
  "notes": "vLLM-like: 16-byte packs where rows are aligned, cub block reduction, the row is read twice." }
*/
#include <cub/cub.cuh>
template <class T>
struct alignas(16) Pack {
  T v[16 / sizeof(T)];
};
__global__ void __launch_bounds__(256) rms_norm_fwd(const x_t* __restrict__ x, const w_t* __restrict__ w,
                                                    y_t* __restrict__ y, long long cols, float eps) {
  constexpr int N = VEC_OK ? 16 / sizeof(x_t) : 1;
  const x_t* xr = x + (long long)blockIdx.x * cols;
  y_t* yr = y + (long long)blockIdx.x * cols;
  __shared__ float s_scale;
  using Reduce = cub::BlockReduce<float, 256>;
  __shared__ typename Reduce::TempStorage temp;
  float ss = 0.f;
  if (VEC_OK) {
    for (long long i = threadIdx.x; i < cols / N; i += 256) {
      const Pack<x_t> p = reinterpret_cast<const Pack<x_t>*>(xr)[i];
#pragma unroll
      for (int j = 0; j < N; ++j) {
        const float f = float(p.v[j]);
        ss += f * f;
      }
    }
  } else {
    for (long long i = threadIdx.x; i < cols; i += 256) {
      const float f = float(xr[i]);
      ss += f * f;
    }
  }
  ss = Reduce(temp).Sum(ss);
  if (threadIdx.x == 0) s_scale = rsqrtf(ss / (float)cols + eps);
  __syncthreads();
  const float r = s_scale;
  if (VEC_OK) {
    for (long long i = threadIdx.x; i < cols / N; i += 256) {
      const Pack<x_t> p = reinterpret_cast<const Pack<x_t>*>(xr)[i];
      const Pack<w_t> q = reinterpret_cast<const Pack<w_t>*>(w)[i];
      Pack<y_t> o;
#pragma unroll
      for (int j = 0; j < N; ++j) o.v[j] = y_t((float(p.v[j]) * r) * float(q.v[j]));
      reinterpret_cast<Pack<y_t>*>(yr)[i] = o;
    }
  } else {
    for (long long i = threadIdx.x; i < cols; i += 256) yr[i] = y_t((float(xr[i]) * r) * float(w[i]));
  }
}
