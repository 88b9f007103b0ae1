// Reading and writing through indices; atomics of every type where several indices are equal.
__global__ void embedding(const __nv_bfloat162* table, const int* tokens, __nv_bfloat162* y, int pairs) {
  const __nv_bfloat162* row = table + static_cast<long long>(tokens[blockIdx.x]) * pairs;
  for (int c = threadIdx.x; c < pairs; c += blockDim.x) y[blockIdx.x * pairs + c] = __ldg(&row[c]);
}

// Means of bags of rows; bag b is indices[offsets[b]] ... indices[offsets[b + 1] - 1]. An empty bag is 0.
__global__ void embedding_bag(const float* table, const long long* indices, const int* offsets, float* y, int cols) {
  const int first = offsets[blockIdx.x], last = offsets[blockIdx.x + 1];
  for (int c = threadIdx.x; c < cols; c += blockDim.x) {
    float sum = 0;
    for (int i = first; i < last; ++i) sum += table[indices[i] * cols + c];
    y[blockIdx.x * cols + c] = first == last ? 0.0f : sum / (last - first);
  }
}

// out[i][j] = x[index[i][j]][j]; a negative index counts from the end.
__global__ void gather_rows(const double* x, const int* index, double* y, int rows, int cols, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int from = index[i] < 0 ? index[i] + rows : index[i];
  y[i] = x[from * cols + i % cols];
}

__global__ void scatter_permuted(const short* x, const int* order, short* y, int* inverse, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[order[i]] = x[i];
  inverse[order[i]] = i;
}

// Adds rows[i] into y[index[i]], for any type that atomicAdd takes.
template <class T>
__global__ void scatter_add(const T* rows, const int* index, T* y, int cols, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&y[index[i / cols] * cols + i % cols], rows[i]);
}

// The largest of each target, by compare and swap on the bits.
__global__ void scatter_max(const float* x, const int* index, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int* at = reinterpret_cast<int*>(&y[index[i]]);
  int seen = atomicAdd(at, 0);
  while (__int_as_float(seen) < x[i]) {
    const int before = atomicCAS(at, seen, __float_as_int(x[i]));
    if (before == seen) break;
    seen = before;
  }
}

// Every other integer operation: and, or, xor, min, max, increment, decrement with wrap, exchange.
__global__ void atomic_operations(const int* x, int* words, unsigned* wrapped, unsigned long long* wide, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  atomicAnd(&words[0], x[i] | 0xff);
  atomicOr(&words[1], x[i] & 0xf0f0);
  atomicXor(&words[2], x[i]);
  atomicMin(&words[3], x[i]);
  atomicMax(&words[4], x[i]);
  atomicSub(&words[5], x[i] & 7);
  atomicInc(&wrapped[0], 6);
  atomicDec(&wrapped[1], 9);
  atomicXor(&wide[0], static_cast<unsigned long long>(x[i]) * 0x100000001ull);
  atomicMax(reinterpret_cast<long long*>(&wide[1]), x[i] * 0x100000000ll);
  if (atomicExch(&words[6], 1) == 0) words[7] = 77;
}

// Gradient of an embedding: warps accumulate runs of equal tokens (sorted), one atomic a run.
__global__ void embedding_backward(const float* dy, const int* sorted_tokens, const int* places, float* dtable, int n,
                                   int cols) {
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  const int begin = warp * 8, end = min(begin + 8, n);
  for (int c = lane; c < cols; c += 32) {
    float sum = 0;
    for (int i = begin; i < end; ++i) {
      sum += dy[places[i] * cols + c];
      if (i + 1 == end || sorted_tokens[i + 1] != sorted_tokens[i]) {
        atomicAdd(&dtable[sorted_tokens[i] * cols + c], sum);
        sum = 0;
      }
    }
  }
}

// Three-dimensional lookup with trilinear weights.
__global__ void interpolate(const float* grid, const float3* points, float* y, int side, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float3 p = points[i];
  const int x0 = static_cast<int>(p.x), y0 = static_cast<int>(p.y), z0 = static_cast<int>(p.z);
  const float fx = p.x - x0, fy = p.y - y0, fz = p.z - z0;
  float sum = 0;
  for (int corner = 0; corner < 8; ++corner) {
    const int dx = corner & 1, dy = corner >> 1 & 1, dz = corner >> 2;
    const float weight = (dx ? fx : 1 - fx) * (dy ? fy : 1 - fy) * (dz ? fz : 1 - fz);
    sum += weight * grid[((z0 + dz) * side + y0 + dy) * side + x0 + dx];
  }
  y[i] = sum;
}

// Loops around a compare-and-swap that begin with a plain read, as the CUDA C++ Programming Guide writes them.
__device__ double guide_add(double* address, double value) {
  unsigned long long* const bits = reinterpret_cast<unsigned long long*>(address);
  unsigned long long old = *bits, assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
  } while (assumed != old);
  return __longlong_as_double(old);
}
__global__ void swap_loops(const float* x, double* sum, float* largest, int n) {
  __shared__ int most;
  if (threadIdx.x == 0) most = __float_as_int(-INFINITY);
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    guide_add(sum, x[i]);
    int old = most, assumed;
    do {
      assumed = old;
      old = atomicCAS(&most, assumed, __float_as_int(fmaxf(x[i], __int_as_float(assumed))));
    } while (assumed != old);
  }
  __syncthreads();
  if (threadIdx.x == 0) largest[blockIdx.x] = __int_as_float(most);
}
