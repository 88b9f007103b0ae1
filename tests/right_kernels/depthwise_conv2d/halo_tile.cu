/*kgen
{ "let": {"P": "(H + 2 * pad - R) / stride + 1", "Q": "(W + 2 * pad - S) / stride + 1", "TH": "7 * stride + R", "TW": "15 * stride + S",
          "tp": "ceil_div(P, 8)", "tq": "ceil_div(Q, 16)"},
  "requires": ["((7 * stride + R) * (15 * stride + S) + R * S) * 4 <= 49152"],
  "launches": [ {"kernel": "dw_tile", "grid": ["N * C * tp * tq"], "block": [16, 8], "dynamic_shared_bytes": "(TH * TW + R * S) * 4",
                 "args": ["x", "w", "y", "C", "H", "W", "R", "S", "P", "Q", "stride", "pad", "tp", "tq", "TH", "TW"]} ],
  "notes": "8 x 16 outputs a block, their window of the image with its halo in shared memory as f32, zeros outside." }
*/
__global__ void __launch_bounds__(128)
    dw_tile(const x_t* __restrict__ x, const w_t* __restrict__ w, y_t* __restrict__ y, int64_t C, int64_t H,
            int64_t W, int R, int S, int64_t P, int64_t Q, int stride, int64_t pad, int64_t tp, int64_t tq,
            int TH, int TW) {
  extern __shared__ float smem[];
  float* tile = smem;
  float* flt = smem + TH * TW;
  const int64_t q0 = blockIdx.x % tq * 16, p0 = blockIdx.x / tq % tp * 8, plane = blockIdx.x / tq / tp;
  const int tid = threadIdx.y * 16 + threadIdx.x;
  for (int i = tid; i < R * S; i += 128) flt[i] = float(w[plane % C * R * S + i]);
  const int64_t h0 = p0 * stride - pad, w0 = q0 * stride - pad;
  for (int i = tid; i < TH * TW; i += 128) {
    const int64_t h = h0 + i / TW, v = w0 + i % TW;
    tile[i] = (h >= 0 && h < H && v >= 0 && v < W) ? float(x[(plane * H + h) * W + v]) : 0.f;
  }
  __syncthreads();
  const int64_t p = p0 + threadIdx.y, q = q0 + threadIdx.x;
  if (p >= P || q >= Q) return;
  float acc = 0.f;
  for (int r = 0; r < R; ++r)
    for (int s = 0; s < S; ++s)
      acc += tile[(threadIdx.y * stride + r) * TW + threadIdx.x * stride + s] * flt[r * S + s];
  y[(plane * P + p) * Q + q] = y_t(acc);
}
