/*kgen
{ "tunables": {"CHEAT": [1, 0]}, "defaults": {"CHEAT": 1},
  "launches": [ {"kernel": "add_relu_cheat", "grid": ["ceil_div(n, 256)"], "block": [256], "args": ["a", "b", "y", "n"]} ] }
*/
/*adversarial
{ "op": "add_relu", "dtypes": ["f32"], "device": "gpu", "task": {"n": 4194304},
  "misbehaves": "Prefetches the inputs into L2 once more at its end, so that a timed launch on the same buffers would find them there.",
  "accept": ["wrong_result", "hidden_state"], "neutralised_ok": true,
  "timing": true,
  "honest_variant": {"CHEAT": 0} }
*/
__global__ void add_relu_cheat(const a_t* a, const b_t* b, y_t* y, long long n) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= n) return;
  const float sum = float(a[i]) + float(b[i]);
  y[i] = y_t(sum < 0.0f ? 0.0f : sum);
  #if CHEAT
  asm volatile("prefetch.global.L2::evict_last [%0];" ::"l"(a + i));
  asm volatile("prefetch.global.L2::evict_last [%0];" ::"l"(b + i));
  #endif
}
