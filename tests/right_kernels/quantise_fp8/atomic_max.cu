/*kgen
{ "let": {"parts": "max(1, min(8, cols / 512))"},
  "workspace": {"amax": {"bytes": "rows * 4"}},
  "launches": [ {"fill": "amax", "value": 0},
                {"kernel": "row_amax", "grid": ["rows * parts"], "block": [128], "args": ["x", "amax", "cols", "parts"]},
                {"kernel": "row_quant", "grid": ["rows * parts"], "block": [128], "args": ["x", "amax", "q", "s", "cols", "parts"]} ],
  "notes": "Maxima by atomicMax on the bits of non-negative floats (order does not matter), a second launch quantises." }
*/
__global__ void __launch_bounds__(128)
    row_amax(const x_t* __restrict__ x, int* __restrict__ amax, int64_t cols, int parts) {
  const int64_t row = blockIdx.x / parts, p = blockIdx.x % parts;
  float m = 0.f;
  for (int64_t c = cols * p / parts + threadIdx.x; c < cols * (p + 1) / parts; c += 128)
    m = fmaxf(m, fabsf(float(x[row * cols + c])));
  const int b = __reduce_max_sync(0xffffffffu, __float_as_int(m));
  if (threadIdx.x % 32 == 0) atomicMax(amax + row, b);
}
__global__ void __launch_bounds__(128)
    row_quant(const x_t* __restrict__ x, const int* __restrict__ amax, q_t* __restrict__ q,
              s_t* __restrict__ s, int64_t cols, int parts) {
  const int64_t row = blockIdx.x / parts, p = blockIdx.x % parts;
  const float scale = __int_as_float(amax[row]) / 448.0f;
  if (p == 0 && threadIdx.x == 0) s[row] = scale;
  for (int64_t c = cols * p / parts + threadIdx.x; c < cols * (p + 1) / parts; c += 128) {
    const float v = scale > 0.f ? float(x[row * cols + c]) / scale : 0.f;
    q[row * cols + c] = q_t(fmaxf(-448.f, fminf(448.f, v)));
  }
}
