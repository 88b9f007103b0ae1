// Kernels with one bottleneck each, planted: what a diagnosis must name first. All read `x` and write `y`; `n` is the number of
// floats of x.
#include <cuda_fp16.h>

// DRAM: every byte once, coalesced, 16 bytes a lane.
extern "C" __global__ void planted_dram(const float4* x, float4* y, long long n) {
  const long long stride = (long long)gridDim.x * blockDim.x;
  for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < n / 4; i += stride) {
    float4 v = x[i];
    v.x += 1.0f; v.y += 1.0f; v.z += 1.0f; v.w += 1.0f;
    y[i] = v;
  }
}

// Uncoalesced: neighbouring lanes read 128 bytes apart, and write so.
extern "C" __global__ void planted_uncoalesced(const float* x, float* y, long long n) {
  const long long columns = 8192, rows = n / columns;
  const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const long long row = i % rows, column = i / rows;
  y[row * columns + column] = x[row * columns + column] + 1.0f;
}

// Bank conflicts: all lanes of a warp hit one bank.
extern "C" __global__ void planted_bank_conflicts(const float* x, float* y, int repeats) {
  __shared__ float tile[32 * 32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) tile[i] = x[i];
  __syncthreads();
  float sum = 0;
  for (int r = 0; r < repeats; ++r) {
#pragma unroll
    for (int c = 0; c < 8; ++c) sum += ((volatile float*)tile)[lane * 32 + ((warp + r + c) & 31)];
  }
  y[(long long)blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Occupancy: loads that depend on nothing, but 100 KB of shared memory a block of 64 threads, so few warps hide their latency.
extern "C" __global__ void planted_occupancy(const float* x, float* y, long long n) {
  extern __shared__ float room[];
  room[threadIdx.x] = 0;
  float sum = 0;
  const long long stride = (long long)gridDim.x * blockDim.x;
  for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) sum += x[i] * 2.0f + room[threadIdx.x];
  y[(long long)blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Tensor cores idle: a product of half matrices by plain multiply-adds.
extern "C" __global__ void planted_tensor_idle(const __half* a, const __half* b, float* c, int size) {
  __shared__ __half ta[32][33], tb[32][33];
  const int tx = threadIdx.x % 32, ty = threadIdx.x / 32;
  const int row = blockIdx.y * 32 + ty, column = blockIdx.x * 32 + tx;
  float sum[4] = {0, 0, 0, 0};
  for (int k = 0; k < size; k += 32) {
#pragma unroll
    for (int r = 0; r < 4; ++r) {
      ta[ty + 8 * r][tx] = a[(long long)(row + 8 * r) * size + k + tx];
      tb[ty + 8 * r][tx] = b[(long long)(k + ty + 8 * r) * size + column];
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 32; ++i) {
      const float right = __half2float(tb[i][tx]);
#pragma unroll
      for (int r = 0; r < 4; ++r) sum[r] += __half2float(ta[ty + 8 * r][i]) * right;
    }
    __syncthreads();
  }
#pragma unroll
  for (int r = 0; r < 4; ++r) c[(long long)(row + 8 * r) * size + column] = sum[r];
}

// Tail: blocks of equal work and as much shared memory as leaves room for one a multiprocessor, one more than fits at once.
extern "C" __global__ void planted_tail(const float* x, float* y, int repeats) {
  float a = x[threadIdx.x], b = a + 1, c = a + 2, d = a + 3;
  for (int r = 0; r < repeats; ++r) {
    a = a * 0.999f + 0.5f; b = b * 0.998f + 0.5f; c = c * 0.997f + 0.5f; d = d * 0.996f + 0.5f;
  }
  y[(long long)blockIdx.x * blockDim.x + threadIdx.x] = a + b + c + d;
}

// Tail by unequal work: the first block does many times what the others do.
extern "C" __global__ void planted_uneven(const float* x, float* y, int repeats) {
  float a = x[threadIdx.x], b = a + 1, c = a + 2, d = a + 3;
  const int mine = blockIdx.x == 0 ? 8 * repeats : repeats;
  for (int r = 0; r < mine; ++r) {
    a = a * 0.999f + 0.5f; b = b * 0.998f + 0.5f; c = c * 0.997f + 0.5f; d = d * 0.996f + 0.5f;
  }
  y[(long long)blockIdx.x * blockDim.x + threadIdx.x] = a + b + c + d;
}

// Launch-bound: next to nothing, many times.
extern "C" __global__ void planted_launch(const float* x, float* y) {
  y[blockIdx.x * blockDim.x + threadIdx.x] = x[threadIdx.x] + 1.0f;
}

// Barriers: one warp works while the others wait for it.
extern "C" __global__ void planted_barrier(const float* x, float* y, int repeats) {
  __shared__ float shared[32];
  float value = x[threadIdx.x];
  for (int r = 0; r < repeats; ++r) {
    if (threadIdx.x < 32) {
      float v = value;
#pragma unroll
      for (int i = 0; i < 64; ++i) v = v * 0.999f + 0.25f;
      shared[threadIdx.x] = v;
    }
    __syncthreads();
    value += shared[threadIdx.x % 32];
    __syncthreads();
  }
  y[(long long)blockIdx.x * blockDim.x + threadIdx.x] = value;
}

// Spills: an array too large for registers, indexed at run time.
extern "C" __global__ void planted_local(const float* x, float* y, int repeats) {
  float values[256];
  const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 256; ++k) values[k] = x[(i + k) & 0xffff];
  int place = threadIdx.x & 255;
  float sum = 0;
  for (int r = 0; r < repeats; ++r) {
    sum += values[place];
    values[(place * 7 + r) & 255] = sum;
    place = (place * 5 + 1 + r) & 255;
  }
  y[i] = sum;
}

// Divergence: each lane of a warp goes a way of its own, and each way is arithmetic.
extern "C" __global__ void planted_divergence(const float* x, float* y, int repeats) {
  const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  float v = x[i & 0xffff];
  const int way = threadIdx.x & 31;
  for (int r = 0; r < repeats; ++r) {
    for (int w = 0; w < 32; ++w) {
      if (way == w) {
        for (int k = 0; k < 8 + (r & 1); ++k) v = v * 0.999f + (float)w;
      }
    }
  }
  y[i] = v;
}

// Bytes in flight: coalesced, full occupancy, but each load waits for the one before (x holds zeros).
extern "C" __global__ void planted_in_flight(const int* x, float* y, long long n, int repeats) {
  const long long threads = (long long)gridDim.x * blockDim.x;
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  for (int r = 0; r < repeats; ++r) {
    const int v = x[i];
    sum += v;
    i += threads + v;
    if (i >= n) i -= n;
  }
  y[(long long)blockIdx.x * blockDim.x + threadIdx.x] = (float)sum;
}

// Latency of arithmetic: one chain of dependent multiply-adds a thread, few warps.
extern "C" __global__ void planted_dependent_math(const float* x, float* y, int repeats) {
  float v = x[threadIdx.x];
  for (int r = 0; r < repeats; ++r) v = v * 0.999f + 0.5f;
  y[(long long)blockIdx.x * blockDim.x + threadIdx.x] = v;
}

// fp64 by mistake: double literals among floats.
extern "C" __global__ void planted_fp64(const float* x, float* y, int repeats) {
  float a = x[threadIdx.x], b = a + 1, c = a + 2, d = a + 3;
  for (int r = 0; r < repeats; ++r) {
    a = a * 0.999 + 0.5; b = b * 0.998 + 0.5; c = c * 0.997 + 0.5; d = d * 0.996 + 0.5;
  }
  y[(long long)blockIdx.x * blockDim.x + threadIdx.x] = a + b + c + d;
}

// Atomics: every thread adds to one of a few addresses.
extern "C" __global__ void planted_atomics(const float* x, float* y, long long n) {
  const long long stride = (long long)gridDim.x * blockDim.x;
  for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) atomicAdd(&y[i & 7], x[i]);
}
