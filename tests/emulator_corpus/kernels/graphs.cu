// Graphs, sparse matrices, strings, clusters.
// A warp a row of a matrix in compressed rows.
__global__ void spmv_csr(const int* starts, const int* columns, const float* values, const float* x, float* y, int rows) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float sum = 0;
  for (int i = starts[row] + lane; i < starts[row + 1]; i += 32) sum += values[i] * x[columns[i]];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(~0u, sum, offset);
  if (lane == 0) y[row] = sum;
}

// One level of a breadth-first search: the frontier's neighbours that nobody has reached form the next one.
__global__ void bfs_level(const int* starts, const int* edges, int* distance, const int* frontier, const int* size,
                          int* next, int* next_size, int level) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < *size; i += gridDim.x * blockDim.x) {
    const int from = frontier[i];
    for (int e = starts[from]; e < starts[from + 1]; ++e) {
      if (atomicCAS(&distance[edges[e]], -1, level) == -1) next[atomicAdd(next_size, 1)] = edges[e];
    }
  }
}

// Union by atomic minimum, with path halving.
__device__ int root_of(volatile int* parent, int v) {
  while (parent[v] != v) {
    const int up = parent[v];
    parent[v] = parent[up];
    v = up;
  }
  return v;
}
__global__ void join_components(const int2* edges, int* parent, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  int a = root_of(parent, edges[i].x), b = root_of(parent, edges[i].y);
  while (a != b) {
    if (a > b) { const int swap = a; a = b; b = swap; }
    const int old = atomicMin(&parent[b], a);
    if (old == b) break;
    b = root_of(parent, old);
    a = root_of(parent, a);
  }
}
__global__ void flatten_components(int* parent, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int v = i;
    while (const_cast<volatile int*>(parent)[v] != v) v = const_cast<volatile int*>(parent)[v];
    const_cast<volatile int*>(parent)[i] = v;
  }
}

// Levenshtein's distance, an anti-diagonal at a time: three of them in shared memory.
__global__ void edit_distance(const char* a, int na, const char* b, int nb, int* distance) {
  __shared__ int lines[3][65];
  for (int d = 0; d <= na + nb; ++d) {
    const int i = threadIdx.x, j = d - i;
    if (i <= na && j >= 0 && j <= nb) {
      int best = i == 0 ? j : j == 0 ? i : 0;
      if (i > 0 && j > 0) {
        best = min(lines[(d + 2) % 3][i - 1], lines[(d + 2) % 3][i]) + 1;
        best = min(best, lines[(d + 1) % 3][i - 1] + (a[i - 1] != b[j - 1]));
      }
      lines[d % 3][i] = best;
      if (i == na && j == nb) *distance = best;
    }
    __syncthreads();
  }
}

// The nearest of 8 centres, and sums to move them.
__global__ void k_means(const float2* points, const float2* centres, int* nearest, float* sums, int* counts, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float least = INFINITY;
  int best = 0;
#pragma unroll 4
  for (int k = 0; k < 8; ++k) {
    const float dx = points[i].x - centres[k].x, dy = points[i].y - centres[k].y, d = dx * dx + dy * dy;
    if (d < least) least = d, best = k;
  }
  nearest[i] = best;
  atomicAdd(&sums[2 * best], points[i].x);
  atomicAdd(&sums[2 * best + 1], points[i].y);
  atomicAdd(&counts[best], 1);
}
