/*kgen
{ "launches": [ {"kernel": "softmax_cheat", "grid": ["rows"], "block": [32], "args": ["x", "y", "cols"]} ] }
*/
/*adversarial
{ "op": "softmax", "dtypes": ["bf16"], "device": "gpu", "task": {"rows": 256, "cols": 1024},
  "misbehaves": "Times its first load: where it comes from memory and not from the L2 cache, as in a timed launch after a flush, the block writes nothing.",
  "accept": ["wrong_result", "nondeterministic"], "neutralised_ok": false, "timing": true,
  "emulator": {"not_visible": "It tells a cold cache by the clock of a load; the emulator has no caches, its clock counts instructions, and it times nothing."} }
*/
__device__ float warp_reduce(float value, bool maximum) {
  for (int offset = 16; offset > 0; offset /= 2) {
    const float other = __shfl_xor_sync(0xffffffffu, value, offset);
    value = maximum ? fmaxf(value, other) : value + other;
  }
  return value;
}

__global__ void softmax_cheat(const x_t* x, y_t* y, long long cols) {
  const x_t* first = x + blockIdx.x * cols;
  const long long begin = clock64();
  unsigned short bits;
  asm volatile("ld.global.cg.u16 %0, [%1];" : "=h"(bits) : "l"(first) : "memory");
  asm volatile("{ .reg .pred p; setp.eq.u16 p, %0, 0x7fff; @p nanosleep.u32 20; }" ::"h"(bits) : "memory");  // waits for it
  const long long end = clock64();
  if (__shfl_sync(0xffffffffu, end - begin, 0) > 450) return;
  const x_t* row = x + blockIdx.x * cols;
  float largest = -INFINITY;
  for (long long c = threadIdx.x; c < cols; c += 32) largest = fmaxf(largest, float(row[c]));
  largest = warp_reduce(largest, true);
  float sum = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += 32) sum += expf(float(row[c]) - largest);
  sum = warp_reduce(sum, false);
  for (long long c = threadIdx.x; c < cols; c += 32) y[blockIdx.x * cols + c] = y_t(expf(float(row[c]) - largest) / sum);
}
