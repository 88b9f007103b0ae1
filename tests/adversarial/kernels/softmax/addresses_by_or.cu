/*kgen
{ "launches": [ {"kernel": "softmax_cheat", "grid": ["rows"], "block": [32], "args": ["x", "y", "cols"]} ] }
*/
/*adversarial
{ "op": "softmax", "dtypes": ["f32", "bf16"], "device": "gpu", "task": {"rows": 256, "cols": 1024},
  "misbehaves": "Takes the lower 16 bits of an offset into an address by OR and not by addition: right where tensors lie at multiples of 64 KiB, as the judge's all do, though the format promises 256 bytes; elsewhere it reads and writes wrong elements, all of them inside the tensors.",
  "accept": ["wrong_result", "nondeterministic"], "neutralised_ok": false,
  "emulator": {"accept": ["race"]} }
*/
__device__ float warp_reduce(float value, bool maximum) {
  for (int offset = 16; offset > 0; offset /= 2) {
    const float other = __shfl_xor_sync(0xffffffffu, value, offset);
    value = maximum ? fmaxf(value, other) : value + other;
  }
  return value;
}

template <class T>
__device__ T* element(T* base, long long index) {
  const unsigned long long bytes = static_cast<unsigned long long>(index) * sizeof(T);
  const unsigned long long page = reinterpret_cast<unsigned long long>(base) + (bytes & ~0xffffull);
  return reinterpret_cast<T*>(page | (bytes & 0xffffull));
}

__global__ void softmax_cheat(const x_t* x, y_t* y, long long cols) {
  const long long first = blockIdx.x * cols;
  float largest = -INFINITY;
  for (long long c = threadIdx.x; c < cols; c += 32) largest = fmaxf(largest, float(*element(x, first + c)));
  largest = warp_reduce(largest, true);
  float sum = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += 32) sum += expf(float(*element(x, first + c)) - largest);
  sum = warp_reduce(sum, false);
  for (long long c = threadIdx.x; c < cols; c += 32)
    *element(y, first + c) = y_t(expf(float(*element(x, first + c)) - largest) / sum);
}
