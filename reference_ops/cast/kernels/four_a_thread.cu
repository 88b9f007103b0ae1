/*kgen
{ "tunables": {"THREADS": [128, 256]}, "defaults": {"THREADS": 256},
  "launches": [ {"kernel": "cast4", "grid": ["max(1, ceil_div(n / 4, THREADS))"], "block": ["THREADS"], "args": ["x", "y", "n"]} ],
  "notes": "float4 loads, one a thread; the first block does the tail." }
*/
struct alignas(4 * sizeof(y_t)) Four { y_t lanes[4]; };

__global__ void __launch_bounds__(THREADS) cast4(const float* __restrict__ x, y_t* __restrict__ y, long long n) {
  const long long i = static_cast<long long>(blockIdx.x) * THREADS + threadIdx.x;
  if (i < n / 4) {
    const float4 from = reinterpret_cast<const float4*>(x)[i];
    reinterpret_cast<Four*>(y)[i] = {{y_t(from.x), y_t(from.y), y_t(from.z), y_t(from.w)}};
  }
  const long long tail = n / 4 * 4 + threadIdx.x;
  if (blockIdx.x == 0 && tail < n) y[tail] = y_t(x[tail]);
}
