/*kgen
{ "tunables": {"THREADS": [128, 256]}, "defaults": {"THREADS": 256},
  "launches": [ {"kernel": "dropout", "grid": ["ceil_div(n, 4 * THREADS)"], "block": ["THREADS"], "args": ["x", "mask", "y", "n", "p"]} ],
  "notes": "Four masks a 32-bit load; a multiplication and a choice." }
*/
/*adversarial
{ "op": "dropout", "dtypes": ["bf16"], "device": "gpu", "task": {"n": 4096},
  "misbehaves": "1 - p is held above 0.05, so with p above 0.95 (0.99, 0.999) kept values are scaled by 20 instead of 100 or 1000.",
  "accept": ["wrong_result"], "neutralised_ok": false,
  "emulator": {"not_visible": "Few attributes are tried on the emulator, and by some seeds none that shows it."} }
*/
__global__ void __launch_bounds__(THREADS) dropout(const x_t* __restrict__ x, const mask_t* __restrict__ mask,
                                                   y_t* __restrict__ y, long long n, float p) {
  const float scale = 1.0f / fmaxf(1.0f - p, 0.05f);  // never a division by zero
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
