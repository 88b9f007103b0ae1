/*kgen
{ "tunables": {"THREADS": [128, 256]}, "defaults": {"THREADS": 256},
  "launches": [ {"kernel": "dropout", "grid": ["ceil_div(n, 4 * THREADS)"], "block": ["THREADS"], "args": ["x", "mask", "y", "n", "p"]} ],
  "notes": "Four masks a 32-bit load; a multiplication and a choice." }
*/
__global__ void __launch_bounds__(THREADS) dropout(const x_t* __restrict__ x, const mask_t* __restrict__ mask,
                                                   y_t* __restrict__ y, long long n, float p) {
  const float scale = 1.0f / (1.0f - p);
  const long long first = (static_cast<long long>(blockIdx.x) * THREADS + threadIdx.x) * 4;
  if (first + 4 <= n) {
    const uchar4 kept = *reinterpret_cast<const uchar4*>(mask + first);
    const unsigned char lanes[4] = {kept.x, kept.y, kept.z, kept.w};
#pragma unroll
    for (int lane = 0; lane < 4; ++lane) y[first + lane] = lanes[lane] ? y_t(float(x[first + lane]) * scale) : y_t(0.0f);
    return;
  }
  for (long long i = first; i < n; ++i) y[i] = mask[i] ? y_t(float(x[i]) * scale) : y_t(0.0f);
}
