/*kgen
{ "requires": ["cols <= 8192"],
  "launches": [ {"kernel": "softmax_cheat", "grid": ["rows"], "block": [32], "args": ["x", "y", "cols"], "dynamic_shared_bytes": "cols * 4"} ] }
*/
/*adversarial
{ "op": "softmax", "dtypes": ["f32"], "device": "gpu", "task": {"rows": 256, "cols": 1024},
  "misbehaves": "Copies the row into shared memory with cp.async and reads it without waiting.",
  "accept": ["wrong_result", "nondeterministic", "race", "uninitialised_read", "hidden_state"], "neutralised_ok": false }
*/
__device__ float warp_reduce(float value, bool maximum) {
  for (int offset = 16; offset > 0; offset /= 2) {
    const float other = __shfl_xor_sync(0xffffffffu, value, offset);
    value = maximum ? fmaxf(value, other) : value + other;
  }
  return value;
}

extern __shared__ float staged[];

__global__ void softmax_cheat(const x_t* x, y_t* y, long long cols) {
  const x_t* row = x + blockIdx.x * cols;
  for (long long c = threadIdx.x; c < cols; c += 32) {
    const unsigned int place = static_cast<unsigned int>(__cvta_generic_to_shared(staged + c));
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(place), "l"(row + c) : "memory");
  }
  float largest = -INFINITY;
  for (long long c = threadIdx.x; c < cols; c += 32) largest = fmaxf(largest, static_cast<volatile float*>(staged)[c]);
  largest = warp_reduce(largest, true);
  float sum = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += 32) sum += expf(static_cast<volatile float*>(staged)[c] - largest);
  sum = warp_reduce(sum, false);
  for (long long c = threadIdx.x; c < cols; c += 32) y[blockIdx.x * cols + c] = y_t(expf(static_cast<volatile float*>(staged)[c] - largest) / sum);
  asm volatile("cp.async.wait_all;" ::: "memory");
}
