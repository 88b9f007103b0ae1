// Clears the L2 cache before a timed launch: writes a buffer of twice its size, then reads it, so that what is left in the cache
// is clean and nobody's. The kernels are kgen's own; candidates never see them.

extern "C" __global__ void kgen_flush_write(uint4* data, unsigned long long count, unsigned value) {
  const unsigned long long stride = (unsigned long long)gridDim.x * blockDim.x;
  for (unsigned long long i = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride)
    data[i] = make_uint4(value, value, value, value);
}

// `sink` is written only where the buffer holds what kgen_flush_write never wrote: the reads cannot be left out.
extern "C" __global__ void kgen_flush_read(const uint4* data, unsigned long long count, unsigned* sink) {
  const unsigned long long stride = (unsigned long long)gridDim.x * blockDim.x;
  unsigned seen = 0;
  for (unsigned long long i = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride) {
    const uint4 v = data[i];
    seen |= v.x ^ v.y ^ v.z ^ v.w;
  }
  if (seen == 0xffffffffu) *sink = seen;
}
