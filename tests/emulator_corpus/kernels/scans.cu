// Prefix sums and their like.
// Hillis & Steele, "Data Parallel Algorithms", 1986.
__global__ void kogge_stone(const int* x, int* y) {
  __shared__ int buffers[2][256];
  int in = 0;
  buffers[0][threadIdx.x] = x[blockIdx.x * 256 + threadIdx.x];
  for (int offset = 1; offset < 256; offset *= 2, in ^= 1) {
    __syncthreads();
    int value = buffers[in][threadIdx.x];
    if (threadIdx.x >= offset) value += buffers[in][threadIdx.x - offset];
    buffers[in ^ 1][threadIdx.x] = value;
  }
  y[blockIdx.x * 256 + threadIdx.x] = buffers[in][threadIdx.x];
}

// Exclusive; Blelloch, "Prefix Sums and Their Applications", 1990. Two elements a thread, in place.
__global__ void blelloch(float* x, float* total) {
  extern __shared__ float tree[];
  const int n = 2 * blockDim.x, t = threadIdx.x;
  tree[t] = x[t];
  tree[t + blockDim.x] = x[t + blockDim.x];
  for (int stride = 1; stride < n; stride *= 2) {
    __syncthreads();
    const int i = (t + 1) * stride * 2 - 1;
    if (i < n) tree[i] += tree[i - stride];
  }
  __syncthreads();
  if (t == blockDim.x - 1) {
    *total = tree[n - 1];
    tree[n - 1] = 0;
  }
  for (int stride = n / 2; stride > 0; stride /= 2) {
    __syncthreads();
    const int i = (t + 1) * stride * 2 - 1;
    if (i < n) {
      const float left = tree[i - stride];
      tree[i - stride] = tree[i];
      tree[i] += left;
    }
  }
  __syncthreads();
  x[t] = tree[t];
  x[t + blockDim.x] = tree[t + blockDim.x];
}

template <class T, class Op>
__device__ T warp_scan(T value, Op op) {
  for (int offset = 1; offset < 32; offset *= 2) {
    const T left = __shfl_up_sync(0xffffffffu, value, offset);
    if (threadIdx.x % 32 >= offset) value = op(left, value);
  }
  return value;
}

template <class T>
__device__ T block_scan(T value) {
  __shared__ T totals[32];
  const auto add = [](T a, T b) { return a + b; };
  value = warp_scan(value, add);
  __syncthreads();
  if (threadIdx.x % 32 == 31) totals[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x < 32) {
    const T all = warp_scan(threadIdx.x < blockDim.x / 32 ? totals[threadIdx.x] : T(0), add);
    __syncwarp();
    totals[threadIdx.x] = all;
  }
  __syncthreads();
  return threadIdx.x < 32 ? value : value + totals[threadIdx.x / 32 - 1];
}

__global__ void shuffle_scan(const long long* x, long long* y, int n) {
  const int i = threadIdx.x;
  const long long sum = block_scan(i < n ? x[i] : 0ll);
  if (i < n) y[i] = sum;
}

// Sums that begin anew where head is set: pairs (flag, value) under an associative operator.
struct Segment {
  int head;
  int value;
};
__global__ void segmented_scan(const int* x, const unsigned char* heads, int* y) {
  __shared__ Segment shared[128];
  const int i = threadIdx.x;
  Segment mine{heads[i], x[i]};
  for (int offset = 1; offset < 128; offset *= 2) {
    shared[i] = mine;
    __syncthreads();
    if (i >= offset) {
      const Segment left = shared[i - offset];
      if (!mine.head) mine.value += left.value;
      mine.head |= left.head;
    }
    __syncthreads();
  }
  y[i] = mine.value;
}

// Merrill & Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016. state[b]: 1 its own sum,
// 2 its inclusive prefix, in the upper half; the value in the lower. Blocks number themselves as they start.
__global__ void look_back_scan(const int* x, int* y, unsigned long long* state, unsigned* ticket, int n) {
  __shared__ unsigned tile;
  __shared__ int prefix;
  if (threadIdx.x == 0) tile = atomicAdd(ticket, 1u);
  __syncthreads();
  const int i = tile * blockDim.x + threadIdx.x;
  const int sum = block_scan(i < n ? x[i] : 0);
  if (threadIdx.x == blockDim.x - 1) {
    const auto word = [](unsigned long long kind, int value) { return kind << 32 | static_cast<unsigned>(value); };
    int before = 0;
    if (tile > 0) {
      atomicExch(&state[tile], word(1, sum));
      for (int b = tile - 1; b >= 0;) {
        const unsigned long long seen = atomicAdd(&state[b], 0ull);
        if (seen >> 32 == 0) continue;
        before += static_cast<int>(seen);
        if (seen >> 32 == 2) break;
        --b;
      }
    }
    __threadfence();
    atomicExch(&state[tile], word(2, before + sum));
    prefix = before;
  }
  __syncthreads();
  if (i < n) y[i] = prefix + sum;
}

// One thread a row.
__global__ void running_max(const float* x, float* values, long long* indices, int rows, int cols) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float largest = -INFINITY;
  long long at = -1;
  for (int c = 0; c < cols; ++c) {
    const float v = x[row * cols + c];
    if (v >= largest) largest = v, at = c;
    values[row * cols + c] = largest;
    indices[row * cols + c] = at;
  }
}

__global__ void reverse_cumprod(const double* x, double* y, int n) {
  const int lane = threadIdx.x;
  double carry = 1;
  for (int base = 0; base < n; base += 32) {
    const int i = n - 1 - base - lane;
    double value = warp_scan(i >= 0 ? x[i] : 1.0, [](double a, double b) { return a * b; }) * carry;
    if (i >= 0) y[i] = value;
    carry = __shfl_sync(0xffffffffu, value, 31);
  }
}

// y_t = a_t * y_(t-1) + b_t: a scan of affine maps.
__global__ void linear_recurrence(const float* a, const float* b, float* y) {
  __shared__ float2 maps[256];
  const int i = threadIdx.x;
  float2 mine = make_float2(a[i], b[i]);
  for (int offset = 1; offset < 256; offset *= 2) {
    maps[i] = mine;
    __syncthreads();
    if (i >= offset) {
      const float2 before = maps[i - offset];
      mine = make_float2(mine.x * before.x, fmaf(mine.x, before.y, mine.y));
    }
    __syncthreads();
  }
  y[i] = mine.y;
}
