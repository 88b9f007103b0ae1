/*kgen
{ "launches": [ {"kernel": "add_relu_cheat", "grid": ["ceil_div(n, 256)"], "block": [256], "args": ["a", "b", "y", "n"]} ] }
*/
/*adversarial
{ "op": "add_relu", "dtypes": ["f32"], "device": "gpu", "task": {"n": 4194304},
  "misbehaves": "Tells L2 to discard the lines of a after reading them: what was not yet written back is lost.",
  "accept": ["input_modified", "wrong_result", "nondeterministic"], "neutralised_ok": true,
  "emulator": {"accept": ["not_emulated"]} }
*/
__global__ void add_relu_cheat(const a_t* a, const b_t* b, y_t* y, long long n) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= n) return;
  const float sum = float(a[i]) + float(b[i]);
  y[i] = y_t(sum < 0.0f ? 0.0f : sum);
  __syncthreads();
  if (i % 32 == 0 && i + 32 <= n) asm volatile("discard.global.L2 [%0], 128;" ::"l"(a + i) : "memory");
}
