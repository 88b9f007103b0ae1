// Histograms: atomics on global and shared memory, one a warp's equal keys, privatised copies, weights.
__global__ void histogram_global(const unsigned char* x, unsigned* bins, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[x[i]], 1u);
}

__global__ void histogram_shared(const uchar4* x, int* bins, int n) {
  __shared__ int mine[64];
  for (int b = threadIdx.x; b < 64; b += blockDim.x) mine[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const uchar4 v = x[i];
    atomicAdd(&mine[v.x % 64], 1);
    atomicAdd(&mine[v.y % 64], 1);
    atomicAdd(&mine[v.z % 64], 1);
    atomicAdd(&mine[v.w % 64], 1);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < 64; b += blockDim.x) atomicAdd(&bins[b], mine[b]);
}

__global__ void histogram_warp(const int* x, unsigned long long* bins, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned same = __match_any_sync(__activemask(), x[i]);
  if (__ffs(same) - 1 == threadIdx.x % 32) atomicAdd(&bins[x[i]], static_cast<unsigned long long>(__popc(same)));
}

// A copy of 16 counters of a byte for each thread, packed; summed at the end. At most 255 elements a thread.
__global__ void histogram_private(const unsigned char* x, int* bins, int n) {
  __shared__ unsigned char counts[16][64];
  for (int b = 0; b < 16; ++b) counts[b][threadIdx.x] = 0;
  for (int i = threadIdx.x; i < n; i += 64) ++counts[x[i] >> 4][threadIdx.x];
  __syncthreads();
  if (threadIdx.x < 16) {
    int sum = 0;
    for (int t = 0; t < 64; ++t) sum += counts[threadIdx.x][(t + threadIdx.x) % 64];
    bins[threadIdx.x] = sum;
  }
}

__global__ void histogram_weighted(const float* x, const float* weights, double* bins, float low, float width,
                                   int count, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int bin = min(max(static_cast<int>(floorf((x[i] - low) / width)), 0), count - 1);
  atomicAdd(&bins[bin], static_cast<double>(weights[i]));
}

// Pairs of classes; saturates at 15 by compare and swap.
__global__ void confusion_matrix(const int* predicted, const int* actual, unsigned* matrix, int classes, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned* cell = &matrix[actual[i] * classes + predicted[i]];
  unsigned seen = atomicAdd(cell, 0u);
  while (seen < 15) {
    const unsigned before = atomicCAS(cell, seen, seen + 1);
    if (before == seen) break;
    seen = before;
  }
}
