/*kgen
{ "let": {"split": "cols >= 16384 && rows < num_sms", "parts": "split ? 16 : 1"},
  "workspace": {"m": {"bytes": "rows * parts * 4"}, "l": {"bytes": "rows * parts * 4"}},
  "launches": [ {"kernel": "part", "grid": ["rows * parts"], "block": [128], "args": ["x", "m", "l", "cols", "parts"]},
                {"kernel": "finish", "grid": ["ceil_div(rows, 128)"], "block": [128], "args": ["x", "target", "m", "l", "loss", "rows", "cols", "parts"]} ],
  "notes": "Partial results of long rows are written row by row and read part by part. Rejected by: values." }
*/
__global__ void __launch_bounds__(128) part(const x_t* __restrict__ x, float* gm, float* gl, long long cols, int parts) {
  __shared__ float sm[128], sl[128];
  const long long row = blockIdx.x / parts;
  const int p = blockIdx.x % parts;
  float m = -INFINITY, l = 0.0f;
  bool bad = false;
  for (long long c = p * 128LL + threadIdx.x; c < cols; c += parts * 128LL) {
    const float v = float(x[row * cols + c]);
    bad |= !(v < INFINITY);
    if (v > m) { l = l * __expf(m - v) + 1.0f; m = v; }
    else if (v > -INFINITY) l += __expf(v - m);
  }
  if (bad) l = NAN;
  sm[threadIdx.x] = m, sl[threadIdx.x] = l;
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      const float om = sm[threadIdx.x + half], ol = sl[threadIdx.x + half], next = fmaxf(m, om);
      l = l * (m == next ? 1.0f : __expf(m - next)) + ol * (om == next ? 1.0f : __expf(om - next));
      m = next;
      sm[threadIdx.x] = m, sl[threadIdx.x] = l;
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) gm[blockIdx.x] = m, gl[blockIdx.x] = l;
}
__global__ void __launch_bounds__(128) finish(const x_t* __restrict__ x, const int* __restrict__ target, const float* gm, const float* gl, float* loss, long long rows, long long cols, int parts) {
  const long long row = blockIdx.x * 128LL + threadIdx.x;
  if (row >= rows) return;
  float m = -INFINITY, l = 0.0f;
  for (int i = 0; i < parts; ++i) {
    const long long at = parts == 1 ? row : i * rows + row;  // written as row * parts + i
    const float om = gm[at], ol = gl[at], next = fmaxf(m, om);
    l = l * (m == next ? 1.0f : __expf(m - next)) + ol * (om == next ? 1.0f : __expf(om - next));
    m = next;
  }
  loss[row] = m == -INFINITY ? NAN : m + logf(l) - float(x[row * cols + target[row]]);
}
