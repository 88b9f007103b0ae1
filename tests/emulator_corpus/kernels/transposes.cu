// Moving elements to other places: through shared memory, through shuffles, in place.
template <class T>
__global__ void transpose(const T* x, T* y, int rows, int cols) {
  __shared__ T tile[32][33];
  const int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 32;
  for (int i = threadIdx.y; i < 32; i += blockDim.y) {
    if (c < cols && r + i < rows) tile[i][threadIdx.x] = x[(r + i) * cols + c];
  }
  __syncthreads();
  const int to_c = r + threadIdx.x;
  for (int i = threadIdx.y; i < 32; i += blockDim.y) {
    if (to_c < rows && blockIdx.x * 32 + i < cols) y[(blockIdx.x * 32 + i) * rows + to_c] = tile[threadIdx.x][i];
  }
}

// A warp transposes 32 x 32 in registers: five rounds of exchange.
__global__ void transpose_shuffles(const int* x, int* y) {
  int column[32];
#pragma unroll
  for (int r = 0; r < 32; ++r) column[r] = x[r * 32 + threadIdx.x];
#pragma unroll
  for (int bit = 1; bit < 32; bit *= 2) {
    const bool upper = threadIdx.x & bit;
#pragma unroll
    for (int r = 0; r < 32; ++r) {
      if (r & bit) continue;
      const int sent = upper ? column[r] : column[r | bit];
      const int got = __shfl_xor_sync(0xffffffffu, sent, bit);
      if (upper) column[r] = got;
      else column[r | bit] = got;
    }
  }
#pragma unroll
  for (int r = 0; r < 32; ++r) y[r * 32 + threadIdx.x] = column[r];
}

__global__ void nchw_to_nhwc(const __half* x, __half* y, int channels, int height, int width) {
  const int w = blockIdx.x * blockDim.x + threadIdx.x, h = blockIdx.y, n = blockIdx.z;
  if (w >= width) return;
  for (int c = 0; c < channels; ++c)
    y[((n * height + h) * width + w) * channels + c] = x[((n * channels + c) * height + h) * width + w];
}

// A square matrix in place: the pair of tiles (i, j), (j, i) of 16 x 16 changes places.
__global__ void transpose_in_place(float* x, int n) {
  if (blockIdx.x > blockIdx.y) return;
  __shared__ float a[16][17], b[16][17];
  const int i = threadIdx.y, j = threadIdx.x;
  const int ar = blockIdx.y * 16 + i, ac = blockIdx.x * 16 + j, br = blockIdx.x * 16 + i, bc = blockIdx.y * 16 + j;
  a[i][j] = x[ar * n + ac];
  b[i][j] = x[br * n + bc];
  __syncthreads();
  x[ar * n + ac] = b[j][i];
  if (blockIdx.x != blockIdx.y) x[br * n + bc] = a[j][i];
}

// Any permutation of four dimensions, extents and order by value.
struct Permutation {
  int extent[4];
  int order[4];
};
__global__ void permute4(const double* x, double* y, Permutation p, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int strides[4];
  int stride = 1;
  for (int d = 3; d >= 0; --d) strides[d] = stride, stride *= p.extent[d];
  int rest = i, from = 0;
  for (int d = 3; d >= 0; --d) {
    from += rest % p.extent[p.order[d]] * strides[p.order[d]];
    rest /= p.extent[p.order[d]];
  }
  y[i] = x[from];
}

// [n] of (re, im) to [2][n] and back with 16-byte accesses.
__global__ void deinterleave(const float4* x, float2* re, float2* im, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 v = x[i];
  re[i] = make_float2(v.x, v.z);
  im[i] = make_float2(v.y, v.w);
}

__global__ void rotate_image(const uchar3* x, uchar3* y, int height, int width) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
  if (c < width && r < height) y[c * height + height - 1 - r] = x[r * width + c];
}

// 32 x 32 bits, a row a thread.
__global__ void transpose_bits(const unsigned* x, unsigned* y) {
  const int lane = threadIdx.x;
  unsigned word = x[blockIdx.x * 32 + lane];
  unsigned mine = 0;
#pragma unroll
  for (int bit = 0; bit < 32; ++bit) {
    const unsigned votes = __ballot_sync(0xffffffffu, word >> bit & 1);
    if (lane == bit) mine = votes;
  }
  y[blockIdx.x * 32 + lane] = mine;
}
