/// Runs the planted kernels: `run [NAME...]` launches each once behind a flush, for another profiler to look at
/// (scripts/compare-ncu.sh); `profile [NAME...]` profiles each with kgen's own profiler and prints everything;
/// `json FILE [NAME...]` writes the metrics as JSON.
#include <cstdio>
#include <cstring>
#include <fstream>
#include <stdexcept>

#include "core/diagnosis.hpp"
#include "harness/cuda/device_query.hpp"
#include "harness/judge/launch_facts.hpp"
#include "harness/run/l2_flush.hpp"
#include "harness/run/plan_launcher.hpp"
#include "planted_suite.hpp"
#include "util/clock.hpp"
#include "util/file.hpp"
#include "util/json.hpp"
#include "compile_cubin.hpp"

namespace kgen::test {
namespace {

template <class T, class E>
T take(tl::expected<T, E> result, const char* what) {
  if (!result) throw std::runtime_error(std::string(what) + ": " + result.error().message);
  return std::move(*result);
}

template <class E>
void require(const tl::expected<void, E>& result, const char* what) {
  if (!result) throw std::runtime_error(std::string(what) + ": " + result.error().message);
}

struct Tensors {
  cuda::DeviceBuffer x, y;
};

Tensors zeros() {
  const auto bytes = static_cast<std::int64_t>(kPlantedFloats * 4);
  Tensors out{take(cuda::DeviceBuffer::allocate_shareable(bytes), "x"),
              take(cuda::DeviceBuffer::allocate_shareable(bytes), "y")};
  for (const auto* buffer : {&out.x, &out.y})
    require(KGEN_CU(cuMemsetD32Async, buffer->address(), 0u, static_cast<std::size_t>(bytes / 4), nullptr), "zeros");
  require(KGEN_CU(cuCtxSynchronize, ), "zeros");
  return out;
}

bool wanted(const std::string& name, const std::vector<std::string>& names) {
  return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
}

void run_all(const core::DeviceFacts& device, const std::vector<std::string>& names) {
  const auto context = take(cuda::Context::retain(0), "context");
  const Tensors tensors = zeros();
  const auto stream = take(cuda::make_stream(), "stream");
  auto flush = take(run::L2Flush::load(compile_cubin(run::own_kernels_source())), "flush");
  require(flush.reserve(2 * device.l2_bytes), "flush");
  const std::int64_t bytes = kPlantedFloats * 4;
  const run::BufferViews views = {{"x", {tensors.x.address(), bytes}}, {"y", {tensors.y.address(), bytes}}};
  for (const Planted& planted : planted_suite(device)) {
    if (!wanted(planted.name, names)) continue;
    const auto launcher = take(run::PlanLauncher::load(planted_cubin(), {planted.kernel}), "load");
    const auto prepared = take(launcher.prepare(planted.sequence, views), "prepare");
    require(flush.enqueue(stream.get()), "flush");
    require(run::enqueue(prepared, stream.get()), "launch");
    require(run::wait_for_stream(stream.get()), planted.name.c_str());
    std::printf("ran %s\n", planted.name.c_str());
  }
}

/// A profiler of the kgen-worker that $KGEN_WORKER names, else of the one beside this program.
profile::Profiler make_profiler() {
  run::RunOptions options;
  const char* worker = std::getenv("KGEN_WORKER");
  options.command = {worker != nullptr ? worker
                                       : (util::program_folder() / "../../harness/kgen-worker").string(),
                     "profile"};
  options.deny_syscalls = std::getenv("KGEN_NO_DENY") == nullptr;
  if (std::getenv("KGEN_EACH_LAUNCH") != nullptr) options.profile = "counters of each launch";
  options.kernels_cubin = compile_cubin(run::own_kernels_source());
  return take(profile::Profiler::create(options), "profiler");
}

profile::ProfileReading profile_one(profile::Profiler& profiler, const Planted& planted,
                                    const core::DeviceFacts& device, const Tensors& tensors) {
  const std::int64_t bytes = kPlantedFloats * 4;
  profile::ProfileJob job;
  job.cubin = planted_cubin();
  job.kernels = {planted.kernel};
  job.sequence = planted.sequence;
  job.buffers.buffers = {{"x", take(tensors.x.ipc_handle(), "x"), 0, bytes},
                         {"y", take(tensors.y.ipc_handle(), "y"), 0, bytes}};
  job.flush_bytes = 2 * device.l2_bytes;
  require(profiler.settle(), "settle");
  const util::Stopwatch watch;
  auto reading = profiler.profile(job);
  std::printf("== %s (expects %s): %.0f ms\n", planted.name.c_str(), planted.rule.c_str(), watch.elapsed_ms());
  require(profiler.refill(), "refill");
  return reading;
}

void add_facts(profile::ProfileReading& reading, const Planted& planted, const core::DeviceFacts& device,
               const std::vector<core::KernelFacts>& facts) {
  for (auto& kernel : reading.kernels) {
    for (const auto& one : facts) {
      if (one.name == planted.kernel.name) judge::add_launch_facts(one, device, kernel.metrics);
    }
  }
}

/// What the rules make of it, the planted one marked. Gives whether it comes first.
bool print_diagnosis(const profile::ProfileReading& reading, const Planted& planted) {
  core::Profile profile;
  profile.kernels = reading.kernels;
  profile.task.product_flops = planted.product_flops;
  profile.task.tensor_flops_per_s = planted.product_flops > 0 ? 600e12 : 0;
  const auto found = core::diagnose(profile);
  for (const auto& one : found) {
    std::printf("  %s%.2f %s: %s; lines", one.rule == planted.rule ? "* " : "  ", one.weight, one.rule.c_str(),
                one.what.c_str());
    for (const int line : one.lines) std::printf(" %d", line);
    std::printf("\n");
  }
  const bool first = !found.empty() && found.front().rule == planted.rule;
  std::printf("  %s: expected %s first\n", first ? "RIGHT" : "WRONG", planted.rule.c_str());
  return first;
}

void print(const profile::ProfileReading& reading, bool with_diary) {
  for (const auto& gap : reading.gaps)
    std::printf("  GAP %s: %s; %s\n", gap.what.c_str(), gap.why.c_str(), gap.advice.c_str());
  if (with_diary || !reading.gaps.empty()) {
    for (const auto& line : reading.diary) std::printf("  . %s\n", line.c_str());
  }
  for (const auto& name : reading.not_available) std::printf("  not available: %s\n", name.c_str());
  for (const auto& kernel : reading.kernels) {
    std::printf("  kernel %s\n", kernel.kernel.c_str());
    for (const auto& [name, value] : kernel.metrics) std::printf("    %s %.6g\n", name.c_str(), value);
    for (const auto& line : kernel.lines) {
      std::printf("    line %d |%s|", line.line, line.line > 0 ? planted_line(line.line).c_str() : "");
      for (const auto& [name, value] : line.metrics)
        std::printf(" %s=%.0f", name.substr(std::min(name.size(), core::metrics::kSamples.size())).c_str(), value);
      std::printf("\n");
    }
  }
}

void profile_all(const core::DeviceFacts& device, const std::vector<std::string>& names, const char* json_file) {
  const auto context = take(cuda::Context::retain(0), "context");
  const Tensors tensors = zeros();
  auto profiler = make_profiler();
  nlohmann::json all = nlohmann::json::object();
  bool first = true;
  int asked = 0, right = 0;
  for (const Planted& planted : planted_suite(device)) {
    if (!wanted(planted.name, names)) continue;
    auto reading = profile_one(profiler, planted, device, tensors);
    const auto launcher = take(run::PlanLauncher::load(planted_cubin(), {planted.kernel}), "load");
    add_facts(reading, planted, device, take(launcher.facts(), "facts"));
    print(reading, first);
    first = false;
    ++asked;
    right += print_diagnosis(reading, planted) ? 1 : 0;
    for (const auto& kernel : reading.kernels) all[planted.name] = kernel.metrics;
  }
  std::printf("%d of %d diagnoses are the planted one\n", right, asked);
  if (json_file != nullptr) std::ofstream(json_file) << all.dump(1) << "\n";
}

int subject_main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "";
  const int first = mode == "json" ? 3 : 2;
  const std::vector<std::string> names(argv + std::min(first, argc), argv + argc);
  const auto count = cuda::device_count();
  if (!count || *count == 0) {
    std::printf("skipped: %s\n", count ? "no CUDA device" : count.error().text().c_str());
    return 77;
  }
  const auto device = take(cuda::query_device(0), "device");
  if (mode == "run") {
    run_all(device, names);
  } else if (mode == "profile" || (mode == "json" && argc > 2)) {
    profile_all(device, names, mode == "json" ? argv[2] : nullptr);
  } else {
    std::fprintf(stderr, "profile_subject run|profile|json FILE [NAME...]\n");
    return 2;
  }
  return 0;
}

}  // namespace
}  // namespace kgen::test

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  try {
    return kgen::test::subject_main(argc, argv);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "profile_subject: %s\n", e.what());
    return 1;
  }
}
