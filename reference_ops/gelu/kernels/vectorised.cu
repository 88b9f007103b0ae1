/*kgen
{ "tunables": {"THREADS": [128, 256]}, "defaults": {"THREADS": 256},
  "let": {"vectors": "n / (16 / sizeof(x))"},
  "launches": [ {"kernel": "gelu", "grid": ["max(1, ceil_div(vectors, THREADS))"], "block": ["THREADS"], "args": ["x", "y", "n", "tanh_form"]} ],
  "notes": "16-byte accesses, one a thread; the first block does the tail." }
*/
constexpr int kLanes = 16 / sizeof(x_t);

__device__ y_t gelu_one(x_t value, int tanh_form) {
  const float x = float(value);
  if (tanh_form) {  // 0.5 (1 + tanh(z)) is the logistic function of 2 z
    const float z = 1.5957691216f * x * (1.0f + 0.044715f * x * x);
    return y_t(x / (1.0f + __expf(-z)));
  }
  return y_t(0.5f * x * erfcf(x * -0.7071067812f));
}

__global__ void __launch_bounds__(THREADS) gelu(const x_t* __restrict__ x, y_t* __restrict__ y, long long n, int tanh_form) {
  const long long vectors = n / kLanes;
  const long long i = static_cast<long long>(blockIdx.x) * THREADS + threadIdx.x;
  if (i < vectors) {
    const uint4 rx = reinterpret_cast<const uint4*>(x)[i];
    uint4 result;
#pragma unroll
    for (int lane = 0; lane < kLanes; ++lane)
      reinterpret_cast<y_t*>(&result)[lane] = gelu_one(reinterpret_cast<const x_t*>(&rx)[lane], tanh_form);
    reinterpret_cast<uint4*>(y)[i] = result;
  }
  const long long tail = vectors * kLanes + threadIdx.x;
  if (blockIdx.x == 0 && tail < n) y[tail] = gelu_one(x[tail], tanh_form);
}
