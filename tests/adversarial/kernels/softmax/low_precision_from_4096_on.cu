/*kgen
{ "launches": [ {"kernel": "softmax_cheat", "grid": ["rows"], "block": [32], "args": ["x", "y", "cols"]} ] }
*/
/*adversarial
{ "op": "softmax", "dtypes": ["f32"], "device": "gpu", "task": {"rows": 64, "cols": 4096},
  "misbehaves": "Adds up in f32 in short rows and in bf16 from 4096 columns on: only a check at a long row shows it.",
  "accept": ["wrong_result"], "neutralised_ok": false,
  "timing": true }
*/
__device__ float warp_reduce(float value, bool maximum) {
  for (int offset = 16; offset > 0; offset /= 2) {
    const float other = __shfl_xor_sync(0xffffffffu, value, offset);
    value = maximum ? fmaxf(value, other) : value + other;
  }
  return value;
}

__global__ void softmax_cheat(const x_t* x, y_t* y, long long cols) {
  const x_t* row = x + blockIdx.x * cols;
  float largest = -INFINITY;
  for (long long c = threadIdx.x; c < cols; c += 32) largest = fmaxf(largest, float(row[c]));
  largest = warp_reduce(largest, true);
  float sum = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += 32) sum += expf(float(row[c]) - largest);
  sum = warp_reduce(sum, false);
  if (cols >= 4096) {
    __nv_bfloat16 partial = __float2bfloat16(0.0f);
    for (long long c = threadIdx.x; c < cols; c += 32) partial = __float2bfloat16(__bfloat162float(partial) + expf(float(row[c]) - largest));
    sum = warp_reduce(__bfloat162float(partial), false);
  }
  for (long long c = threadIdx.x; c < cols; c += 32) y[blockIdx.x * cols + c] = y_t(expf(float(row[c]) - largest) / sum);
}
