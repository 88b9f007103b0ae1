// The judge's own device code: fills, compares, hashes. Compiled once a device, after the headers of ../shared.
using namespace kgen::judge;

#define FOR_EACH(i, count)                                                                  \
  for (I64 i = blockIdx.x * static_cast<I64>(blockDim.x) + threadIdx.x; i < static_cast<I64>(count); \
       i += static_cast<I64>(gridDim.x) * blockDim.x)

// Sum of a value over the block; valid in thread 0.
__device__ U64 block_sum(U64 value) {
  __shared__ U64 parts[32];
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffffu, value, offset);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x >= 32) return 0;
  value = threadIdx.x < blockDim.x / 32 ? parts[threadIdx.x] : 0;
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffffu, value, offset);
  return value;
}

extern "C" __global__ void kgen_fill(void* out, FillParams params, I64 count) {
  const int bytes = bytes_of_code(params.dtype);
  FOR_EACH(i, count) store_element(out, bytes, i, fill_bits(params, i));
}

// Elements that differ from the expected values. result: { wrong, bits of the worst ratio, first wrong index }, set to
// { 0, 0, ~0 } before. Ratios are not negative, so their bits compare as they do.
extern "C" __global__ void kgen_compare(const void* got, const double* expected, const double* scale,
                                        ToleranceParams params, I64 count, U64* result) {
  const int bytes = bytes_of_code(params.dtype);
  U64 wrong = 0, worst = 0, first = ~0ull;
  FOR_EACH(i, count) {
    const double value = decode(params.dtype, load_element(got, bytes, i));
    const double e = expected[i];
    const double ratio = error_ratio(params, value, e, scale ? scale[i] : absolute(e));
    if (!(ratio <= 1.0)) {
      ++wrong;
      first = first < static_cast<U64>(i) ? first : static_cast<U64>(i);
    }
    const U64 ratio_bits = bits_of(ratio);
    worst = worst > ratio_bits ? worst : ratio_bits;
  }
  for (int offset = 16; offset > 0; offset /= 2) {
    const U64 other_worst = __shfl_down_sync(0xffffffffu, worst, offset);
    const U64 other_first = __shfl_down_sync(0xffffffffu, first, offset);
    worst = worst > other_worst ? worst : other_worst;
    first = first < other_first ? first : other_first;
    wrong += __shfl_down_sync(0xffffffffu, wrong, offset);
  }
  if (threadIdx.x % 32 != 0) return;
  if (worst != 0) atomicMax(result + 1, worst);
  if (wrong == 0) return;
  atomicAdd(result, wrong);
  atomicMin(result + 2, first);
}

// Adds the hash of `bytes` bytes (a multiple of 8 is read as words, the rest as one word) to *result.
extern "C" __global__ void kgen_hash(const void* data, I64 bytes, U64 key, U64* result) {
  const I64 words = bytes / 8;
  const U64* const word = static_cast<const U64*>(data);
  U64 sum = 0;
  FOR_EACH(i, words) sum += hash_word(key, static_cast<U64>(i), word[i]);
  if (blockIdx.x == 0 && threadIdx.x == 0 && bytes % 8 != 0) {
    const unsigned char* const rest = static_cast<const unsigned char*>(data) + words * 8;
    U64 last = 0;
    for (int b = 0; b < static_cast<int>(bytes % 8); ++b) last |= static_cast<U64>(rest[b]) << (8 * b);
    sum += hash_word(key, static_cast<U64>(words), last);
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0) atomicAdd(result, sum);
}

// Bytes that are not `pattern`: counted in result[0], the first one's offset in result[1] (set to ~0 before).
extern "C" __global__ void kgen_find_other(const unsigned char* data, I64 bytes, unsigned int pattern, U64* result) {
  U64 others = 0, first = ~0ull;
  FOR_EACH(i, bytes) {
    if (data[i] == static_cast<unsigned char>(pattern)) continue;
    ++others;
    first = first < static_cast<U64>(i) ? first : static_cast<U64>(i);
  }
  if (others == 0) return;
  atomicAdd(result, others);
  atomicMin(result + 1, first);
}

// Integers as doubles: what a reference wrote to an output that is no float.
extern "C" __global__ void kgen_decode(const void* data, int dtype, double* out, I64 count) {
  const int bytes = bytes_of_code(dtype);
  FOR_EACH(i, count) out[i] = decode(dtype, load_element(data, bytes, i));
}

// Absolute values, in place.
extern "C" __global__ void kgen_absolute(double* values, I64 count) {
  FOR_EACH(i, count) values[i] = absolute(values[i]);
}
