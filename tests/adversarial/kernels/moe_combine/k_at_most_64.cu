/*kgen
{ "tunables": {"THREADS": [64, 128, 256]}, "defaults": {"THREADS": 128},
  "launches": [ {"kernel": "moe_combine", "grid": ["tokens"], "block": ["THREADS"], "args": ["x", "slots", "weights", "y", "width", "k"]} ],
  "notes": "One block a token: its slots and weights in shared memory, no division." }
*/
/*adversarial
{ "op": "moe_combine", "dtypes": ["bf16"], "device": "gpu", "task": {"tokens": 12, "rows": 50, "width": 64},
  "misbehaves": "Slots and weights beyond the 64th of a token are left out (no `requires`), so sums with k > 64 lack terms.",
  "accept": ["wrong_result"], "neutralised_ok": false }
*/
__global__ void __launch_bounds__(THREADS) moe_combine(const x_t* __restrict__ x, const int* __restrict__ slots, const float* __restrict__ weights,
                                                       y_t* __restrict__ y, long long width, int k) {
  __shared__ long long first[64];
  __shared__ float own[64];
  const int pitch = k;
  k = min(k, 64);
  if (threadIdx.x < k) {
    first[threadIdx.x] = slots[blockIdx.x * static_cast<long long>(pitch) + threadIdx.x] * width;
    own[threadIdx.x] = weights[blockIdx.x * static_cast<long long>(pitch) + threadIdx.x];
  }
  __syncthreads();
  for (long long c = threadIdx.x; c < width; c += THREADS) {
    float sum = 0.0f;
    for (int j = 0; j < k; ++j) sum = fmaf(own[j], float(x[first[j] + c]), sum);
    y[blockIdx.x * width + c] = y_t(sum);
  }
}
