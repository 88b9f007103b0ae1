/*kgen
{ "launches": [ {"kernel": "rms_norm_cheat", "grid": ["rows"], "block": [32], "args": ["x", "w", "y", "cols", "eps"]} ] }
*/
/*adversarial
{ "op": "rms_norm", "dtypes": ["f32", "bf16"], "device": "gpu", "task": {"rows": 256, "cols": 1024},
  "misbehaves": "Takes any eps below the op's default for that default: with an eps of 1e-6 or 0, and rows of small values, results are too small. It claims every eps.",
  "accept": ["wrong_result"], "neutralised_ok": false }
*/
__device__ float warp_reduce(float value, bool maximum) {
  for (int offset = 16; offset > 0; offset /= 2) {
    const float other = __shfl_xor_sync(0xffffffffu, value, offset);
    value = maximum ? fmaxf(value, other) : value + other;
  }
  return value;
}

__global__ void rms_norm_cheat(const x_t* x, const w_t* w, y_t* y, long long cols, float eps) {
  const x_t* row = x + blockIdx.x * cols;
  float sum = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += 32) sum += float(row[c]) * float(row[c]);
  sum = warp_reduce(sum, false);
  const float scale = rsqrtf(sum / cols + fmaxf(eps, 1e-5f));
  for (long long c = threadIdx.x; c < cols; c += 32) y[blockIdx.x * cols + c] = y_t(float(row[c]) * scale * float(w[c]));
}
