// Kernels that end their context, or never end.
extern "C" __global__ void illegal_address(int* out) { *(int*)16 = *out; }

extern "C" __global__ void far_address(int* out) { out[1ll << 40] = 1; }

extern "C" __global__ void misaligned(int* out) { *(int*)((char*)out + 1) = 1; }

extern "C" __global__ void trap(int* out) {
  if (*out != 123456) asm volatile("trap;");
}

extern "C" __global__ void failed_assert(int* out) {
  if (*out != 123456) __assertfail("out", "bad.cu", 1, "failed_assert", 1);
}

extern "C" __global__ void endless(int* out) {
  while (atomicAdd(out, 0) != 123456) {
  }
}

__device__ int descend(int* out, int depth) {
  volatile int frame[64];
  frame[depth & 63] = depth;
  return *out == 123456 ? 0 : descend(out, depth + 1) + frame[depth & 63];
}
extern "C" __global__ void stack_overflow(int* out) { *out = descend(out, 0); }

extern "C" __global__ void huge_shared(int* out) {
  extern __shared__ int memory[];
  memory[threadIdx.x] = 1;
  *out = memory[0];
}

// The block waits for a block that cannot come: a barrier that only half of the threads reach is a hang.
extern "C" __global__ void half_a_barrier(int* out) {
  if (threadIdx.x < 64)
    asm volatile("bar.sync 1, 128;");
  else
    while (atomicAdd(out, 0) != 123456) {
    }
}
