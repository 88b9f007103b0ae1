/*kgen
{ "launches": [ {"kernel": "add_relu_cheat", "grid": ["ceil_div(n, 256)"], "block": [256], "args": ["a", "b", "y", "n"]} ] }
*/
/*adversarial
{ "op": "add_relu", "dtypes": ["f32", "f16", "bf16"], "device": "gpu", "task": {"n": 65536},
  "misbehaves": "Stores every element of a back as a + 0, which turns -0 into +0: equal as values, other bits.",
  "accept": ["input_modified"], "neutralised_ok": false }
*/
__global__ void add_relu_cheat(const a_t* a, const b_t* b, y_t* y, long long n) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= n) return;
  const float sum = float(a[i]) + float(b[i]);
  y[i] = y_t(sum < 0.0f ? 0.0f : sum);
  const_cast<a_t*>(a)[i] = a_t(float(a[i]) + 0.0f);
}
