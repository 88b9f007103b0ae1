/*kgen
{ "requires": ["C * R * S <= 131072"],
  "let": {"P": "(H + 2 * pad - R) / stride + 1", "Q": "(W + 2 * pad - S) / stride + 1", "tiles_f": "ceil_div(F, 16)"},
  "launches": [ {"kernel": "conv2d", "grid": ["ceil_div(N * P * Q, 64) * tiles_f"], "block": [16, 16],
                 "args": ["x", "w", "y", "tiles_f", "N", "C", "H", "W", "F", "R", "S", "P", "Q", "stride", "pad"]} ],
  "notes": "An implicit matrix product: 64 places by 16 filters a block, 4 places a thread, 16 taps at a time in shared memory." }
*/
__global__ void __launch_bounds__(256) conv2d(const x_t* __restrict__ x, const w_t* __restrict__ w, y_t* __restrict__ y, int tiles_f,
                                              long long N, int C, int H, int W, int F, int R, int S, int P, int Q, int stride, int pad) {
  __shared__ float left[16][65], right[16][17];
  const long long first = static_cast<long long>(blockIdx.x / tiles_f) * 64, places = N * P * Q;
  const int first_f = blockIdx.x % tiles_f * 16, taps = C * R * S, thread = threadIdx.y * 16 + threadIdx.x;
  float sum[4] = {};
  for (int tap = 0; tap < taps; tap += 16) {
    for (int i = thread; i < 16 * 64; i += 256) {
      const long long place = first + i % 64;
      const int t = tap + i / 64, s = t % S, r = t / S % R, c = t / (S * R);
      const int q = place % Q, p = place / Q % P, h = p * stride + r - pad, v = q * stride + s - pad;
      const bool is_inside = t < taps && place < places && h >= 0 && h < H && v >= 0 && v < W;
      left[i / 64][i % 64] = is_inside ? float(x[((place / (static_cast<long long>(P) * Q) * C + c) * H + h) * W + v]) : 0.0f;
    }
    const int f = first_f + threadIdx.y, t = tap + threadIdx.x;
    const bool is_tap = t < taps && f < F;
    right[threadIdx.x][threadIdx.y] = is_tap ? float(w[static_cast<long long>(f) * taps + t]) : 0.0f;
    __syncthreads();
    for (int at = 0; at < 16; ++at) {
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        const float weight = right[at][threadIdx.y];
        sum[e] += left[at][threadIdx.x + 16 * e] * weight;
      }
    }
    __syncthreads();
  }
  const int f = first_f + threadIdx.y;
#pragma unroll
  for (int e = 0; e < 4; ++e) {
    const long long place = first + threadIdx.x + 16 * e;
    if (place < places && f < F) y[(place / (static_cast<long long>(P) * Q) * F + f) * P * Q + place % (static_cast<long long>(P) * Q)] = y_t(sum[e]);
  }
}
