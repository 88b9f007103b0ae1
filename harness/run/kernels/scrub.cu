// Leaves a NaN pattern wherever a kernel may find what an earlier one left on the same multiprocessor: shared memory, registers
// and thread-local memory. One block fills a multiprocessor (it takes all shared memory and 64 registers of 1024 threads).

#define KGEN_SCRUB_REGISTERS 56
#define KGEN_SCRUB_LOCAL_WORDS 64

// `sink` is written only where something else than the pattern came back: no write can be left out.
extern "C" __global__ void __launch_bounds__(1024, 1) kgen_scrub(unsigned shared_words, unsigned pattern, unsigned* sink) {
  extern __shared__ unsigned kgen_scrub_words[];
  volatile unsigned* const words = kgen_scrub_words;
  for (unsigned i = threadIdx.x; i < shared_words; i += blockDim.x) words[i] = pattern;
  unsigned memory[KGEN_SCRUB_LOCAL_WORDS];
  volatile unsigned* local = memory;
  asm volatile("" : "+l"(local));  // the assembler knows no more where this points to, and leaves no store out
  for (unsigned i = 0; i < KGEN_SCRUB_LOCAL_WORDS; ++i) local[i] = pattern;
  __syncthreads();
  // Volatile loads can be neither merged nor made again later: each value lies in a register of its own until the end.
  unsigned held[KGEN_SCRUB_REGISTERS];
#pragma unroll
  for (int i = 0; i < KGEN_SCRUB_REGISTERS; ++i) held[i] = words[threadIdx.x + i];
  __syncthreads();
  const unsigned late = words[threadIdx.x];  // not known before: nothing of what follows can be done earlier
  unsigned other = local[threadIdx.x % KGEN_SCRUB_LOCAL_WORDS] ^ pattern;
#pragma unroll
  for (int i = 0; i < KGEN_SCRUB_REGISTERS; ++i) other |= held[i] ^ late;
  if (other != 0) *sink = other;
}
