/*kgen
{ "launches": [ {"fill": "counts", "value": 0},
                {"kernel": "histogram_mutant", "grid": ["ceil_div(n, 1024)"], "block": [32], "args": ["x", "counts", "n"]} ],
  "notes": "Mutant: a run of equal values goes on where the next begins at once. Rejected by: values." }
*/
__global__ void histogram_mutant(const int* x, int* counts, long long n) {
  const long long begin = blockIdx.x * 1024LL;
  int kept = 0, owner = -1;
  for (long long chunk = begin; chunk < begin + 1024 && chunk < n; chunk += 32) {
    const bool is_there = chunk + threadIdx.x < n;
    const int own = is_there ? x[chunk + threadIdx.x] : -1, first = __shfl_sync(0xffffffffu, own, 0);
    if (__all_sync(0xffffffffu, own == first)) {
      owner = first;
      kept += 32;
      continue;
    }
    if (owner >= 0 && threadIdx.x == 0) atomicAdd(counts + owner, kept);
    owner = -1, kept = 0;
    if (is_there) atomicAdd(counts + own, 1);
  }
  if (owner >= 0 && threadIdx.x == 0) atomicAdd(counts + owner, kept);
}
