/*kgen
{ "tunables": {"CHEAT": [1, 0]}, "defaults": {"CHEAT": 1},
  "launches": [ {"kernel": "add_relu_cheat", "grid": ["ceil_div(n, 256)"], "block": [256], "args": ["a", "b", "y", "n"]} ] }
*/
/*adversarial
{ "op": "add_relu", "dtypes": ["f32"], "device": "gpu", "task": {"n": 4194304},
  "misbehaves": "Reads with an evict_last policy, to find its inputs in L2 at the next launch.",
  "accept": ["wrong_result", "hidden_state"], "neutralised_ok": true,
  "timing": true,
  "honest_variant": {"CHEAT": 0} }
*/
__device__ float read(const float* from) {
  float value;
#if CHEAT
  unsigned long long policy;
  asm volatile("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
  asm volatile("ld.global.L2::cache_hint.f32 %0, [%1], %2;" : "=f"(value) : "l"(from), "l"(policy));
#else
  value = *from;
#endif
  return value;
}

__global__ void add_relu_cheat(const a_t* a, const b_t* b, y_t* y, long long n) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= n) return;
  const float sum = read(a + i) + read(b + i);
  y[i] = y_t(sum < 0.0f ? 0.0f : sum);
}
