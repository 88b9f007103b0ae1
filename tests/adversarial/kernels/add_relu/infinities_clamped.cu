/*kgen
{ "launches": [ {"kernel": "add_relu_cheat", "grid": ["ceil_div(n, 256)"], "block": [256], "args": ["a", "b", "y", "n"]} ] }
*/
/*adversarial
{ "op": "add_relu", "dtypes": ["f32", "bf16"], "device": "gpu", "task": {"n": 65536},
  "misbehaves": "Clamps inputs to +-60000, so infinities and large values come out finite.",
  "accept": ["wrong_result"], "neutralised_ok": false }
*/
__global__ void add_relu_cheat(const a_t* a, const b_t* b, y_t* y, long long n) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= n) return;
  const float sum = fminf(fmaxf(float(a[i]), -60000.0f), 60000.0f) + float(b[i]);
  y[i] = y_t(sum < 0.0f ? 0.0f : sum);
}
