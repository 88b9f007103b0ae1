// Products: on CUDA cores in several shapes, on tensor cores through <mma.h>, with copies that run ahead.
#include <cuda_pipeline.h>
#include <mma.h>
using namespace nvcuda;

__global__ void matmul_f64(const double* a, const double* b, double* c, int m, int n, int k) {
  __shared__ double ta[8][8], tb[8][8];
  const int row = blockIdx.y * 8 + threadIdx.y, col = blockIdx.x * 8 + threadIdx.x;
  double sum = 0;
  for (int base = 0; base < k; base += 8) {
    ta[threadIdx.y][threadIdx.x] = row < m && base + threadIdx.x < k ? a[row * k + base + threadIdx.x] : 0.0;
    tb[threadIdx.y][threadIdx.x] = col < n && base + threadIdx.y < k ? b[(base + threadIdx.y) * n + col] : 0.0;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 8; ++i) sum += ta[threadIdx.y][i] * tb[i][threadIdx.x];
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = sum;
}

// 32 x 32 of C a block of 64 threads, 4 x 4 a thread, K in steps of 16; two tiles, the next one copied ahead.
__global__ void matmul_pipelined(const float* a, const float* b, float* c, int n, int k) {
  __shared__ __align__(16) float ta[2][32][16], tb[2][16][32];
  const int t = threadIdx.x, row = t / 8 * 4, col = t % 8 * 4;
  const auto fetch = [&](int stage, int base) {
    for (int i = t; i < 128; i += 64) {
      __pipeline_memcpy_async(&ta[stage][i / 4][i % 4 * 4], &a[(blockIdx.y * 32 + i / 4) * k + base + i % 4 * 4], 16);
      __pipeline_memcpy_async(&tb[stage][i / 8][i % 8 * 4], &b[(base + i / 8) * n + blockIdx.x * 32 + i % 8 * 4], 16);
    }
    __pipeline_commit();
  };
  float acc[4][4] = {};
  fetch(0, 0);
  for (int base = 0, stage = 0; base < k; base += 16, stage ^= 1) {
    if (base + 16 < k) fetch(stage ^ 1, base + 16);
    else __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 16; ++i) {
      const float4 right = *reinterpret_cast<const float4*>(&tb[stage][i][col]);
#pragma unroll
      for (int r = 0; r < 4; ++r) {
        const float left = ta[stage][row + r][i];
        acc[r][0] = fmaf(left, right.x, acc[r][0]);
        acc[r][1] = fmaf(left, right.y, acc[r][1]);
        acc[r][2] = fmaf(left, right.z, acc[r][2]);
        acc[r][3] = fmaf(left, right.w, acc[r][3]);
      }
    }
    __syncthreads();
  }
  for (int r = 0; r < 4; ++r) {
    *reinterpret_cast<float4*>(&c[(blockIdx.y * 32 + row + r) * n + blockIdx.x * 32 + col]) =
        make_float4(acc[r][0], acc[r][1], acc[r][2], acc[r][3]);
  }
}

__global__ void gemv(const __half2* a, const __half2* x, float* y, int rows, int pairs) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  float sum = 0;
  for (int p = threadIdx.x; p < pairs; p += 32) {
    const float2 u = __half22float2(a[row * pairs + p]), v = __half22float2(__ldg(&x[p]));
    sum += u.x * v.x + u.y * v.y;
  }
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(~0u, sum, offset);
  if (threadIdx.x == 0) y[row] = sum;
}

// Parts of K by blockIdx.z, added up by atomics.
__global__ void matmul_split(const float* a, const float* b, float* c, int n, int k) {
  const int col = threadIdx.x, row = blockIdx.y, step = k / gridDim.z;
  float sum = 0;
  for (int i = blockIdx.z * step; i < (blockIdx.z + 1) * step; ++i) sum += a[row * k + i] * b[i * n + col];
  atomicAdd(&c[row * n + col], sum);
}

// One warp, one tile of C, any fragment type; b is transposed.
template <class T, class Acc, int M, int N, int K, class Frag = T>
__global__ void matmul_wmma(const T* a, const T* b, Acc* c, int k) {
  wmma::fragment<wmma::matrix_a, M, N, K, Frag, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, M, N, K, Frag, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, M, N, K, Acc> fc;
  wmma::fill_fragment(fc, Acc(0));
  for (int i = 0; i < k; i += K) {
    wmma::load_matrix_sync(fa, a + i, k);
    wmma::load_matrix_sync(fb, b + i, k);
    wmma::mma_sync(fc, fa, fb, fc);
  }
  wmma::store_matrix_sync(c, fc, N, wmma::mem_row_major);
}

// Four warps share tiles in shared memory; the accumulator is scaled in registers and stored as half.
__global__ void matmul_tensor_tiles(const __half* a, const __half* b, __half* c, int n, int k) {
  __shared__ __align__(32) __half ta[32][24], tb[16][40];
  __shared__ __align__(32) float tc[4][16][16];
  const int warp = threadIdx.x / 32, wm = warp / 2 * 16, wn = warp % 2 * 16;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc;
  wmma::fill_fragment(acc, 0.0f);
  for (int base = 0; base < k; base += 16) {
    for (int i = threadIdx.x; i < 512; i += 128) {
      ta[i / 16][i % 16] = a[(blockIdx.y * 32 + i / 16) * k + base + i % 16];
      tb[i / 32][i % 32] = b[(base + i / 32) * n + blockIdx.x * 32 + i % 32];
    }
    __syncthreads();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> fb;
    wmma::load_matrix_sync(fa, &ta[wm][0], 24);
    wmma::load_matrix_sync(fb, &tb[0][wn], 40);
    wmma::mma_sync(acc, fa, fb, acc);
    __syncthreads();
  }
  for (int i = 0; i < acc.num_elements; ++i) acc.x[i] = acc.x[i] * 0.5f;
  wmma::store_matrix_sync(&tc[warp][0][0], acc, 16, wmma::mem_row_major);
  __syncwarp();
  for (int i = threadIdx.x % 32; i < 256; i += 32)
    c[(blockIdx.y * 32 + wm + i / 16) * n + blockIdx.x * 32 + wn + i % 16] = __float2half(tc[warp][i / 16][i % 16]);
}

// Solves A X = B for lower triangular A, in place, a thread a column.
__global__ void triangular_solve(const float* a, float* x, int n, int columns) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (col >= columns) return;
  for (int i = 0; i < n; ++i) {
    float sum = x[i * columns + col];
    for (int j = 0; j < i; ++j) sum -= a[i * n + j] * x[j * columns + col];
    x[i * columns + col] = sum / a[i * n + i];
  }
}
