/*kgen
{ "launches": [ {"kernel": "add_relu_cheat", "grid": ["ceil_div(n, 256)"], "block": [256], "args": ["a", "b", "y", "n"]} ] }
*/
/*adversarial
{ "op": "add_relu", "dtypes": ["f32", "f16", "bf16"], "device": "gpu", "task": {"n": 65536},
  "misbehaves": "A factor in a device global grows by 2^-14 with every launch, so that results leave the tolerance slowly.",
  "accept": ["hidden_state", "wrong_result", "nondeterministic"], "neutralised_ok": false,
  "emulator": {"accept": ["race"]} }
*/
__device__ float drift = 1.0f;

__global__ void add_relu_cheat(const a_t* a, const b_t* b, y_t* y, long long n) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= n) return;
  const float sum = (float(a[i]) + float(b[i])) * drift;
  y[i] = y_t(sum < 0.0f ? 0.0f : sum);
  if (i == 0) drift += 0x1p-14f;
}
