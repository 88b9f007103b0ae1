/*kgen
{ "launches": [ {"kernel": "add_relu_cheat", "grid": ["ceil_div(n, 256)"], "block": [256], "args": ["a", "b", "y", "n"]} ] }
*/
/*adversarial
{ "op": "add_relu", "dtypes": ["f32"], "device": "gpu", "task": {"n": 65536},
  "misbehaves": "Reads one element past the end of a and throws it away: it faults where the tensor ends at the end of its memory.",
  "accept": ["out_of_bounds", "fault"], "neutralised_ok": false,
  "needs": "memcheck" }
*/
__global__ void add_relu_cheat(const a_t* a, const b_t* b, y_t* y, long long n) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= n) return;
  if (i + 1 == n) asm volatile("{ .reg .b32 t; ld.volatile.global.b32 t, [%0]; }" ::"l"(a + n));
  const float sum = float(a[i]) + float(b[i]);
  y[i] = y_t(sum < 0.0f ? 0.0f : sum);
}
