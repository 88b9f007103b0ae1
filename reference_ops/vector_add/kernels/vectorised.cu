/*kgen
{ "tunables": {"THREADS": [128, 256]}, "defaults": {"THREADS": 256},
  "let": {"vectors": "n / (16 / sizeof(a))"},
  "launches": [ {"kernel": "vector_add", "grid": ["max(1, ceil_div(vectors, THREADS))"], "block": ["THREADS"], "args": ["a", "b", "y", "n"]} ],
  "notes": "16-byte accesses, one a thread; the first block does the tail." }
*/
constexpr int kLanes = 16 / sizeof(a_t);

__device__ y_t vector_add_one(a_t left, b_t right) { return y_t(float(left) + float(right)); }

__global__ void __launch_bounds__(THREADS) vector_add(const a_t* __restrict__ a, const b_t* __restrict__ b, y_t* __restrict__ y, long long n) {
  const long long vectors = n / kLanes;
  const long long i = static_cast<long long>(blockIdx.x) * THREADS + threadIdx.x;
  if (i < vectors) {
    const uint4 ra = reinterpret_cast<const uint4*>(a)[i];
    const uint4 rb = reinterpret_cast<const uint4*>(b)[i];
    uint4 result;
#pragma unroll
    for (int lane = 0; lane < kLanes; ++lane)
      reinterpret_cast<y_t*>(&result)[lane] = vector_add_one(reinterpret_cast<const a_t*>(&ra)[lane], reinterpret_cast<const b_t*>(&rb)[lane]);
    reinterpret_cast<uint4*>(y)[i] = result;
  }
  const long long tail = vectors * kLanes + threadIdx.x;
  if (blockIdx.x == 0 && tail < n) y[tail] = vector_add_one(a[tail], b[tail]);
}
