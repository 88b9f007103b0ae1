#include "harness/judge/ceilings_main.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "harness/cuda/device_query.hpp"
#include "harness/cuda/handles.hpp"
#include "harness/judge/ceiling_probes.hpp"
#include "util/file.hpp"
#include "util/json.hpp"

namespace kgen::judge {
namespace {

constexpr unsigned kThreads = 256;
constexpr int kRounds = 9, kMostRepeats = 1 << 20;
/// An H200 gives up to 10% less of a product right behind another one, whose power counts still: each probe
/// begins rested, and the best pass counts.
constexpr int kPasses = 3;
constexpr std::chrono::milliseconds kRest{50};
/// Long enough that a launch's own time does not count, short enough that no power limit sets in.
constexpr double kRoundUs = 2000;

/// What probes need, made once.
struct ProbeBench {
  core::DeviceFacts facts;
  cuda::Context context;
  cuda::Module module;
  cuda::Stream stream;
  cuda::Event start, stop;
  cuda::DeviceBuffer data, out;
};

Result<ProbeBench> open_bench() {
  const char* const index = std::getenv(kCeilingsDevice);
  if (index == nullptr) return fail(ErrorKind::bad_input, std::string(kCeilingsDevice) + " names no device");
  KGEN_TRY(const std::string code, util::read_file(kCeilingsCode));
  KGEN_CHECK(cuda::load_driver());
  ProbeBench bench;
  const int device = static_cast<int>(std::strtol(index, nullptr, 10));
  KGEN_TRY(bench.facts, cuda::query_device(device));
  KGEN_TRY(bench.context, cuda::Context::retain(device));
  CUmodule module = nullptr;
  KGEN_CHECK(KGEN_CU(cuModuleLoadData, &module, code.data()));
  bench.module = cuda::Module(module);
  KGEN_TRY(bench.stream, cuda::make_stream());
  KGEN_TRY(bench.start, cuda::make_event());
  KGEN_TRY(bench.stop, cuda::make_event());
  // A quarter of the L2: chips that keep a copy in each half of it hold it twice.
  KGEN_TRY(bench.data,
           cuda::DeviceBuffer::allocate(std::max<std::int64_t>(bench.facts.l2_bytes / 4, 1 << 20)));
  KGEN_TRY(bench.out, cuda::DeviceBuffer::allocate(256));
  KGEN_CHECK(KGEN_CU(cuMemsetD32Async, bench.data.address(), 0x3f800000u,
                     static_cast<std::size_t>(bench.data.bytes() / 4), bench.stream.get()));
  return bench;
}

/// Microseconds of one launch.
Result<double> time_launch(const ProbeBench& bench, const CeilingProbe& probe, CUfunction function,
                           int repeats) {
  CUdeviceptr data = bench.data.address(), out = bench.out.address();
  long long count = bench.data.bytes() / 16;
  float factor = 0.999f, addend = 0.5f;
  void* for_l2[] = {&data, &out, &count, &repeats};
  void* for_fma[] = {&out, &factor, &addend, &repeats};
  void* for_products[] = {&out, &repeats};
  void** arguments = for_products;
  if (probe.rate == &core::MeasuredRates::l2_gbs) arguments = for_l2;
  if (probe.rate == &core::MeasuredRates::fma_flops) arguments = for_fma;
  CUlaunchConfig config{};
  config.gridDimX = static_cast<unsigned>(bench.facts.num_sms * probe.blocks_per_sm);
  config.gridDimY = config.gridDimZ = 1;
  config.blockDimX = kThreads;
  config.blockDimY = config.blockDimZ = 1;
  config.hStream = bench.stream.get();
  KGEN_CHECK(KGEN_CU(cuEventRecord, bench.start.get(), bench.stream.get()));
  KGEN_CHECK(KGEN_CU(cuLaunchKernelEx, &config, function, arguments, nullptr));
  KGEN_CHECK(KGEN_CU(cuEventRecord, bench.stop.get(), bench.stream.get()));
  KGEN_CHECK(KGEN_CU(cuEventSynchronize, bench.stop.get()));
  return cuda::elapsed_us(bench.start, bench.stop);
}

/// Repeats double until a round is long enough; then the rounds count.
Result<double> rate_of(const ProbeBench& bench, const CeilingProbe& probe) {
  CUfunction function = nullptr;
  KGEN_CHECK(KGEN_CU(cuModuleGetFunction, &function, bench.module.get(), probe.kernel.c_str()));
  std::this_thread::sleep_for(kRest);
  int repeats = 8;
  for (double us = 0; us < kRoundUs && repeats < kMostRepeats; repeats *= 2) {
    KGEN_TRY(us, time_launch(bench, probe, function, repeats));
  }
  std::vector<double> round_us;
  for (int i = 0; i < kRounds; ++i) {
    KGEN_TRY(const double us, time_launch(bench, probe, function, repeats));
    round_us.push_back(us);
  }
  const double blocks = static_cast<double>(bench.facts.num_sms) * probe.blocks_per_sm;
  const double work =
      probe.operations > 0 ? probe.operations * blocks : static_cast<double>(bench.data.bytes());
  const double a_second = median_rate(work * repeats, round_us);
  return probe.operations > 0 ? a_second : a_second / 1e9;
}

}  // namespace

int ceilings_main() {
  const Result<ProbeBench> bench = open_bench();
  if (!bench) {
    std::fprintf(stderr, "kgen-worker ceilings: %s\n", bench.error().text().c_str());
    return 5;
  }
  core::MeasuredRates rates;
  for (int pass = 0; pass < kPasses; ++pass) {
    for (const CeilingProbe& probe : ceiling_probes(bench->facts.compute_capability)) {
      const Result<double> rate = rate_of(*bench, probe);
      if (rate) {
        rates.*probe.rate = std::max(rates.*probe.rate, *rate);
      } else if (pass == 0) {
        std::fprintf(stderr, "%s: %s\n", probe.kernel.c_str(), rate.error().text().c_str());
      }
    }
  }
  std::printf("%s\n", core::to_json(rates).dump().c_str());
  return 0;
}

}  // namespace kgen::judge
