/*kgen
{ "launches": [ {"kernel": "rope<true>", "when": "interleaved", "grid": ["ceil_div(B * S * H, 4)"], "block": [32, 4],
                 "args": ["x", "cosine", "sine", "y", "B * S * H", "S", "H", "half"]},
                {"kernel": "rope<false>", "when": "!interleaved", "grid": ["ceil_div(B * S * H, 4)"], "block": [32, 4],
                 "args": ["x", "cosine", "sine", "y", "B * S * H", "S", "H", "half"]} ],
  "notes": "One warp a head: divisions once a head, neighbouring lanes read neighbouring pairs." }
*/
template <bool kInterleaved>
__global__ void __launch_bounds__(128) rope(const x_t* __restrict__ x, const cosine_t* __restrict__ cosine,
                                            const sine_t* __restrict__ sine, y_t* __restrict__ y, long long heads, int S, int H,
                                            long long half) {
  const long long head = blockIdx.x * 4LL + threadIdx.y;
  if (head >= heads) return;
  const long long angles = head / H % S * half, from = head * 2 * half;
  for (long long j = threadIdx.x; j < half; j += 32) {
    const long long first = from + (kInterleaved ? 2 * j : j), second = first + (kInterleaved ? 1 : half);
    const float c = cosine[angles + j], n = sine[angles + j];
    const float left = float(x[first]), right = float(x[second]);
    y[first] = y_t(fmaf(left, c, -right * n));
    y[second] = y_t(fmaf(right, c, left * n));
  }
}
