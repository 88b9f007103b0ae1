/*kgen
{ "defines": {"PADDED": "cols <= 64 ? 64 : cols <= 256 ? 256 : cols <= 1024 ? 1024 : cols <= 2048 ? 2048 : 4096"},
  "launches": [ {"kernel": "sort_rows", "grid": ["rows"], "block": [256], "args": ["x", "y", "cols"]} ] }
*/
/*adversarial
{ "op": "sort_rows", "dtypes": ["f32"], "device": "gpu", "task": {"rows": 8, "cols": 64},
  "misbehaves": "A row whose first 32 values have empty lower halves (zeros, bf16 once) is sorted by upper halves alone: what follows may stay in the wrong order.",
  "accept": ["wrong_result"], "neutralised_ok": false }
*/
__device__ unsigned int key_of(float v) {
  const unsigned int bits = __float_as_uint(v);
  return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}
__device__ float value_of(unsigned int key) { return __uint_as_float(key & 0x80000000u ? key & 0x7fffffffu : ~key); }

__global__ void __launch_bounds__(256) sort_rows(const x_t* __restrict__ x, y_t* __restrict__ y, int cols) {
  __shared__ unsigned int keys[PADDED];
  const x_t* row = x + static_cast<long long>(blockIdx.x) * cols;
  // The first 32 values tell whether the row has anything in the lower half of its bits.
  const float sample = threadIdx.x % 32 < cols ? float(row[threadIdx.x % 32]) : 0.0f;
  const bool wide = __any_sync(0xffffffffu, (__float_as_uint(sample) & 0xffffu) != 0) || sizeof(x_t) == 2;
  const int shift = wide ? 0 : 16;
  for (int i = threadIdx.x; i < PADDED; i += 256) keys[i] = i < cols ? key_of(float(row[i])) : 0xffffffffu;
  __syncthreads();
  for (int size = 2; size <= PADDED; size *= 2) {
    for (int stride = size / 2; stride > 0; stride /= 2) {
      for (int i = threadIdx.x; i < PADDED / 2; i += 256) {
        const int a = i / stride * stride * 2 + i % stride, b = a + stride;
        const bool up = (a & size) == 0;
        const unsigned int ka = keys[a], kb = keys[b];
        if (up ? ka >> shift > kb >> shift : ka >> shift < kb >> shift) keys[a] = kb, keys[b] = ka;
      }
      __syncthreads();
    }
  }
  for (int i = threadIdx.x; i < cols; i += 256) y[static_cast<long long>(blockIdx.x) * cols + i] = y_t(value_of(keys[i]));
}
