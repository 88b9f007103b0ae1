/*kgen
{ "launches": [ {"kernel": "softmax_cheat", "grid": ["rows"], "block": [256], "args": ["x", "y", "cols"]} ] }
*/
/*adversarial
{ "op": "softmax", "dtypes": ["bf16"], "device": "gpu", "task": {"rows": 256, "cols": 1024},
  "misbehaves": "Reads the other warps' partial sums without a barrier behind the writes; later warps take a nap before theirs.",
  "accept": ["race", "wrong_result", "nondeterministic", "uninitialised_read"], "neutralised_ok": false }
*/
__global__ void softmax_cheat(const x_t* x, y_t* y, long long cols) {
  __shared__ float partial[256];
  __shared__ float largest;
  const x_t* row = x + blockIdx.x * cols;
  if (threadIdx.x == 0) {
    largest = -INFINITY;
    for (long long c = 0; c < cols; ++c) largest = fmaxf(largest, float(row[c]));
  }
  __syncthreads();
  float mine = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += 256) mine += expf(float(row[c]) - largest);
  if (threadIdx.x >= 128) __nanosleep(20000);
  partial[threadIdx.x] = mine;
  float sum = 0.0f;
  for (int i = 0; i < 256; ++i) sum += static_cast<volatile float*>(partial)[i];
  for (long long c = threadIdx.x; c < cols; c += 256) y[blockIdx.x * cols + c] = y_t(expf(float(row[c]) - largest) / sum);
}
