/*kgen
{ "requires": ["dtype(x) == bf16", "cols % 2 == 0", "cols <= 2048"],
  "defines": {"PAIRS": "ceil_div(cols, 64)"},
  "launches": [ {"kernel": "softmax_warp", "grid": ["ceil_div(rows, 4)"], "block": [32, 4], "args": ["x", "y", "rows", "cols"]} ],
  "notes": "PyTorch's persistent warp softmax: the row in a warp's registers as bf162 pairs." }
*/
__global__ void __launch_bounds__(128)
    softmax_warp(const x_t* __restrict__ x, y_t* __restrict__ y, int64_t rows, int cols) {
  const int64_t row = (int64_t)blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const __nv_bfloat162* src = reinterpret_cast<const __nv_bfloat162*>(x + row * cols);
  __nv_bfloat162* dst = reinterpret_cast<__nv_bfloat162*>(y + row * cols);
  float2 e[PAIRS];
  float mx = -INFINITY;
#pragma unroll
  for (int i = 0; i < PAIRS; ++i) {
    const int c = threadIdx.x + 32 * i;
    e[i] = c < cols / 2 ? __bfloat1622float2(src[c]) : make_float2(-INFINITY, -INFINITY);
    mx = fmaxf(mx, fmaxf(e[i].x, e[i].y));
  }
#pragma unroll
  for (int o = 16; o > 0; o /= 2) mx = fmaxf(mx, __shfl_xor_sync(0xffffffffu, mx, o, 32));
  float sum = 0.f;
#pragma unroll
  for (int i = 0; i < PAIRS; ++i) {
    e[i].x = __expf(e[i].x - mx);
    e[i].y = __expf(e[i].y - mx);
    sum += e[i].x + e[i].y;
  }
#pragma unroll
  for (int o = 16; o > 0; o /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, o, 32);
#pragma unroll
  for (int i = 0; i < PAIRS; ++i) {
    const int c = threadIdx.x + 32 * i;
    if (c < cols / 2) dst[c] = __float22bfloat162_rn(make_float2(e[i].x / sum, e[i].y / sum));
  }
}
