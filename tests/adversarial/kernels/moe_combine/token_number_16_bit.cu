/*kgen
{ "requires": ["width % 8 == 0"],
  "let": {"vectors": "width / (16 / sizeof(x))"},
  "launches": [ {"kernel": "moe_combine", "grid": ["ceil_div(tokens * vectors, 128)"], "block": [128],
                 "args": ["x", "slots", "weights", "y", "tokens * vectors", "vectors", "k"]} ] }
*/
/*adversarial
{ "op": "moe_combine", "dtypes": ["bf16"], "device": "gpu", "task": {"tokens": 64, "rows": 500, "width": 128},
  "misbehaves": "Reads the slots by a number of 16 bits: from token 65536 on those of others.",
  "accept": ["wrong_result"], "neutralised_ok": false }
*/
constexpr int kLanes = 16 / sizeof(x_t);

__global__ void __launch_bounds__(128) moe_combine(const uint4* __restrict__ x, const int* __restrict__ slots, const float* __restrict__ weights,
                                                   uint4* __restrict__ y, long long count, long long vectors, int k) {
  const long long i = blockIdx.x * 128LL + threadIdx.x;
  if (i >= count) return;
  const long long t = i / vectors, v = i % vectors;
  float sum[kLanes] = {};
  for (int j = 0; j < k; ++j) {
    const float weight = weights[t * k + j];
    const uint4 raw = x[slots[static_cast<unsigned short>(t) * k + j] * vectors + v];
#pragma unroll
    for (int lane = 0; lane < kLanes; ++lane) sum[lane] += weight * float(reinterpret_cast<const x_t*>(&raw)[lane]);
  }
  uint4 out;
#pragma unroll
  for (int lane = 0; lane < kLanes; ++lane) reinterpret_cast<y_t*>(&out)[lane] = y_t(sum[lane]);
  y[i] = out;
}
