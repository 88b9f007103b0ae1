// Compiles a bf16 kernel in a pool of N processes and prints milliseconds a compile and compiles a second.
//   compile_bench [PROCESSES] [COMPILES] [EXTRA_INCLUDE]
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "harness/compile/compile_main.hpp"
#include "harness/compile/compile_pool.hpp"
#include "util/clock.hpp"

namespace {

kgen::compile::CompileRequest bf16_kernel(int n, const std::string& include) {
  kgen::compile::CompileRequest request;
  request.source = include +
                   "__global__ __launch_bounds__(256) void scale(const x_t* __restrict__ x, x_t* "
                   "__restrict__ y, int64_t n, float s) {\n"
                   "  for (int64_t i = blockIdx.x * 256ll + threadIdx.x; i < n; i += gridDim.x * 256ll)\n"
                   "    y[i] = __float2bfloat16(__bfloat162float(x[i]) * s + " +
                   std::to_string(n) + ".f);\n}\n";
  request.type_aliases = {{"x", "bf16"}};
  request.kernels = {"scale"};
  return request;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "compile") return kgen::compile::compile_main(3);
  const int processes = argc > 1 ? std::atoi(argv[1]) : 1;
  const int compiles = argc > 2 ? std::atoi(argv[2]) : 100;
  const std::string include = argc > 3 ? "#include <" + std::string(argv[3]) + ">\n" : "";
  kgen::compile::CompilePoolOptions options;
  options.process.command = {"/proc/self/exe", "compile"};
  options.processes = processes;
  const kgen::util::Stopwatch start;
  auto pool = kgen::compile::CompilePool::start(options);
  if (!pool) {
    std::fprintf(stderr, "%s\n", pool.error().text().c_str());
    return 5;
  }
  std::printf("first process ready: %.0f ms\n", start.elapsed_ms());
  std::vector<kgen::compile::CompileRequest> warm, timed;
  for (int i = 0; i < 4 * processes; ++i) warm.push_back(bf16_kernel(-i, include));
  for (int i = 1; i <= compiles; ++i) timed.push_back(bf16_kernel(i, include));
  const auto first = (*pool)->compile(warm[0]);
  std::printf("first compile: %.1f ms inside the process\n", first.ms);
  (*pool)->compile_all(warm);
  const kgen::util::Stopwatch watch;
  const auto results = (*pool)->compile_all(timed);
  const double seconds = watch.elapsed_s();
  double inside = 0;
  for (const auto& result : results) {
    if (!result.ok) std::printf("failed: %s\n", result.message.c_str());
    inside += result.ms;
  }
  pool->reset();  // its processes end, so that their CPU time can be read
  rusage used{};
  getrusage(RUSAGE_CHILDREN, &used);
  const auto ms = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_usec) / 1e3;
  };
  std::printf("CPU of all compile processes: %.0f ms user, %.0f ms system\n", ms(used.ru_utime),
              ms(used.ru_stime));
  std::printf("%d processes: %.1f compiles/s, mean %.1f ms inside the process, cubin %zu bytes\n", processes,
              compiles / seconds, inside / compiles, results[0].cubin.size());
  return 0;
}
