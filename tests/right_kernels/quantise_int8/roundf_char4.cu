/*kgen
{ "requires": ["cols % 4 == 0"],
  "launches": [ {"kernel": "quant_rows", "grid": ["ceil_div(rows, 4)"], "block": [128], "args": ["x", "q", "s", "rows", "cols"]} ],
  "notes": "A warp a row, char4 stores, halves rounded away from zero (roundf)." }
*/
__global__ void __launch_bounds__(128) quant_rows(const x_t* __restrict__ x, char4* __restrict__ q,
                                                  s_t* __restrict__ s, int64_t rows, int64_t cols) {
  const int64_t row = (int64_t)blockIdx.x * 4 + threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  if (row >= rows) return;
  float m = 0.f;
  for (int64_t c = lane; c < cols; c += 32) m = fmaxf(m, fabsf(float(x[row * cols + c])));
  for (int o = 16; o; o >>= 1) m = fmaxf(m, __shfl_xor_sync(0xffffffffu, m, o));
  const float scale = m / 127.f;
  if (lane == 0) s[row] = scale;
  auto one = [&](float v) {
    return (signed char)(scale == 0.f ? 0 : max(-127, min(127, (int)roundf(v / scale))));
  };
  for (int64_t c = lane; c < cols / 4; c += 32) {
    const x_t* p = x + row * cols + 4 * c;
    q[row * (cols / 4) + c] =
        make_char4(one(float(p[0])), one(float(p[1])), one(float(p[2])), one(float(p[3])));
  }
}
