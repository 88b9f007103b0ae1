/*kgen
{ "launches": [ {"kernel": "swiglu_packed", "grid": ["max(1, min(ceil_div(n, 2048), num_sms * 8))"], "block": [256], "args": ["gate", "up", "y", "n"]} ],
  "notes": "PyTorch-like packs of 16 bytes in a grid-stride loop; tail by the first threads." }
*/
template <typename T, int N>
struct alignas(sizeof(T) * N) Pack {
  T v[N];
};
constexpr int VEC = 16 / sizeof(gate_t);

__device__ __forceinline__ float silu(float g) {
  return g * __frcp_rn(1.0f + __expf(-g));
}

__global__ void __launch_bounds__(256)
    swiglu_packed(const gate_t* __restrict__ gate, const up_t* __restrict__ up, y_t* __restrict__ y,
                  int64_t n) {
  using G = Pack<gate_t, VEC>;
  const int64_t nv = n / VEC;
  const int64_t tid = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  const int64_t stride = (int64_t)gridDim.x * blockDim.x;
  for (int64_t i = tid; i < nv; i += stride) {
    G a = reinterpret_cast<const G*>(gate)[i];
    G b = reinterpret_cast<const G*>(up)[i];
    G o;
#pragma unroll
    for (int j = 0; j < VEC; ++j) o.v[j] = y_t(silu(float(a.v[j])) * float(b.v[j]));
    reinterpret_cast<G*>(y)[i] = o;
  }
  for (int64_t i = nv * VEC + tid; i < n; i += stride) y[i] = y_t(silu(float(gate[i])) * float(up[i]));
}
