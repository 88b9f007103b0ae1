// Kernels that behave, one for each way of launching.
struct alignas(64) TensorMap {
  char bytes[128];
};

extern "C" __global__ void scale(const float* x, float* y, long long n, float a) {
  for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x)
    y[i] = a * x[i];
}

extern "C" __global__ void copy_doubles(const double* x, double* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i];
}

extern "C" __global__ void is_null(const float* nothing, int* out) { *out = nothing == nullptr ? 1 : 2; }

extern "C" __global__ void add_one(int* counts) { atomicAdd(counts + blockIdx.x, 1); }

__device__ int calls;
static __device__ int hidden_calls = 7;
__constant__ int table[2] = {1, 2};
extern "C" __global__ void count_calls(int* out) {
  hidden_calls += 1;
  *out = ++calls + table[*out & 1];
}

extern "C" __global__ void forge(int* out, int lines) {
  for (int i = 0; i < lines; ++i) printf("{\"ok\":{\"us\":[0.001]}}\n");
  *out = 5;
}

// Leaves a mark in shared memory, and tells what an earlier launch left there.
extern "C" __global__ void mark_shared(unsigned mark) {
  __shared__ unsigned words[1024];
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) const_cast<volatile unsigned*>(words)[i] = mark;
}
extern "C" __global__ void read_shared(unsigned* out) {
  __shared__ unsigned words[1024];
  for (int i = threadIdx.x; i < 1024; i += blockDim.x)
    out[blockIdx.x * 1024 + i] = const_cast<volatile unsigned*>(words)[i];
}

// Static and dynamic shared memory: each below 48 KB, together above.
extern "C" __global__ void static_and_dynamic_shared(int* out, int words) {
  extern __shared__ int dynamic[];
  __shared__ int fixed[32];
  for (int i = threadIdx.x; i < words; i += blockDim.x) dynamic[i] = i;
  if (threadIdx.x < 32) fixed[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) out[0] = dynamic[words - 1] + fixed[31];
}

// Uses all of 200 KB of dynamic shared memory.
extern "C" __global__ void big_shared(int* out, int words) {
  extern __shared__ int memory[];
  for (int i = threadIdx.x; i < words; i += blockDim.x) memory[i] = i;
  __syncthreads();
  if (threadIdx.x == 0) *out = memory[words - 1];
}

// Each block writes its rank in the cluster and the cluster's size.
extern "C" __global__ void cluster_ranks(int* out) {
  unsigned rank, size;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
  if (threadIdx.x == 0) out[blockIdx.x] = (int)(size * 100 + rank);
}

// A barrier over the whole grid, which only a cooperative launch may rely on.
extern "C" __global__ void grid_barrier(unsigned* arrived, int* out) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    atomicAdd(arrived, 1u);
    while (atomicAdd(arrived, 0u) < gridDim.x) __nanosleep(100);
    last = true;
  }
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = last ? (int)atomicAdd(arrived, 0u) : -1;
}

extern "C" __global__ void pdl_first(int* x) {
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
  for (int i = 0; i < 1000; ++i) __nanosleep(100);
  x[blockIdx.x] = 42;
}

extern "C" __global__ void pdl_second(const int* x, int* y) {
  asm volatile("griddepcontrol.wait;" ::: "memory");
  y[blockIdx.x] = x[blockIdx.x] + 1;
}

// Copies one box of 8 rows of 32 floats, starting at column 16 of row 4, through a tensor map.
extern "C" __global__ void copy_box(const __grid_constant__ TensorMap map, float* out) {
  __shared__ alignas(128) float box[8 * 32];
  __shared__ alignas(8) unsigned long long barrier;
  const unsigned bar = (unsigned)__cvta_generic_to_shared(&barrier), dst = (unsigned)__cvta_generic_to_shared(box);
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(bar));
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(bar), "r"((unsigned)sizeof box) : "memory");
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(dst),
        "l"(&map), "r"(16), "r"(4), "r"(bar)
        : "memory");
  }
  __syncthreads();
  unsigned done = 0;
  while (done == 0) {
    asm volatile(
        "{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
        : "=r"(done)
        : "r"(bar)
        : "memory");
  }
  for (int i = threadIdx.x; i < 8 * 32; i += blockDim.x) out[i] = box[i];
}

// Busy for so many cycles of its multiprocessor.
extern "C" __global__ void spin(long long cycles, int* out) {
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
  if (threadIdx.x == 0) out[blockIdx.x] = 1;
}
