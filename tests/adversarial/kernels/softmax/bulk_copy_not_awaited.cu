/*kgen
{ "requires": ["cols <= 8192", "cols % 8 == 0", "cc >= 90"],
  "launches": [ {"kernel": "softmax_cheat", "grid": ["rows"], "block": [32], "args": ["x", "y", "cols"], "dynamic_shared_bytes": "cols * 2"} ] }
*/
/*adversarial
{ "op": "softmax", "dtypes": ["bf16"], "device": "gpu", "task": {"rows": 256, "cols": 1024},
  "misbehaves": "Starts a bulk copy of the row into shared memory and reads it before the barrier says that it is there.",
  "accept": ["wrong_result", "nondeterministic", "race", "uninitialised_read", "hidden_state"], "neutralised_ok": false,
  "emulator": {"accept": ["not_emulated"]} }
*/
__device__ float warp_reduce(float value, bool maximum) {
  for (int offset = 16; offset > 0; offset /= 2) {
    const float other = __shfl_xor_sync(0xffffffffu, value, offset);
    value = maximum ? fmaxf(value, other) : value + other;
  }
  return value;
}

extern __shared__ __align__(128) unsigned char staged[];

__global__ void softmax_cheat(const x_t* x, y_t* y, long long cols) {
  __shared__ unsigned long long barrier;
  const unsigned int place = static_cast<unsigned int>(__cvta_generic_to_shared(&barrier));
  const unsigned int bytes = static_cast<unsigned int>(cols) * 2;
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(place) : "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(place), "r"(bytes) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                     static_cast<unsigned int>(__cvta_generic_to_shared(staged))),
                 "l"(x + blockIdx.x * cols), "r"(bytes), "r"(place)
                 : "memory");
  }
  __syncthreads();
  const volatile unsigned short* row = reinterpret_cast<const volatile unsigned short*>(staged);
  const auto value = [&](long long c) { return __uint_as_float(static_cast<unsigned int>(row[c]) << 16); };
  float largest = -INFINITY;
  for (long long c = threadIdx.x; c < cols; c += 32) largest = fmaxf(largest, value(c));
  largest = warp_reduce(largest, true);
  float sum = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += 32) sum += expf(value(c) - largest);
  sum = warp_reduce(sum, false);
  for (long long c = threadIdx.x; c < cols; c += 32) y[blockIdx.x * cols + c] = y_t(expf(value(c) - largest) / sum);
  unsigned int done = 0;
  while (!done)  // only so that the copy ends before the block does
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                 : "=r"(done)
                 : "r"(place)
                 : "memory");
}
