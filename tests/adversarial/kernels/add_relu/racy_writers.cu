/*kgen
{ "launches": [ {"kernel": "add_relu_cheat", "grid": ["ceil_div(n, 256)", 2], "block": [256], "args": ["a", "b", "y", "n"]} ] }
*/
/*adversarial
{ "op": "add_relu", "dtypes": ["f32"], "device": "gpu", "task": {"n": 65536},
  "misbehaves": "Two blocks write the same elements, one of them without b and sometimes late: the last writer decides.",
  "accept": ["wrong_result", "nondeterministic", "race"], "neutralised_ok": false }
*/
__global__ void add_relu_cheat(const a_t* a, const b_t* b, y_t* y, long long n) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= n) return;
  if (blockIdx.y == 0) __nanosleep((blockIdx.x % 4) * 2000);
  const float sum = float(a[i]) + (blockIdx.y == 0 ? 0.0f : float(b[i]));
  y[i] = y_t(sum < 0.0f ? 0.0f : sum);
}
