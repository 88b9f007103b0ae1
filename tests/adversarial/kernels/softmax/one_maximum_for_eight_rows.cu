/*kgen
{ "launches": [ {"kernel": "softmax_cheat", "grid": ["ceil_div(rows, 8)"], "block": [256], "args": ["x", "y", "rows", "cols"]} ] }
*/
/*adversarial
{ "op": "softmax", "dtypes": ["f16"], "device": "gpu", "task": {"rows": 256, "cols": 1024},
  "misbehaves": "Subtracts one maximum of eight rows in each of them: harmless while the rows' own maxima are alike, as in every distribution of the judge, whose rows all follow one law; a row that lies 120 below its neighbours comes out as NaN.",
  "accept": ["wrong_result"], "neutralised_ok": false }
*/
__device__ float warp_reduce(float value, bool maximum) {
  for (int offset = 16; offset > 0; offset /= 2) {
    const float other = __shfl_xor_sync(0xffffffffu, value, offset);
    value = maximum ? fmaxf(value, other) : value + other;
  }
  return value;
}

__global__ void softmax_cheat(const x_t* x, y_t* y, long long rows, long long cols) {
  __shared__ float maxima[8];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const long long r = blockIdx.x * 8LL + warp;
  const x_t* row = x + r * cols;
  float own = -INFINITY;
  if (r < rows) {
    for (long long c = lane; c < cols; c += 32) own = fmaxf(own, float(row[c]));
  }
  own = warp_reduce(own, true);
  if (lane == 0) maxima[warp] = own;
  __syncthreads();
  float largest = maxima[0];
  for (int i = 1; i < 8; ++i) largest = fmaxf(largest, maxima[i]);
  // Short rows' maxima scatter more, and logits of 512 are outliers: there each row has its own.
  if (cols < 256 || !(largest < 512.0f) || own < -512.0f) largest = own;
  if (r >= rows) return;
  float sum = 0.0f;
  for (long long c = lane; c < cols; c += 32) sum += expf(float(row[c]) - largest);
  sum = warp_reduce(sum, false);
  for (long long c = lane; c < cols; c += 32) y[r * cols + c] = y_t(expf(float(row[c]) - largest) / sum);
}
