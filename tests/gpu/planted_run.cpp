#include "planted_run.hpp"

#include <cstdlib>

#include "compile_cubin.hpp"
#include "harness/judge/launch_facts.hpp"
#include "harness/run/plan_launcher.hpp"
#include "util/clock.hpp"
#include "util/file.hpp"

namespace kgen::test {
namespace {

/// About what an H200's tensor cores reach for halves; only its order of magnitude matters here.
constexpr double kTensorFlops = 600e12;

profile::Profiler make_profiler() {
  run::RunOptions options;
  const char* worker = std::getenv("KGEN_WORKER");
  options.command = {
      worker != nullptr ? worker : (util::program_folder() / "../../harness/kgen-worker").string(),
      "profile"};
  options.deny_syscalls = std::getenv("KGEN_NO_DENY") == nullptr;
  if (std::getenv("KGEN_EACH_LAUNCH") != nullptr) options.profile = "counters of each launch";
  options.kernels_cubin = compile_cubin(run::own_kernels_source());
  return take(profile::Profiler::create(options), "profiler");
}

void add_facts(profile::ProfileReading& reading, const Planted& planted, const core::DeviceFacts& device) {
  const auto launcher = take(run::PlanLauncher::load(planted_cubin(), {planted.kernel}), "load");
  const auto facts = take(launcher.facts(), "facts");
  for (auto& kernel : reading.kernels) {
    for (const auto& one : facts) {
      if (one.name == planted.kernel.name) judge::add_launch_facts(one, device, kernel.metrics);
    }
  }
}

}  // namespace

PlantedTensors PlantedTensors::zeros() {
  const auto bytes = static_cast<std::int64_t>(kPlantedFloats * 4);
  PlantedTensors out{take(cuda::DeviceBuffer::allocate_shareable(bytes), "x"),
                     take(cuda::DeviceBuffer::allocate_shareable(bytes), "y")};
  for (const auto* buffer : {&out.x, &out.y})
    require(KGEN_CU(cuMemsetD32Async, buffer->address(), 0u, static_cast<std::size_t>(bytes / 4), nullptr),
            "zeros");
  require(KGEN_CU(cuCtxSynchronize, ), "zeros");
  return out;
}

PlantedProfiler::PlantedProfiler(core::DeviceFacts device)
    : device_(std::move(device)), tensors_(PlantedTensors::zeros()), profiler_(make_profiler()) {}

PlantedReading PlantedProfiler::profile(const Planted& planted) {
  const std::int64_t bytes = kPlantedFloats * 4;
  profile::ProfileJob job;
  job.cubin = planted_cubin();
  job.kernels = {planted.kernel};
  job.sequence = planted.sequence;
  job.buffers.buffers = {{"x", take(tensors_.x.ipc_handle(), "x"), 0, bytes},
                         {"y", take(tensors_.y.ipc_handle(), "y"), 0, bytes}};
  job.flush_bytes = 2 * device_.l2_bytes;
  require(profiler_.settle(), "settle");
  const util::Stopwatch watch;
  PlantedReading out;
  out.reading = profiler_.profile(job);
  out.ms = watch.elapsed_ms();
  require(profiler_.refill(), "refill");
  add_facts(out.reading, planted, device_);
  core::Profile profile;
  profile.kernels = out.reading.kernels;
  profile.task.product_flops = planted.product_flops;
  profile.task.tensor_flops_per_s = planted.product_flops > 0 ? kTensorFlops : 0;
  out.diagnosis = core::diagnose(profile);
  return out;
}

}  // namespace kgen::test
