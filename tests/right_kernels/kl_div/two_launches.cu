/*kgen
{ "let": {"parts": "max(1, min(16, cols / 512))"},
  "workspace": {"part": {"bytes": "rows * parts * 4"}},
  "launches": [ {"kernel": "kl_part", "grid": ["rows * parts"], "block": [128], "args": ["q", "p", "part", "cols", "parts"]},
                {"kernel": "kl_sum", "grid": ["ceil_div(rows, 128)"], "block": [128], "args": ["part", "loss", "rows", "parts"]} ],
  "notes": "Parts of a row to a workspace, added in order by a second launch; log by log2 times ln 2." }
*/
__global__ void __launch_bounds__(128) kl_part(const q_t* __restrict__ q, const p_t* __restrict__ p,
                                               float* __restrict__ part, int64_t cols, int parts) {
  __shared__ float sh[4];
  const int64_t row = blockIdx.x / parts, w = blockIdx.x % parts;
  float acc = 0.f, comp = 0.f;
  for (int64_t c = cols * w / parts + threadIdx.x; c < cols * (w + 1) / parts; c += 128) {
    const float t = float(p[row * cols + c]);
    float term = t * (log2f(t) * 0.69314718055994530942f - float(q[row * cols + c]));
    if (t == 0.f) term = 0.f;
    acc += term;
  }
  (void)comp;
  for (int o = 16; o; o >>= 1) acc += __shfl_xor_sync(0xffffffffu, acc, o);
  if (threadIdx.x % 32 == 0) sh[threadIdx.x / 32] = acc;
  __syncthreads();
  if (threadIdx.x == 0) part[blockIdx.x] = (sh[0] + sh[1]) + (sh[2] + sh[3]);
}
__global__ void __launch_bounds__(128)
    kl_sum(const float* __restrict__ part, float* __restrict__ loss, int64_t rows, int parts) {
  const int64_t r = (int64_t)blockIdx.x * 128 + threadIdx.x;
  if (r >= rows) return;
  float s = 0.f;
  for (int i = 0; i < parts; ++i) s += part[r * parts + i];
  loss[r] = s;
}
