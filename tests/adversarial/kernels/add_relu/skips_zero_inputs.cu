/*kgen
{ "launches": [ {"kernel": "add_relu_cheat", "grid": ["ceil_div(n, 256)"], "block": [256], "args": ["a", "b", "y", "n"]} ] }
*/
/*adversarial
{ "op": "add_relu", "dtypes": ["f32", "f16", "bf16"], "device": "gpu", "task": {"n": 65536},
  "misbehaves": "Takes a block that begins with zeros for a warm-up on empty buffers and writes nothing there.",
  "accept": ["wrong_result"], "neutralised_ok": false }
*/
__global__ void add_relu_cheat(const a_t* a, const b_t* b, y_t* y, long long n) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= n) return;
  if (float(a[blockIdx.x * 256LL]) == 0.0f && float(b[blockIdx.x * 256LL]) == 0.0f) return;
  const float sum = float(a[i]) + float(b[i]);
  y[i] = y_t(sum < 0.0f ? 0.0f : sum);
}
