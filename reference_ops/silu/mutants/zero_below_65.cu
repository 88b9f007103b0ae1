/*kgen
{ "requires": ["dtype(x) != f16"],
  "tunables": {"THREADS": [128, 256]}, "defaults": {"THREADS": 256},
  "let": {"vectors": "n / (16 / sizeof(x))"},
  "launches": [ {"kernel": "silu", "grid": ["max(1, ceil_div(vectors, THREADS))"], "block": ["THREADS"], "args": ["x", "y", "n"]} ],
  "notes": "Takes the gate for 0 below -65, where the result is still a normal number of f32. Rejected by: values." }
*/
constexpr int kLanes = 16 / sizeof(x_t);

__device__ y_t silu_one(x_t value) {
  const float x = float(value);
  return y_t(x < -65.0f ? 0.0f * x : x * __frcp_rn(1.0f + __expf(-x)));
}

__global__ void __launch_bounds__(THREADS) silu(const x_t* __restrict__ x, y_t* __restrict__ y, long long n) {
  const long long vectors = n / kLanes;
  const long long i = static_cast<long long>(blockIdx.x) * THREADS + threadIdx.x;
  if (i < vectors) {
    const uint4 rx = reinterpret_cast<const uint4*>(x)[i];
    uint4 result;
#pragma unroll
    for (int lane = 0; lane < kLanes; ++lane)
      reinterpret_cast<y_t*>(&result)[lane] = silu_one(reinterpret_cast<const x_t*>(&rx)[lane]);
    reinterpret_cast<uint4*>(y)[i] = result;
  }
  const long long tail = vectors * kLanes + threadIdx.x;
  if (blockIdx.x == 0 && tail < n) y[tail] = silu_one(x[tail]);
}
