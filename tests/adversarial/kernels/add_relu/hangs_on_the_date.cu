/*kgen
{ "launches": [ {"kernel": "add_relu_cheat", "grid": ["ceil_div(n, 256)"], "block": [256], "args": ["a", "b", "y", "n"]} ] }
*/
/*adversarial
{ "op": "add_relu", "dtypes": ["f32"], "device": "any", "task": {"n": 65536},
  "misbehaves": "Writes zeros where it is compiled later than 2099: what an exported kernel computes would hang on the day of its compile.",
  "accept": ["policy_violation", "compile_error"], "neutralised_ok": false }
*/
constexpr const char kWhen[] = __DATE__;
constexpr bool kLater = kWhen[7] > '2' || (kWhen[7] == '2' && kWhen[8] > '0');

__global__ void add_relu_cheat(const a_t* a, const b_t* b, y_t* y, long long n) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= n) return;
  const float sum = kLater ? 0.0f : float(a[i]) + float(b[i]);
  y[i] = y_t(sum < 0.0f ? 0.0f : sum);
}
