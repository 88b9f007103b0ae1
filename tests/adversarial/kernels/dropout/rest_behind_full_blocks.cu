/*kgen
{ "launches": [ {"kernel": "dropout", "grid": ["max(1, ceil_div(n / 8, 1024))"], "block": [1024], "args": ["x", "mask", "y", "n", "p"]} ] }
*/
/*adversarial
{"op": "dropout", "dtypes": ["bf16"], "task": {"n": 5000},
  "misbehaves": "Leaves the rest behind whole packs to the thread behind the last pack, which the grid lacks where the packs fill its blocks.",
  "accept": ["wrong_result"], "neutralised_ok": false, "device": "gpu"}
*/
struct alignas(8) Mask8 { unsigned char lanes[8]; };
struct alignas(16) Eight { x_t lanes[8]; };
__global__ void __launch_bounds__(1024) dropout(const x_t* __restrict__ x, const mask_t* __restrict__ mask, y_t* __restrict__ y, long long n, float p) {
  const float scale = 1.0f / (1.0f - p);
  const long long pack = blockIdx.x * 1024LL + threadIdx.x, packs = n / 8;
  if (pack < packs) {
    const Mask8 kept = *reinterpret_cast<const Mask8*>(mask + pack * 8);
    const Eight in = *reinterpret_cast<const Eight*>(x + pack * 8);
    Eight out;
#pragma unroll
    for (int e = 0; e < 8; ++e) out.lanes[e] = kept.lanes[e] ? x_t(float(in.lanes[e]) * scale) : x_t(0.0f);
    *reinterpret_cast<Eight*>(y + pack * 8) = out;
  } else if (pack == packs) {
    for (long long i = packs * 8; i < n; ++i) y[i] = mask[i] ? y_t(float(x[i]) * scale) : y_t(0.0f);
  }
}
