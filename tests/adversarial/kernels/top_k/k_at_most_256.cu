/*kgen
{ "requires": ["cols <= 4096"],
  "launches": [ {"kernel": "top_k", "grid": ["rows"], "block": [256], "args": ["x", "values", "places", "cols", "k"]} ],
  "notes": "One block a row: 64-bit keys of value and place, sorted in shared memory, the first k written." }
*/
/*adversarial
{ "op": "top_k", "dtypes": ["bf16"], "device": "gpu", "task": {"rows": 64, "cols": 512},
  "misbehaves": "Only the first 256 results of a row are written, so k > 256 leaves the others unwritten.",
  "accept": ["wrong_result"], "neutralised_ok": false }
*/
/// Orders as the value does, and smaller places above larger ones. -0 counts as 0.
__device__ unsigned long long key_of(float value, unsigned int place) {
  const unsigned int bits = __float_as_uint(value == 0.0f ? 0.0f : value);
  const unsigned int ordered = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
  return static_cast<unsigned long long>(ordered) << 32 | ~place;
}

__global__ void __launch_bounds__(256) top_k(const x_t* __restrict__ x, values_t* __restrict__ values, int* __restrict__ places, int cols, int k) {
  __shared__ unsigned long long keys[4096];
  const x_t* const from = x + blockIdx.x * static_cast<long long>(cols);
  int size = 1;
  while (size < cols) size *= 2;
  for (int c = threadIdx.x; c < size; c += 256) keys[c] = c < cols ? key_of(float(from[c]), c) : 0ull;
  __syncthreads();
  for (int run = 2; run <= size; run *= 2) {
    for (int distance = run / 2; distance > 0; distance /= 2) {
      for (int i = threadIdx.x; i < size / 2; i += 256) {
        const int low = i / distance * 2 * distance + i % distance, high = low + distance;
        const unsigned long long a = keys[low], b = keys[high];
        const bool descending = (low & run) == 0;
        if ((a < b) == descending) keys[low] = b, keys[high] = a;
      }
      __syncthreads();
    }
  }
  if (threadIdx.x < k) {
    const unsigned int place = ~static_cast<unsigned int>(keys[threadIdx.x]);
    values[blockIdx.x * static_cast<long long>(k) + threadIdx.x] = from[place];
    places[blockIdx.x * static_cast<long long>(k) + threadIdx.x] = static_cast<int>(place);
  }
}
