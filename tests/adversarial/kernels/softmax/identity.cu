/*kgen
{ "launches": [ {"kernel": "softmax_cheat", "grid": ["rows"], "block": [32], "args": ["x", "y", "cols"]} ] }
*/
/*adversarial
{ "op": "softmax", "dtypes": ["f32", "f16", "bf16"], "device": "gpu", "task": {"rows": 256, "cols": 1024},
  "misbehaves": "Copies x.",
  "accept": ["wrong_result"], "neutralised_ok": false }
*/
__global__ void softmax_cheat(const x_t* x, y_t* y, long long cols) {
  for (long long c = threadIdx.x; c < cols; c += 32) y[blockIdx.x * cols + c] = y_t(float(x[blockIdx.x * cols + c]));
}
