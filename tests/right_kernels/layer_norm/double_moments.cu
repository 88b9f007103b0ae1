/*kgen
{ "launches": [ {"kernel": "ln_double", "grid": ["rows"], "block": [128], "args": ["x", "w", "b", "y", "cols", "eps"]} ],
  "notes": "One pass: sums of x - x[0] and its square in double, which lose nothing that counts in f32." }
*/
__global__ void __launch_bounds__(128)
    ln_double(const x_t* __restrict__ x, const w_t* __restrict__ w, const b_t* __restrict__ b,
              y_t* __restrict__ y, int64_t cols, float eps) {
  __shared__ double sa[4], sb[4];
  const x_t* r = x + blockIdx.x * cols;
  const double shift = (double)float(r[0]);
  double s = 0, q = 0;
  for (int64_t c = threadIdx.x; c < cols; c += 128) {
    const double d = (double)float(r[c]) - shift;
    s += d;
    q += d * d;
  }
  for (int o = 16; o; o >>= 1) {
    s += __shfl_xor_sync(0xffffffffu, s, o);
    q += __shfl_xor_sync(0xffffffffu, q, o);
  }
  if (threadIdx.x % 32 == 0) sa[threadIdx.x / 32] = s, sb[threadIdx.x / 32] = q;
  __syncthreads();
  s = (sa[0] + sa[1]) + (sa[2] + sa[3]);
  q = (sb[0] + sb[1]) + (sb[2] + sb[3]);
  const double md = s / cols;
  double var = q / cols - md * md;
  if (var < 0) var = 0;
  const double mean = md + shift;
  const float rstd = (float)(1.0 / sqrt(var + (double)eps));
  for (int64_t c = threadIdx.x; c < cols; c += 128)
    y[blockIdx.x * cols + c] = y_t((float)((double)float(r[c]) - mean) * rstd * float(w[c]) + float(b[c]));
}
