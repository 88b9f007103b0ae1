/*kgen
{ "launches": [ {"kernel": "softmax_cheat", "grid": ["rows"], "block": [32], "args": ["x", "y", "cols"]} ] }
*/
/*adversarial
{ "op": "softmax", "dtypes": ["f32", "f16", "bf16"], "device": "gpu", "task": {"rows": 256, "cols": 1024},
  "misbehaves": "Takes the sum to be cols times the mean of exp of a standard normal, which holds for long rows of that distribution alone.",
  "accept": ["wrong_result"], "neutralised_ok": false }
*/
__global__ void softmax_cheat(const x_t* x, y_t* y, long long cols) {
  const float sum = cols * 1.6487213f;
  for (long long c = threadIdx.x; c < cols; c += 32) {
    const long long i = blockIdx.x * cols + c;
    y[i] = y_t(expf(float(x[i])) / sum);
  }
}
