/*kgen
{ "let": {"fits": "cols * 4 + 256 <= max_dynamic_shared"},
  "launches": [ {"kernel": "layer_norm", "grid": ["fits ? rows : max(rows, 2048)"], "block": [256], "dynamic_shared_bytes": "fits ? cols * 4 : 0", "args": ["x", "w", "b", "y", "rows", "cols", "eps", "fits"]} ],
  "notes": "The row in shared memory where it fits, else one pass for both moments and blocks to spare." }
*/
/*adversarial
{ "op": "layer_norm", "dtypes": ["f32"], "device": "gpu", "task": {"rows": 8, "cols": 256},
  "misbehaves": "The variance of rows that do not fit in shared memory (58049 columns or more) is E[x^2] - mean^2, which cancels where a row is nearly one value. Few distributions are, and idle threads make these shapes dear to interpret.",
  "accept": ["wrong_result"], "neutralised_ok": false }
*/
__device__ float block_sum(float v) {
  __shared__ float part[32];
  for (int o = 16; o > 0; o /= 2) v += __shfl_xor_sync(0xffffffffu, v, o);
  __syncthreads();
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = v;
  __syncthreads();
  float s = 0.0f;
  for (int i = 0; i < blockDim.x / 32; ++i) s += part[i];
  return s;
}

__global__ void layer_norm(const x_t* x, const w_t* w, const b_t* b, y_t* y, long long rows, long long cols, float eps, bool fits) {
  if (blockIdx.x >= rows) return;
  extern __shared__ float row[];
  x += blockIdx.x * cols, y += blockIdx.x * cols;
  float s = 0.0f, q = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += 256) { const float v = float(x[c]); if (fits) row[c] = v; s += v; q += v * v; }
  const float mean = block_sum(s) / cols;
  float var;
  if (fits) {
    q = 0.0f;
    for (long long c = threadIdx.x; c < cols; c += 256) q += (row[c] - mean) * (row[c] - mean);
    var = block_sum(q) / cols;
  } else var = block_sum(q) / cols - mean * mean;
  const float f = rsqrtf(var + eps);
  for (long long c = threadIdx.x; c < cols; c += 256) y[c] = y_t(((fits ? row[c] : float(x[c])) - mean) * f * float(w[c]) + float(b[c]));
}
