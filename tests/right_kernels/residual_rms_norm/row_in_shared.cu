/*kgen
{ "requires": ["cols * 4 + 256 <= max_dynamic_shared"],
  "launches": [ {"kernel": "fused_add_rms_norm", "grid": ["rows"], "block": ["min(1024, max(32, round_up(ceil_div(cols, 4), 32)))"], "dynamic_shared_bytes": "cols * 4",
                 "args": ["x", "residual", "w", "y", "cols", "eps"]} ],
  "notes": "h as f32 in shared memory; two-stage shuffle reduction; residual written in the first pass." }
*/
__device__ __forceinline__ float warpReduceSum(float v) {
  for (int m = 16; m > 0; m >>= 1) v += __shfl_xor_sync(0xffffffff, v, m);
  return v;
}
__device__ __forceinline__ float blockReduceSum(float v) {
  static __shared__ float shared[32];
  const int lane = threadIdx.x & 31, wid = threadIdx.x >> 5;
  v = warpReduceSum(v);
  if (lane == 0) shared[wid] = v;
  __syncthreads();
  v = (threadIdx.x < blockDim.x / 32) ? shared[lane] : 0.0f;
  if (wid == 0) v = warpReduceSum(v);
  return v;
}
__global__ void fused_add_rms_norm(const x_t* __restrict__ x, residual_t* __restrict__ residual,
                                   const w_t* __restrict__ w, y_t* __restrict__ y, const int64_t cols,
                                   const float eps) {
  extern __shared__ float h[];
  __shared__ float s_var;
  const int64_t base = blockIdx.x * cols;
  float var = 0.0f;
  for (int64_t i = threadIdx.x; i < cols; i += blockDim.x) {
    const float z = float(x[base + i]) + float(residual[base + i]);
    h[i] = z;
    residual[base + i] = residual_t(z);
    var += z * z;
  }
  var = blockReduceSum(var);
  if (threadIdx.x == 0) s_var = rsqrtf(var / cols + eps);
  __syncthreads();
  for (int64_t i = threadIdx.x; i < cols; i += blockDim.x) y[base + i] = y_t(h[i] * s_var * float(w[i]));
}
