/*kgen
{ "launches": [ {"kernel": "argmax", "grid": ["ceil_div(rows, 4)"], "block": [32, 4], "args": ["x", "y", "rows", "cols"]} ] }
*/
/*adversarial
{ "op": "argmax", "dtypes": ["bf16"], "device": "gpu", "task": {"rows": 256, "cols": 512},
  "misbehaves": "Reads rows by a number of 16 bits: from 65536 on those of others.",
  "accept": ["wrong_result"], "neutralised_ok": false }
*/
/// Orders as the value does, and smaller places above larger ones. -0 counts as 0.
__device__ unsigned long long key_of(float value, unsigned int place) {
  const unsigned int bits = __float_as_uint(value == 0.0f ? 0.0f : value);
  const unsigned int ordered = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
  return static_cast<unsigned long long>(ordered) << 32 | ~place;
}

__global__ void __launch_bounds__(128) argmax(const x_t* __restrict__ x, int* __restrict__ y, long long rows, long long cols) {
  const long long row = blockIdx.x * 4LL + threadIdx.y;
  if (row >= rows) return;
  unsigned long long best = 0;
  for (long long c = threadIdx.x; c < cols; c += 32) {
    const unsigned long long own = key_of(float(x[static_cast<unsigned short>(row) * cols + c]), static_cast<unsigned int>(c));
    best = own > best ? own : best;
  }
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) {
    const unsigned long long other = __shfl_xor_sync(0xffffffffu, best, offset);
    best = other > best ? other : best;
  }
  if (threadIdx.x == 0) y[row] = static_cast<int>(~static_cast<unsigned int>(best));
}
