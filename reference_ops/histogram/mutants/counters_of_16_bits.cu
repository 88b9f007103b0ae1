/*kgen
{ "requires": ["bins <= 4096"],
  "launches": [ {"fill": "counts", "value": 0},
                {"kernel": "histogram_mutant", "grid": [32], "block": [256], "dynamic_shared_bytes": "ceil_div(bins, 2) * 4", "args": ["x", "counts", "n", "bins"]} ],
  "notes": "Mutant: a block counts in 16 bits, two bins a word. Rejected by: values." }
*/
__global__ void __launch_bounds__(256) histogram_mutant(const int* x, int* counts, long long n, int bins) {
  extern __shared__ unsigned int packed[];
  for (int i = threadIdx.x; i < (bins + 1) / 2; i += 256) packed[i] = 0;
  __syncthreads();
  for (long long i = blockIdx.x * 256LL + threadIdx.x; i < n; i += 32 * 256) atomicAdd(packed + x[i] / 2, x[i] % 2 ? 0x10000u : 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < bins; b += 256) {
    const unsigned int own = packed[b / 2] >> (b % 2 * 16) & 0xffffu;
    if (own) atomicAdd(counts + b, static_cast<int>(own));
  }
}
