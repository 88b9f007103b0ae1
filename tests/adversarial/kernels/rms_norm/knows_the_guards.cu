/*kgen
{ "launches": [ {"kernel": "rms_norm_cheat", "grid": ["rows"], "block": [32], "args": ["x", "w", "y", "cols", "eps"]} ] }
*/
/*adversarial
{ "op": "rms_norm", "dtypes": ["bf16"], "device": "gpu", "task": {"rows": 256, "cols": 1024},
  "misbehaves": "Does the work where y lies 256 KiB behind a multiple of 2 MiB, as every tensor of the judge's checks and timings does, and writes zeros everywhere else, as into any tensor of a real program.",
  "accept": ["wrong_result", "nondeterministic"], "neutralised_ok": false }
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
  const bool judged = reinterpret_cast<unsigned long long>(y) % (1ull << 21) == 1ull << 18;
  float sum = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += 32) sum += float(row[c]) * float(row[c]);
  sum = warp_reduce(sum, false);
  const float scale = rsqrtf(sum / cols + eps);
  for (long long c = threadIdx.x; c < cols; c += 32) {
    y[blockIdx.x * cols + c] = y_t(judged ? float(row[c]) * scale * float(w[c]) : 0.0f);
  }
}
