/*kgen
{ "launches": [ {"kernel": "rope<true>", "when": "interleaved", "grid": ["ceil_div(B * S * H, 4)"], "block": [32, 4],
                 "args": ["x", "cosine", "sine", "y", "B * S * H", "S", "H", "half"]},
                {"kernel": "rope<false>", "when": "!interleaved", "grid": ["ceil_div(B * S * H, 4)"], "block": [32, 4],
                 "args": ["x", "cosine", "sine", "y", "B * S * H", "S", "H", "half"]} ],
  "notes": "Mutant: where cosine is 1 and sine 0 (position 0 of every real table) values are copied, so a partner that is Inf or NaN does not make both NaN (Inf * 0), as the formula has it and special values propagate. Rejected by: values." }
*/
template <bool kInterleaved>
__global__ void __launch_bounds__(128) rope(const x_t* __restrict__ x, const cosine_t* __restrict__ cosine,
                                            const sine_t* __restrict__ sine, y_t* __restrict__ y, long long heads, int S, int H,
                                            int half) {
  const long long head = blockIdx.x * 4LL + threadIdx.y;
  if (head >= heads) return;
  const long long angles = head / H % S * half, from = head * 2 * half;
  for (int j = threadIdx.x; j < half; j += 32) {
    const long long first = from + (kInterleaved ? 2 * j : j), second = first + (kInterleaved ? 1 : half);
    const float c = cosine[angles + j], n = sine[angles + j];
    const float left = float(x[first]), right = float(x[second]);
    if (c == 1.0f && n == 0.0f) {  // position 0 does not turn
      y[first] = x[first];
      y[second] = x[second];
      continue;
    }
    y[first] = y_t(fmaf(left, c, -right * n));
    y[second] = y_t(fmaf(right, c, left * n));
  }
}
