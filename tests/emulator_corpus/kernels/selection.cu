// Choosing elements: the largest, those that pass, those that differ, those in range.
// The k largest of each row with their columns, k rounds of a warp-wide maximum.
template <int K>
__global__ void top_k(const float* x, float* values, int* columns, int cols) {
  const float* row = x + blockIdx.x * cols;
  float best[K];
  int where[K];
#pragma unroll
  for (int k = 0; k < K; ++k) best[k] = -INFINITY, where[k] = INT_MAX;
  for (int c = threadIdx.x; c < cols; c += 32) {
    float value = row[c];
    int column = c;
#pragma unroll
    for (int k = 0; k < K; ++k) {
      if (value > best[k] || (value == best[k] && column < where[k])) {
        const float old = best[k];
        const int old_column = where[k];
        best[k] = value, where[k] = column;
        value = old, column = old_column;
      }
    }
  }
  int next = 0;
  for (int k = 0; k < K; ++k) {
    float value = -INFINITY;
    int column = INT_MAX;
#pragma unroll
    for (int j = 0; j < K; ++j) {
      if (j == next) value = best[j], column = where[j];
    }
    float top = value;
    int at = column;
    for (int offset = 16; offset > 0; offset /= 2) {
      const float other = __shfl_xor_sync(~0u, top, offset);
      const int other_at = __shfl_xor_sync(~0u, at, offset);
      if (other > top || (other == top && other_at < at)) top = other, at = other_at;
    }
    if (at == column) ++next;
    if (threadIdx.x == 0) values[blockIdx.x * K + k] = top, columns[blockIdx.x * K + k] = at;
  }
}

__global__ void argmax_rows(const __half* x, int* columns, int cols) {
  __shared__ float values[64];
  __shared__ int places[64];
  const int t = threadIdx.x;
  float best = -INFINITY;
  int at = 0;
  for (int c = t; c < cols; c += 64) {
    const float v = __half2float(x[blockIdx.x * cols + c]);
    if (v > best) best = v, at = c;
  }
  values[t] = best, places[t] = at;
  for (int half = 32; half > 0; half /= 2) {
    __syncthreads();
    if (t >= half) continue;
    const float other = values[t + half];
    if (other > values[t] || (other == values[t] && places[t + half] < places[t]))
      values[t] = other, places[t] = places[t + half];
  }
  if (t == 0) columns[blockIdx.x] = places[0];
}

// Value and index in one 64-bit word, so that the least of all blocks is one atomic.
__global__ void argmin_packed(const float* x, unsigned long long* least, int n) {
  unsigned long long mine = ~0ull;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const unsigned bits = __float_as_uint(x[i]);
    const unsigned ordered = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
    mine = min(mine, static_cast<unsigned long long>(ordered) << 32 | i);
  }
  for (int offset = 16; offset > 0; offset /= 2) mine = min(mine, __shfl_xor_sync(~0u, mine, offset));
  if (threadIdx.x % 32 == 0) atomicMin(least, mine);
}

// Stable, one block: the rank of each chosen element by ballots and a sum over warps.
__global__ void compact(const int* x, int* chosen, int* count, int n, int least) {
  __shared__ int warps[8];
  __shared__ int base;
  if (threadIdx.x == 0) base = 0;
  for (int start = 0; start < n; start += blockDim.x) {
    const int i = start + threadIdx.x;
    const bool passes = i < n && x[i] >= least;
    const unsigned votes = __ballot_sync(~0u, passes);
    __syncthreads();
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = __popc(votes);
    __syncthreads();
    int at = base + __popc(votes & ((1u << threadIdx.x % 32) - 1));
    for (int w = 0; w < threadIdx.x / 32; ++w) at += warps[w];
    if (passes) chosen[at] = x[i];
    __syncthreads();
    if (threadIdx.x == blockDim.x - 1) base = at + passes;
  }
  __syncthreads();
  if (threadIdx.x == 0) *count = base;
}

// Places by one atomic a warp: the order is free, the set is not. counts[0] from the front, counts[1] from the back.
__global__ void partition_by_sign(const int* x, int* y, int* counts, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned active = __activemask();
  const bool negative = x[i] < 0;
  const unsigned group = __match_any_sync(active, negative), lane = threadIdx.x % 32;
  const int leader = __ffs(group) - 1;
  int place = 0;
  if (lane == leader) place = atomicAdd(&counts[negative], __popc(group));
  place = __shfl_sync(group, place, leader) + __popc(group & ((1u << lane) - 1));
  y[negative ? n - 1 - place : place] = x[i];
}

// Starts and lengths of runs of equal values. One block; n at most blockDim.x.
__global__ void run_lengths(const char* x, char* values, int* lengths, int* runs, int n) {
  __shared__ int starts[257];
  const int i = threadIdx.x;
  const bool begins = i < n && (i == 0 || x[i] != x[i - 1]);
  int rank = 0;
  starts[i] = begins;
  __syncthreads();
  for (int j = 0; j <= i; ++j) rank += starts[j];
  const int total = __syncthreads_count(begins);
  if (begins) starts[rank - 1] = i;
  if (i == 0) starts[total] = n, *runs = total;
  __syncthreads();
  if (i < total) values[i] = x[starts[i]], lengths[i] = starts[i + 1] - starts[i];
}

__global__ void lower_bound(const double* sorted, int n, const double* queries, int* places, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  int first = 0;
  for (int left = n; left > 0;) {
    const int half = left / 2;
    if (sorted[first + half] < queries[i]) first += half + 1, left -= half + 1;
    else left = half;
  }
  places[i] = first;
}

// The k-th smallest (from 0) by radix selection, eight bits a round.
__global__ void radix_select(const unsigned* x, unsigned* result, int n, int k) {
  __shared__ int counts[256];
  __shared__ unsigned prefix;
  __shared__ int rank;
  if (threadIdx.x == 0) prefix = 0, rank = k;
  for (int shift = 24; shift >= 0; shift -= 8) {
    counts[threadIdx.x] = 0;
    __syncthreads();
    const unsigned high = shift == 24 ? 0 : ~0u << (shift + 8);
    for (int i = threadIdx.x; i < n; i += 256) {
      if ((x[i] & high) == prefix) atomicAdd(&counts[x[i] >> shift & 255], 1);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
      unsigned digit = 0;
      while (rank >= counts[digit]) rank -= counts[digit++];
      prefix |= digit << shift;
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) *result = prefix;
}
