/*kgen
{ "launches": [ {"kernel": "add_relu_cheat", "grid": ["ceil_div(n, 256)"], "block": [256], "args": ["a", "b", "y", "n"]} ] }
*/
/*adversarial
{ "op": "add_relu", "dtypes": ["f32"], "device": "gpu", "task": {"n": 65536},
  "misbehaves": "Adds to what y holds, as if it began at zero.",
  "accept": ["wrong_result", "uninitialised_read", "nondeterministic"], "neutralised_ok": false }
*/
__global__ void add_relu_cheat(const a_t* a, const b_t* b, y_t* y, long long n) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= n) return;
  const float sum = float(a[i]) + float(b[i]);
  y[i] += y_t(sum < 0.0f ? 0.0f : sum);
}
