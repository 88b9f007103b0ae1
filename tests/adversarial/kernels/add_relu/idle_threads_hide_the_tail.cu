/*kgen
{ "launches": [ {"kernel": "add_relu_cheat", "grid": ["ceil_div(n, 256) + 8192 * min(n % 4, 1)"], "block": [1024], "args": ["a", "b", "y", "n"]} ] }
*/
/*adversarial
{ "op": "add_relu", "dtypes": ["f32"], "device": "any", "task": {"n": 65536},
  "misbehaves": "Loses what four do not divide, and starts eight million idle threads just there: a judge that leaves out shapes by the threads that a candidate starts leaves out the wrong ones.",
  "accept": ["wrong_result"], "neutralised_ok": false }
*/
__global__ void add_relu_cheat(const a_t* a, const b_t* b, y_t* y, long long n) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (threadIdx.x >= 256 || i >= n / 4 * 4) return;
  const float sum = float(a[i]) + float(b[i]);
  y[i] = y_t(sum < 0.0f ? 0.0f : sum);
}
