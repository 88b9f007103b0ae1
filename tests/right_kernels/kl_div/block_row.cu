/*kgen
{ "launches": [ {"kernel": "kl_rows", "grid": ["rows"], "block": [256], "args": ["q", "p", "loss", "cols"]} ],
  "notes": "A block a row; log by log2f; tree reduction in shared memory." }
*/
__global__ void __launch_bounds__(256)
    kl_rows(const q_t* __restrict__ q, const p_t* __restrict__ p, float* __restrict__ loss, int64_t cols) {
  __shared__ float red[256];
  const int64_t base = (int64_t)blockIdx.x * cols;
  float acc = 0.f;
#pragma unroll 4
  for (int64_t c = threadIdx.x; c < cols; c += 256) {
    const float pv = float(p[base + c]);
    const float qv = float(q[base + c]);
    acc += (pv == 0.f) ? 0.f : pv * (logf(pv) - qv);
  }
  red[threadIdx.x] = acc;
  __syncthreads();
  for (int s = 128; s > 0; s >>= 1) {
    if (threadIdx.x < s) red[threadIdx.x] += red[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) loss[blockIdx.x] = red[0];
}
