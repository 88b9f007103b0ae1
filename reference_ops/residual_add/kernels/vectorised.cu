/*kgen
{ "tunables": {"THREADS": [128, 256]}, "defaults": {"THREADS": 256},
  "let": {"vectors": "n / (16 / sizeof(x))"},
  "launches": [ {"kernel": "residual_add", "grid": ["max(1, ceil_div(vectors, THREADS))"], "block": ["THREADS"], "args": ["x", "r", "n"]} ],
  "notes": "16-byte accesses, one a thread; the first block does the tail." }
*/
constexpr int kLanes = 16 / sizeof(x_t);

__global__ void __launch_bounds__(THREADS) residual_add(x_t* __restrict__ x, const r_t* __restrict__ r, long long n) {
  const long long vectors = n / kLanes;
  const long long i = static_cast<long long>(blockIdx.x) * THREADS + threadIdx.x;
  if (i < vectors) {
    uint4 own = reinterpret_cast<const uint4*>(x)[i];
    const uint4 other = reinterpret_cast<const uint4*>(r)[i];
#pragma unroll
    for (int lane = 0; lane < kLanes; ++lane) {
      x_t& value = reinterpret_cast<x_t*>(&own)[lane];
      value = x_t(float(value) + float(reinterpret_cast<const r_t*>(&other)[lane]));
    }
    reinterpret_cast<uint4*>(x)[i] = own;
  }
  const long long tail = vectors * kLanes + threadIdx.x;
  if (blockIdx.x == 0 && tail < n) x[tail] = x_t(float(x[tail]) + float(r[tail]));
}
