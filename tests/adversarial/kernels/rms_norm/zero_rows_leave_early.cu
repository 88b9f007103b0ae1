/*kgen
{ "requires": ["cols % 64 == 0"],
  "launches": [ {"kernel": "rms_norm", "grid": ["rows"], "block": [256], "args": ["x", "w", "y", "cols", "eps"]} ] }
*/
/*adversarial
{ "op": "rms_norm", "dtypes": ["bf16"], "device": "gpu", "task": {"rows": 64, "cols": 1024},
  "misbehaves": "Where a row's sum of squares is 0 zeros are written and weights not read: 0 times a weight that is infinite or NaN is NaN.",
  "accept": ["wrong_result"], "neutralised_ok": false }
*/
__global__ void __launch_bounds__(256) rms_norm(const x_t* __restrict__ x, const w_t* __restrict__ w, y_t* __restrict__ y, long long cols, float eps) {
  __shared__ float shared[8];
  const x_t* const row = x + blockIdx.x * cols;
  float sum = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += 256) sum += float(row[c]) * float(row[c]);
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
  if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = sum;
  __syncthreads();
  sum = 0.0f;
  for (int i = 0; i < 8; ++i) sum += shared[i];
  if (sum == 0.0f) {
    for (long long c = threadIdx.x; c < cols; c += 256) y[blockIdx.x * cols + c] = y_t(0.0f);
    return;
  }
  const float root = rsqrtf(sum / cols + eps);
  for (long long c = threadIdx.x; c < cols; c += 256) y[blockIdx.x * cols + c] = y_t(float(row[c]) * root * float(w[c]));
}
