/*kgen
{ "launches": [ {"kernel": "rope_pairs", "grid": ["max(1, min(ceil_div(B * S * H * half, 256), num_sms * 32))"], "block": [256],
                 "args": ["x", "cosine", "sine", "y", "B * S * H * half", "S", "H", "half", "interleaved"]} ],
  "notes": "A pair a thread and step over the flattened pairs." }
*/
__global__ void __launch_bounds__(256)
    rope_pairs(const x_t* __restrict__ x, const float* __restrict__ cosine, const float* __restrict__ sine,
               y_t* __restrict__ y, int64_t pairs, int64_t S, int64_t H, int64_t half, bool interleaved) {
  for (int64_t i = (int64_t)blockIdx.x * 256 + threadIdx.x; i < pairs; i += (int64_t)gridDim.x * 256) {
    const int64_t j = i % half, token_head = i / half, s = (token_head / H) % S;
    const float c = __ldg(cosine + s * half + j), n = __ldg(sine + s * half + j);
    const int64_t base = token_head * half * 2;
    const int64_t i0 = interleaved ? base + 2 * j : base + j, i1 = interleaved ? i0 + 1 : i0 + half;
    const float x0 = float(x[i0]), x1 = float(x[i1]);
    y[i0] = y_t(x0 * c - x1 * n);
    y[i1] = y_t(x0 * n + x1 * c);
  }
}
