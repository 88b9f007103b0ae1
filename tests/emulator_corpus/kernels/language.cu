// What C++ makes of code: calls of every kind, tables of jumps, objects, memory of every kind, text.
#include <assert.h>
#include <stdio.h>

__device__ int twice(int v) { return 2 * v; }
__device__ int square(int v) { return v * v; }
__device__ __noinline__ int negate(int v) { return -v; }
using Unary = int (*)(int);
__device__ Unary kTable[3] = {twice, square, negate};

// Calls through pointers: of a table in memory, and one handed on.
__device__ __noinline__ int apply(Unary f, int v) { return f(v) + 1; }
__global__ void function_pointers(const int* x, int* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = apply(kTable[x[i] % 3], x[i]) * 10 + kTable[(x[i] + 1) % 3](i);
}

// Two functions that call each other through pointers, as deep as their argument.
__device__ int is_even(int v);
__device__ int is_odd(int v);
__device__ Unary kParity[2] = {is_even, is_odd};
__device__ int is_even(int v) {
  const int rest = v % 3;
  return v == 0 ? 1 : kParity[1](v - 1) + 10 * rest;
}
__device__ int is_odd(int v) {
  const int rest = v % 3;
  return v == 0 ? 0 : kParity[0](v - 1) + 10 * rest;
}
__global__ void mutual_recursion(const int* x, int* y, int n) {
  if (threadIdx.x < n) y[threadIdx.x] = kParity[x[threadIdx.x] & 1](x[threadIdx.x] / 2);
}

struct Shape {
  __device__ virtual float area() const = 0;
  __device__ virtual int corners() const { return 4; }
};
struct Rectangle : Shape {
  float a, b;
  __device__ Rectangle(float width, float height) : a(width), b(height) {}
  __device__ float area() const override { return a * b; }
};
struct Disc : Shape {
  float r;
  __device__ explicit Disc(float radius) : r(radius) {}
  __device__ float area() const override { return 3.0f * r * r; }
  __device__ int corners() const override { return 0; }
};
__global__ void virtual_calls(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Rectangle rectangle(x[i], 2.0f);
  Disc disc(x[i]);
  const Shape* shape = &rectangle;
  if (i % 3 == 1) shape = &disc;
  y[i] = shape->area() + 1000.0f * shape->corners();
}

__device__ int ackermann(int m, int n) {
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}
__device__ int towers(int discs, int from, int to, int* moves) {
  if (discs == 0) return 0;
  const int other = 3 - from - to;
  int count = towers(discs - 1, from, other, moves);
  moves[count++] = from * 10 + to;
  return count + towers(discs - 1, other, to, moves + count);
}
__global__ void recursion(const int* x, int* y, int* moves, int n) {
  const int i = threadIdx.x;
  if (i < n) y[i] = ackermann(x[i] % 3, x[i] % 5);
  if (i == 0) y[n] = towers(5, 0, 2, moves);
}

// A stack machine: a table of jumps inside a loop, a stack in local memory.
__global__ void interpreter(const unsigned char* code, int length, const int* x, int* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int stack[16];
  int top = 0;
  for (int pc = 0; pc < length; ++pc) {
    switch (code[pc]) {
      case 0: stack[top++] = x[i]; break;
      case 1: stack[top++] = code[++pc]; break;
      case 2: --top; stack[top - 1] += stack[top]; break;
      case 3: --top; stack[top - 1] *= stack[top]; break;
      case 4: --top; stack[top - 1] -= stack[top]; break;
      case 5: stack[top] = stack[top - 1]; ++top; break;
      case 6: { const int t = stack[top - 1]; stack[top - 1] = stack[top - 2]; stack[top - 2] = t; break; }
      case 7: --top; if (stack[top] > 0) pc = code[pc + 1] - 1; else ++pc; break;
      case 8: stack[top - 1] = stack[top - 1] % 7; break;
      default: pc = length; break;
    }
  }
  y[i] = stack[top - 1];
}

// Templates over values and types, lambdas by reference, folds, structured bindings, constexpr tables.
template <int N>
struct Primes {
  int values[N];
  constexpr Primes() : values() {
    for (int count = 0, v = 2; count < N; ++v) {
      bool is_prime = true;
      for (int j = 0; j < count; ++j) is_prime = is_prime && v % values[j] != 0;
      if (is_prime) values[count++] = v;
    }
  }
};
__device__ constexpr Primes<32> kPrimes{};
template <class... T>
__device__ auto sum_of(T... values) { return (values + ...); }
struct Halves { int quotient, rest; };
template <class F>
__device__ void for_each(int n, F f) {
  for (int i = 0; i < n; ++i) f(i);
}
__global__ void modern(const int* x, double* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int factors = 0;
  for_each(32, [&, v = x[i]](int p) {
    if (v % kPrimes.values[p] == 0) ++factors;
  });
  const auto split = [](int v) { return Halves{v / 16, v % 16}; };
  const auto [quotient, rest] = split(x[i]);
  if constexpr (sizeof(long long) == 8) y[i] = sum_of(factors * 1000.0, quotient, 0.5f * rest, 1, static_cast<short>(-2));
}

// Unions, bit fields, packed structures by value, arrays of them in local and shared memory.
struct Packed {
  unsigned low : 5, middle : 11;
  int high : 16;
};
struct __align__(8) Record {
  char tag, spare;
  short number;
  float weight;
};
union Bits {
  float f;
  unsigned u;
  unsigned char bytes[4];
};
__global__ void layouts(const unsigned* x, Record extra, int* y, int n) {
  __shared__ Record records[64];
  const int i = threadIdx.x;
  Packed packed;
  memcpy(&packed, &x[i], 4);
  records[i].tag = static_cast<char>(packed.low), records[i].spare = 0, records[i].number = static_cast<short>(packed.middle);
  records[i].weight = i == 5 ? extra.weight : 1.0f;
  __syncthreads();
  Record mine[4];
  for (int j = 0; j < 4; ++j) mine[j] = records[(i + j * 17) % n];
  Bits bits;
  bits.f = mine[x[i] % 4].weight;
  bits.bytes[0] ^= mine[3].tag;
  y[2 * i] = static_cast<int>(bits.u);
  y[2 * i + 1] = packed.high + mine[1].number * extra.number + extra.tag;
}

// Loads and stores with hints, read-only loads, volatile; pieces of one dynamic array of several types.
__global__ void memory_kinds(const float4* x, const double* d, float4* y, double* out, int n) {
  extern __shared__ __align__(16) unsigned char raw[];
  double* doubles = reinterpret_cast<double*>(raw);
  volatile int* flags = reinterpret_cast<volatile int*>(doubles + blockDim.x);
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  doubles[t] = i < n ? __ldcs(&d[i]) : 0.0;
  flags[t] = t * 3;
  __syncthreads();
  if (i >= n) return;
  const float4 a = __ldg(&x[i]), b = __ldcg(&x[(i + 1) % n]), c = __ldca(&x[(i + 2) % n]), e = __ldlu(&x[(i + 3) % n]);
  __stcg(&y[i], make_float4(a.x + b.x, b.y + c.y, c.z + e.z, e.w + flags[t ^ 1]));
  __stwt(&out[i], doubles[t] + doubles[t / 2]);
}

// A function that is called, not inlined, with shared variables of its own.
__device__ __noinline__ int mirrored(int v) {
  __shared__ int spare[8], tile[64];
  tile[threadIdx.x] = v;
  if (threadIdx.x < 8) spare[threadIdx.x] = v;
  __syncthreads();
  const int out = tile[63 - threadIdx.x] * 100 + spare[threadIdx.x % 8];
  __syncthreads();
  return out;
}
__global__ void shared_in_functions(const int* x, int* y) {
  const int once = mirrored(x[threadIdx.x]);
  y[threadIdx.x] = mirrored(once % 100) + once;
}

// One warp hands a value to another through a flag, without a barrier.
__global__ void flag_in_shared(const float* x, float* y, int rounds) {
  __shared__ volatile int ready;
  __shared__ float value;
  if (threadIdx.x == 0) ready = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    value = x[0];
    __threadfence_block();
    ready = rounds;
  }
  if (threadIdx.x == 32) {
    while (ready != rounds) __nanosleep(20);
    __threadfence_block();
    y[0] = value;
  }
}

// A lock that lanes of one warp hand to each other.
__global__ void lock_of_lanes(int* y) {
  __shared__ int lock, count;
  if (threadIdx.x == 0) lock = count = 0;
  __syncthreads();
  for (bool done = false; !done;) {
    if (atomicCAS(&lock, 0, 1) != 0) continue;
    __threadfence_block();
    count = count + static_cast<int>(threadIdx.x);
    __threadfence_block();
    atomicExch(&lock, 0);
    done = true;
  }
  __syncthreads();
  y[threadIdx.x] = count;
}

__global__ void printing(const float* x, int n) {
  const int i = threadIdx.x;
  assert(n == 3 && "three numbers");
  if (i == 0) {
    for (int k = 0; k < n; ++k) printf("%d:%8.3f|%-6s|%05d|%x|%c\n", k, x[k], k == 1 ? "one" : "other", k * 37, 255 * k, 'a' + k);
    printf("[%*d|%-*d] %p\n", 6, 42, 5, 7, reinterpret_cast<void*>(0x1234));
    printf("%lld %llu %e %%\n", -5000000000ll, 18446744073709551615ull, 12345.678);
  }
}

// Grids and blocks of three dimensions; loops with several exits; a goto.
__global__ void geometry(int* y, int limit) {
  const int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const int i = block * blockDim.x * blockDim.y * blockDim.z + thread;
  int steps = 0, v = i + 1;
again:
  if (v == 1 || steps == limit) goto done;
  do {
    v = v % 2 ? 3 * v + 1 : v / 2;
    if (++steps == limit) break;
    if (v < 0) return;
  } while (v % 4 != 0 && v != 1);
  goto again;
done:
  y[i] = steps;
}
