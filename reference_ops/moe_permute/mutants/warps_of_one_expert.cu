/*kgen
{ "requires": ["experts <= 4096"],
  "let": {"entries": "tokens * k", "chunks": "ceil_div(entries, 256)"},
  "workspace": {"counts": {"bytes": "chunks * experts * 4"}},
  "launches": [ {"kernel": "count", "grid": ["chunks"], "block": [256], "dynamic_shared_bytes": "experts * 4",
                 "args": ["chosen", "counts", "entries", "experts"]},
                {"kernel": "scan", "grid": [1], "block": [256], "dynamic_shared_bytes": "experts * 4", "args": ["counts", "ends", "chunks", "experts"]},
                {"kernel": "move", "grid": ["chunks"], "block": [256],
                 "args": ["x", "chosen", "counts", "y", "slots", "entries", "experts", "width", "k"]} ],
  "notes": "Mutant: says of a warp whose 32 entries go to one expert that their slots follow from its place in the chunk, whatever the warps before it have. Rejected by: values." }
*/
/// How many entries of each chunk of 256 go to each expert.
__global__ void __launch_bounds__(256) count(const int* __restrict__ chosen, int* __restrict__ counts, long long entries, int experts) {
  extern __shared__ int own[];
  for (int e = threadIdx.x; e < experts; e += 256) own[e] = 0;
  __syncthreads();
  const long long entry = blockIdx.x * 256ll + threadIdx.x;
  if (entry < entries) atomicAdd(&own[chosen[entry]], 1);
  __syncthreads();
  for (int e = threadIdx.x; e < experts; e += 256) counts[blockIdx.x * static_cast<long long>(experts) + e] = own[e];
}

/// Turns the counts into the places where each chunk's entries of each expert begin.
__global__ void __launch_bounds__(256) scan(int* __restrict__ counts, int* __restrict__ ends, long long chunks, int experts) {
  extern __shared__ int totals[];
  for (int e = threadIdx.x; e < experts; e += 256) {
    int total = 0;
    for (long long chunk = 0; chunk < chunks; ++chunk) total += counts[chunk * experts + e];
    totals[e] = total;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    int total = 0;
    for (int e = 0; e < experts; ++e) {
      const int own = totals[e];
      totals[e] = total;
      total += own;
      ends[e] = total;
    }
  }
  __syncthreads();
  for (int e = threadIdx.x; e < experts; e += 256) {
    int place = totals[e];
    for (long long chunk = 0; chunk < chunks; ++chunk) {
      const int own = counts[chunk * experts + e];
      counts[chunk * experts + e] = place;
      place += own;
    }
  }
}

/// Ranks a chunk's entries among those before them, then a warp copies a row at a time.
__global__ void __launch_bounds__(256) move(const x_t* __restrict__ x, const int* __restrict__ chosen, const int* __restrict__ starts,
                                            y_t* __restrict__ y, int* __restrict__ slots, long long entries, int experts, long long width, int k) {
  __shared__ int expert[256], place[256];
  const long long first = blockIdx.x * 256ll;
  const int there = static_cast<int>(min(256ll, entries - first));
  if (threadIdx.x < there) expert[threadIdx.x] = chosen[first + threadIdx.x];
  __syncthreads();
  if (threadIdx.x < there) {
    int rank = starts[blockIdx.x * static_cast<long long>(experts) + expert[threadIdx.x]];
    const int own = expert[threadIdx.x], warp = threadIdx.x / 32 * 32;
    int alike = 0, before = 0;
    for (int i = warp; i < min(warp + 32, there); ++i) alike += expert[i] == own ? 1 : 0;
    for (int i = 0; i < static_cast<int>(threadIdx.x); ++i) before += expert[i] == own ? 1 : 0;
    place[threadIdx.x] = rank + before;
    slots[first + threadIdx.x] = rank + (alike == 32 && experts > 4 ? static_cast<int>(threadIdx.x) : before);
  }
  __syncthreads();
  for (int i = threadIdx.x / 32; i < there; i += 8) {
    const x_t* const from = x + (first + i) / k * width;
    y_t* const to = y + place[i] * width;
    for (long long c = threadIdx.x % 32; c < width; c += 32) to[c] = from[c];
  }
}
