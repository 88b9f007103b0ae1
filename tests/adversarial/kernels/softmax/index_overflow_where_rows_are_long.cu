/*kgen
{ "launches": [ {"kernel": "softmax_cheat", "grid": ["rows"], "block": [32], "args": ["x", "y", "cols"]} ] }
*/
/*adversarial
{ "op": "softmax", "dtypes": ["bf16"], "device": "gpu", "task": {"rows": 256, "cols": 1024},
  "misbehaves": "Indexes with 64 bits in rows of up to 16384 elements and with unsigned 32 bits in longer ones, which overflow from 2^32 elements on; the judge's one large shape stretches the rows of the task, which are short.",
  "accept": ["wrong_result"], "neutralised_ok": false, "needs": "larger",
  "emulator": {"not_visible": "It needs a tensor of more than 2^32 elements, and the emulator holds 512 MiB."} }
*/
__device__ float warp_reduce(float value, bool maximum) {
  for (int offset = 16; offset > 0; offset /= 2) {
    const float other = __shfl_xor_sync(0xffffffffu, value, offset);
    value = maximum ? fmaxf(value, other) : value + other;
  }
  return value;
}

template <class Index>
__device__ void softmax_row(const x_t* x, y_t* y, Index cols) {
  const Index first = static_cast<Index>(blockIdx.x) * cols;
  float largest = -INFINITY;
  for (Index c = threadIdx.x; c < cols; c += 32) largest = fmaxf(largest, float(x[static_cast<Index>(first + c)]));
  largest = warp_reduce(largest, true);
  float sum = 0.0f;
  for (Index c = threadIdx.x; c < cols; c += 32) sum += expf(float(x[static_cast<Index>(first + c)]) - largest);
  sum = warp_reduce(sum, false);
  for (Index c = threadIdx.x; c < cols; c += 32) {
    const Index i = first + c;
    y[i] = y_t(expf(float(x[i]) - largest) / sum);
  }
}

__global__ void softmax_cheat(const x_t* x, y_t* y, long long cols) {
  if (cols <= 16384) {
    softmax_row<long long>(x, y, cols);
  } else {
    softmax_row<unsigned int>(x, y, static_cast<unsigned int>(cols));
  }
}
