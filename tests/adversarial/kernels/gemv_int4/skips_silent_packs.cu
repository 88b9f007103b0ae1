/*kgen
{ "launches": [ {"kernel": "gemv_int4", "grid": ["ceil_div(M, 4)"], "block": [32, 4], "args": ["q", "s", "x", "y", "M", "K", "group"]} ] }
*/
/*adversarial
{ "op": "gemv_int4", "dtypes": ["bf16"], "device": "gpu", "task": {"M": 16, "K": 384},
  "misbehaves": "Where all eight values of x of a word are 0 (behind ReLU) its scale is not read: a scale that is NaN or infinite gives 0 and not NaN there.",
  "accept": ["wrong_result"], "neutralised_ok": false }
*/
__global__ void __launch_bounds__(128) gemv_int4(const unsigned int* __restrict__ q, const s_t* __restrict__ s, const x_t* __restrict__ x, y_t* __restrict__ y,
                                                 long long M, long long K, long long group) {
  const long long m = blockIdx.x * 4ll + threadIdx.y;
  if (m >= M) return;
  float own = 0.0f;
  for (long long i = threadIdx.x; i < K / 8; i += 32) {
    float v[8];
    bool silent = true;
    for (int lane = 0; lane < 8; ++lane) v[lane] = float(x[8 * i + lane]), silent = silent && v[lane] == 0.0f;
    if (silent) continue;
    const unsigned int word = q[m * (K / 8) + i];
    const float scale = float(s[m * (K / group) + 8 * i / group]);
#pragma unroll
    for (int lane = 0; lane < 8; ++lane) own = fmaf((static_cast<int>(word >> (4 * lane) & 15u) - 8) * scale, v[lane], own);
  }
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) own += __shfl_xor_sync(0xffffffffu, own, offset);
  if (threadIdx.x == 0) y[m] = y_t(own);
}
