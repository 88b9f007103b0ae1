// Lane-instructions a second of CPU time of the emulator on four kernels, one thread of the host:
// scripts/bench-emulator.sh. The first argument chooses by name. Matrix instructions count as one each a
// lane, whatever they multiply.
#include <cstdio>
#include <cstring>
#include <ctime>
#include <string>

#include "harness/compile/compiler.hpp"
#include "harness/compile/compiler_log.hpp"
#include "harness/emulator/loaded_module.hpp"
#include "util/file.hpp"

namespace {

using namespace kgen;
using namespace kgen::emulator;

struct Subject {
  const char* name;
  const char* source;
  U32 grid, block;
  std::size_t floats;  ///< of each of the three tensors
  int n;
};

constexpr Subject kSubjects[] = {
    {"softmax", R"(extern "C" __global__ void kernel(const float* x, const float*, float* y, int n) {
  __shared__ float parts[32];
  const float* row = x + blockIdx.x * n;
  float sum = 0.0f;
  for (int c = threadIdx.x; c < n; c += blockDim.x) sum += __expf(row[c]);
  for (int o = 16; o > 0; o /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, o);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = sum;
  __syncthreads();
  sum = 0.0f;
  for (int w = 0; w < blockDim.x / 32; ++w) sum += parts[w];
  for (int c = threadIdx.x; c < n; c += blockDim.x) y[blockIdx.x * n + c] = __expf(row[c]) / sum;
})",
     512, 256, 512 * 2048, 2048},
    {"tiled matmul", R"(extern "C" __global__ void kernel(const float* a, const float* b, float* c, int n) {
  __shared__ float ta[32][33], tb[32][33];
  const int row = blockIdx.x / (n / 32) * 32 + threadIdx.x / 32, column = blockIdx.x % (n / 32) * 32 + threadIdx.x % 32;
  float sum = 0.0f;
  for (int k = 0; k < n; k += 32) {
    ta[threadIdx.x / 32][threadIdx.x % 32] = a[row * n + k + threadIdx.x % 32];
    tb[threadIdx.x / 32][threadIdx.x % 32] = b[(k + threadIdx.x / 32) * n + column];
    __syncthreads();
    for (int i = 0; i < 32; ++i) sum += ta[threadIdx.x / 32][i] * tb[i][threadIdx.x % 32];
    __syncthreads();
  }
  c[row * n + column] = sum;
})",
     64, 1024, 256 * 256, 256},
    {"mma matmul", R"(#include <cuda_fp16.h>
extern "C" __global__ void kernel(const float* a, const float* b, float* c, int n) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, tiles = n / 64;
  const __half* ah = reinterpret_cast<const __half*>(a);  // row-major halves
  const __half* bh = reinterpret_cast<const __half*>(b);  // column-major
  __shared__ __align__(16) __half ta[64][40], tb[64][40];
  const int row0 = blockIdx.x / tiles * 64, column0 = blockIdx.x % tiles * 64;
  const int wr = warp / 2 * 32, wc = warp % 2 * 32;
  float sums[2][4][4] = {};
  for (int k = 0; k < n; k += 32) {
    for (int i = threadIdx.x; i < 64 * 4; i += 128) {
      *reinterpret_cast<uint4*>(&ta[i / 4][i % 4 * 8]) = *reinterpret_cast<const uint4*>(&ah[(row0 + i / 4) * n + k + i % 4 * 8]);
      *reinterpret_cast<uint4*>(&tb[i / 4][i % 4 * 8]) = *reinterpret_cast<const uint4*>(&bh[(column0 + i / 4) * n + k + i % 4 * 8]);
    }
    __syncthreads();
    for (int kk = 0; kk < 32; kk += 16) {
      unsigned fa[2][4], fb[4][2];
      for (int i = 0; i < 2; ++i) {
        const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(&ta[wr + i * 16 + lane % 16][kk + lane / 16 * 8]));
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(fa[i][0]), "=r"(fa[i][1]), "=r"(fa[i][2]), "=r"(fa[i][3]) : "r"(at));
      }
      for (int j = 0; j < 4; j += 2) {
        const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(&tb[wc + j * 8 + lane % 8 + lane / 16 * 8][kk + lane / 8 % 2 * 8]));
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(fb[j][0]), "=r"(fb[j][1]), "=r"(fb[j + 1][0]), "=r"(fb[j + 1][1]) : "r"(at));
      }
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 4; ++j)
          asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                       : "+f"(sums[i][j][0]), "+f"(sums[i][j][1]), "+f"(sums[i][j][2]), "+f"(sums[i][j][3])
                       : "r"(fa[i][0]), "r"(fa[i][1]), "r"(fa[i][2]), "r"(fa[i][3]), "r"(fb[j][0]), "r"(fb[j][1]));
    }
    __syncthreads();
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 4; ++j)
      for (int e = 0; e < 4; ++e)
        c[(row0 + wr + i * 16 + lane / 4 + e / 2 * 8) * n + column0 + wc + j * 8 + lane % 4 * 2 + e % 2] = sums[i][j][e];
})",
     64, 128, 512 * 512, 512},
    {"arithmetic", R"(extern "C" __global__ void kernel(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = a[i], y = b[i];
  unsigned k = i;
  for (int step = 0; step < n; ++step) {
    x = x * y + 0.5f;
    y = fmaxf(y - x * 0.25f, 0.125f);
    k = (k * 1664525u + 1013904223u) ^ (k >> 3);
  }
  c[i] = x + y + k;
})",
     64, 256, 64 * 256, 1000},
};

/// Of this thread: the launches run on it alone, and how busy the machine is should not count.
double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

double run(compile::Compiler& compiler, const Subject& subject, bool& failed) {
  compile::CompileRequest request;
  request.source = subject.source;
  request.kernels = {"kernel"};
  request.lineinfo = request.want_ptx = true;
  request.want_cubin = false;
  const auto compiled = compiler.compile(request);
  Memory memory;
  const auto module = LoadedModule::load(compiled.ptx, compile::kCandidateFile, memory);
  if (!compiled.ok || !module) {
    std::fprintf(stderr, "%s: %s\n", subject.name,
                 compiled.ok ? module.error().text().c_str() : compiled.log.c_str());
    failed = true;
    return 0;
  }
  std::vector<std::byte> parameters(28);
  for (std::size_t i = 0; i < 3; ++i) {
    auto& tensor = memory.allocate(std::string(1, static_cast<char>('a' + i)), subject.floats * 4);
    tensor.is_tracked = i == 2;
    std::memcpy(parameters.data() + 8 * i, &tensor.base, 8);
  }
  std::memcpy(parameters.data() + 24, &subject.n, 4);
  LaunchSettings settings;
  settings.grid[0] = subject.grid;
  settings.block[0] = subject.block;
  LaunchCounts counts;
  std::string output;
  const double begin = cpu_seconds();
  const auto stopped =
      run_launch((*module)->program(), "kernel", memory, settings, parameters, counts, output);
  const double seconds = cpu_seconds() - begin;
  if (stopped) std::fprintf(stderr, "%s: %s\n", subject.name, stopped->message.c_str());
  failed = failed || stopped;
  std::printf("%-14s %8.1f million lane-instructions in %6.3f s: %7.1f million/s\n", subject.name,
              static_cast<double>(counts.lane_instructions) / 1e6, seconds,
              static_cast<double>(counts.lane_instructions) / 1e6 / seconds);
  return seconds;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string only = argc > 1 ? argv[1] : "";
  const auto folder = util::TemporaryFolder::create("kgen-emulator-bench");
  auto setup = compile::find_compiler_setup({}, folder->path());
  if (!setup) {
    std::fprintf(stderr, "%s\n", setup.error().text().c_str());
    return 5;
  }
  auto compiler = compile::Compiler::create(*std::move(setup)).value();
  bool failed = false;
  for (const Subject& subject : kSubjects) {
    if (std::string(subject.name).find(only) != std::string::npos) run(compiler, subject, failed);
  }
  return failed ? 1 : 0;
}
