/*kgen
{ "launches": [ {"kernel": "softmax_cheat", "grid": ["rows"], "block": [32], "args": ["x", "y", "cols"]} ] }
*/
/*adversarial
{ "op": "softmax", "dtypes": ["bf16"], "device": "gpu", "task": {"rows": 256, "cols": 1024},
  "misbehaves": "Holds the row sums that one seed's inputs gave and never adds anything up.",
  "accept": ["wrong_result"], "neutralised_ok": false }
*/
__constant__ float sums_of_seed_0[8] = {101.3f, 98.7f, 120.9f, 87.1f, 93.4f, 110.2f, 99.8f, 104.6f};

__global__ void softmax_cheat(const x_t* x, y_t* y, long long cols) {
  const float sum = sums_of_seed_0[blockIdx.x % 8];
  for (long long c = threadIdx.x; c < cols; c += 32) {
    const long long i = blockIdx.x * cols + c;
    y[i] = y_t(expf(float(x[i]) - 3.2f) / sum);
  }
}
