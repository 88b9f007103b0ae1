// Sorting, by networks, by digits, by merging and by counting.
// Batcher, "Sorting Networks and Their Applications", 1968. A block sorts 512 keys.
__global__ void bitonic_sort(int* keys) {
  __shared__ int shared[512];
  int* mine = keys + blockIdx.x * 512;
  for (int i = threadIdx.x; i < 512; i += blockDim.x) shared[i] = mine[i];
  for (int size = 2; size <= 512; size *= 2) {
    for (int stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      const int i = 2 * threadIdx.x - (threadIdx.x & (stride - 1)), j = i + stride;
      const bool up = (i & size) == 0;
      const int a = shared[i], b = shared[j];
      if ((a > b) == up) shared[i] = b, shared[j] = a;
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < 512; i += blockDim.x) mine[i] = shared[i];
}

__global__ void odd_even_sort(float* keys, int n) {
  extern __shared__ float line[];
  const int t = threadIdx.x;
  if (t < n) line[t] = keys[t];
  for (int round = 0; round < n; ++round) {
    __syncthreads();
    if (t % 2 == round % 2 && t + 1 < n) {
      const float low = fminf(line[t], line[t + 1]), high = fmaxf(line[t], line[t + 1]);
      line[t] = low;
      line[t + 1] = high;
    }
  }
  __syncthreads();
  if (t < n) keys[t] = line[t];
}

// 32 pairs a warp, descending, equal keys by their values.
__global__ void warp_sort_pairs(const float* keys, const int* values, float* sorted_keys, int* sorted_values) {
  const int at = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  float key = keys[at];
  int value = values[at];
  for (int size = 2; size <= 32; size *= 2) {
    for (int stride = size / 2; stride > 0; stride /= 2) {
      const float other = __shfl_xor_sync(0xffffffffu, key, stride);
      const int other_value = __shfl_xor_sync(0xffffffffu, value, stride);
      const bool first = (lane & stride) == 0, descending = (lane & size) == 0 || size == 32;
      const bool other_leads = other > key || (other == key && other_value < value);
      if (other_leads == (first == descending)) key = other, value = other_value;
    }
  }
  sorted_keys[at] = key;
  sorted_values[at] = value;
}

// One block, four bits a pass, stable: ranks among equal digits by ballots.
__global__ void radix_sort_block(unsigned* keys, int n) {
  __shared__ unsigned shared[256];
  __shared__ int counts[8][16];
  __shared__ int starts[8][16];
  const int t = threadIdx.x, lane = t % 32, warp = t / 32;
  unsigned key = t < n ? keys[t] : 0xffffffffu;
  for (int shift = 0; shift < 32; shift += 4) {
    const unsigned digit = key >> shift & 15;
    unsigned same = 0xffffffffu;
    for (int bit = 0; bit < 4; ++bit) {
      const bool set = digit >> bit & 1;
      const unsigned votes = __ballot_sync(0xffffffffu, set);
      same &= set ? votes : ~votes;
    }
    if (lane < 16) counts[warp][lane] = 0;
    __syncwarp();
    const int rank = __popc(same & ((1u << lane) - 1));
    if (rank == 0) counts[warp][digit] = __popc(same);
    __syncthreads();
    if (t == 0) {
      int sum = 0;
      for (int d = 0; d < 16; ++d) {
        for (int w = 0; w < 8; ++w) starts[w][d] = sum, sum += counts[w][d];
      }
    }
    __syncthreads();
    shared[starts[warp][digit] + rank] = key;
    __syncthreads();
    key = shared[t];
  }
  if (t < n) keys[t] = key;
}

// Bottom-up merge sort in shared memory: each element finds its place in the other run by bisection.
__global__ void merge_sort(short* keys) {
  __shared__ short runs[2][256];
  int in = 0;
  const int i = threadIdx.x;
  runs[0][i] = keys[i];
  for (int width = 1; width < 256; width *= 2, in ^= 1) {
    __syncthreads();
    const short key = runs[in][i];
    const bool is_left = (i / width) % 2 == 0;
    const int base = i / (2 * width) * 2 * width, other = is_left ? base + width : base;
    int low = 0, high = width;
    while (low < high) {
      const int middle = (low + high) / 2;
      const short there = runs[in][other + middle];
      if (there < key || (!is_left && there == key)) low = middle + 1;
      else high = middle;
    }
    runs[in ^ 1][base + i % width + low] = key;
  }
  __syncthreads();
  keys[i] = runs[in][i];
}

__global__ void rank_sort(const double* keys, double* sorted, int* order, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int rank = 0;
  for (int j = 0; j < n; ++j) rank += keys[j] < keys[i] || (keys[j] == keys[i] && j < i);
  sorted[rank] = keys[i];
  order[rank] = i;
}

__global__ void counting_sort(const unsigned char* keys, unsigned char* sorted, int n) {
  __shared__ int counts[256], starts[257];
  counts[threadIdx.x] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&counts[keys[i]], 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    starts[0] = 0;
    for (int k = 0; k < 256; ++k) starts[k + 1] = starts[k] + counts[k];
  }
  __syncthreads();
  for (int i = starts[threadIdx.x]; i < starts[threadIdx.x + 1]; ++i) sorted[i] = threadIdx.x;
}

// A pass of a radix sort of 64-bit keys in three launches: counts by block, their prefix, the scatter.
__global__ void radix_count(const unsigned long long* keys, int* counts, int n, int shift) {
  __shared__ int mine[16];
  if (threadIdx.x < 16) mine[threadIdx.x] = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&mine[keys[i] >> shift & 15], 1);
  __syncthreads();
  if (threadIdx.x < 16) counts[threadIdx.x * gridDim.x + blockIdx.x] = mine[threadIdx.x];
}
__global__ void radix_prefix(int* counts, int n) {
  int carry = 0;
  for (int base = 0; base < n; base += 32) {
    const int i = base + threadIdx.x, count = i < n ? counts[i] : 0;
    int sum = count;
    for (int offset = 1; offset < 32; offset *= 2) {
      const int left = __shfl_up_sync(0xffffffffu, sum, offset);
      if (threadIdx.x >= offset) sum += left;
    }
    if (i < n) counts[i] = carry + sum - count;
    carry += __shfl_sync(0xffffffffu, sum, 31);
  }
}
__global__ void radix_scatter(const unsigned long long* keys, const int* starts, unsigned long long* sorted, int n,
                              int shift) {
  __shared__ unsigned char digits[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned digit = i < n ? keys[i] >> shift & 15 : 255;
  digits[threadIdx.x] = digit;
  __syncthreads();
  if (i >= n) return;
  int rank = 0;
  for (int j = 0; j < threadIdx.x; ++j) rank += digits[j] == digit;
  sorted[starts[digit * gridDim.x + blockIdx.x] + rank] = keys[i];
}

// A thread sorts its row in local memory.
__global__ void insertion_sort_rows(const int* x, int* y, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  int line[12];
  for (int n = 0; n < 12; ++n) {
    const int key = x[row * 12 + n];
    int at = n;
    for (; at > 0 && line[at - 1] > key; --at) line[at] = line[at - 1];
    line[at] = key;
  }
  for (int i = 0; i < 12; ++i) y[row * 12 + i] = line[i];
}
