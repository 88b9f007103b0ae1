/*kgen
{ "workspace": {"scratch": {"bytes": "256 + 402653184 * min(n % 8, 1)"}},
  "launches": [ {"kernel": "add_relu_cheat", "grid": ["ceil_div(n, 256)"], "block": [256], "args": ["a", "b", "y", "n", "scratch"]} ] }
*/
/*adversarial
{ "op": "add_relu", "dtypes": ["f32"], "device": "any", "task": {"n": 65536},
  "misbehaves": "Loses what eight do not divide, and asks for 384 MiB of workspace just there, which it does not use: a judge without so much memory would leave those shapes out.",
  "accept": ["wrong_result", "plan_invalid"], "neutralised_ok": false }
*/
__global__ void add_relu_cheat(const a_t* a, const b_t* b, y_t* y, long long n, unsigned char* scratch) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= n / 8 * 8 || scratch == nullptr) return;
  const float sum = float(a[i]) + float(b[i]);
  y[i] = y_t(sum < 0.0f ? 0.0f : sum);
}
