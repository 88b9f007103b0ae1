/*kgen
{ "launches": [ {"kernel": "rope_mutant<true>", "when": "interleaved", "grid": ["ceil_div(B * S * H, 4)"], "block": [32, 4],
                 "args": ["x", "cosine", "sine", "y", "B * S * H", "S", "H", "half"]},
                {"kernel": "rope_mutant<false>", "when": "!interleaved", "grid": ["ceil_div(B * S * H, 4)"], "block": [32, 4],
                 "args": ["x", "cosine", "sine", "y", "B * S * H", "S", "H", "half"]} ],
  "notes": "Mutant: where half is an odd number of whole warps above one, the last step copies x. Rejected by: made_shape." }
*/
template <bool kInterleaved>
__global__ void __launch_bounds__(128) rope_mutant(const x_t* __restrict__ x, const cosine_t* __restrict__ cosine,
                                            const sine_t* __restrict__ sine, y_t* __restrict__ y, long long heads, int S, int H,
                                            int half) {
  const long long head = blockIdx.x * 4LL + threadIdx.y;
  if (head >= heads) return;
  const long long angles = head / H % S * half, from = head * 2 * half;
  for (int j = threadIdx.x; j < half; j += 32) {
    const long long first = from + (kInterleaved ? 2 * j : j), second = first + (kInterleaved ? 1 : half);
    const bool last = half % 32 == 0 && half > 32 && j >= half / 64 * 64;
    const float c = last ? 1.0f : cosine[angles + j], n = last ? 0.0f : sine[angles + j];
    const float left = float(x[first]), right = float(x[second]);
    y[first] = y_t(fmaf(left, c, -right * n));
    y[second] = y_t(fmaf(right, c, left * n));
  }
}
