/*kgen
{ "workspace": {"facts": {"bytes": "N * groups * 8"}},
  "launches": [ {"kernel": "group_facts", "grid": ["ceil_div(N * groups, 4)"], "block": [32, 4],
                 "args": ["x", "facts", "N * groups", "C / groups * S", "eps"]},
                {"kernel": "normed", "grid": ["N * C"], "block": [128],
                 "args": ["x", "facts", "w", "b", "y", "C", "C / groups", "groups", "S"]} ],
  "notes": "A warp a group finds mean and factor by Welford's updates; then a block a channel." }
*/
__global__ void __launch_bounds__(128) group_facts(const x_t* __restrict__ x, float2* __restrict__ facts, long long all, long long count, float eps) {
  const long long group = blockIdx.x * 4LL + threadIdx.y;
  if (group >= all) return;
  float mean = 0.0f, squares = 0.0f, own = 0.0f;
  for (long long i = threadIdx.x; i < count; i += 32) {
    const float value = float(x[group * count + i]);
    own = static_cast<float>(i / 32 + 1);
    const float delta = value - mean;
    mean += delta / own;
    squares += delta * (value - mean);
  }
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) {
    const float other_mean = __shfl_xor_sync(0xffffffffu, mean, offset), other = __shfl_xor_sync(0xffffffffu, own, offset);
    const float other_squares = __shfl_xor_sync(0xffffffffu, squares, offset), total = own + other;
    if (total > 0.0f) {
      const float delta = other_mean - mean, weight = other / total;
      mean += delta * weight;
      squares += other_squares + delta * (delta * (own * weight));
      own = total;
    }
  }
  if (threadIdx.x == 0) facts[group] = make_float2(mean, rsqrtf(squares / count + eps));
}

__global__ void __launch_bounds__(128) normed(const x_t* __restrict__ x, const float2* __restrict__ facts, const w_t* __restrict__ w,
                                              const b_t* __restrict__ b, y_t* __restrict__ y, int C, int channels, int groups, long long S) {
  const long long n = blockIdx.x / C;
  const int c = blockIdx.x % C;
  const float2 own = facts[n * groups + c / channels];
  const float weight = float(w[c]), bias = float(b[c]);
  for (long long i = blockIdx.x * S + threadIdx.x; i < (blockIdx.x + 1LL) * S; i += 128)
    y[i] = y_t((float(x[i]) - own.x) * own.y * weight + bias);
}
