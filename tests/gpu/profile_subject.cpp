/// Runs the planted kernels: `run [NAME...]` launches each once behind a flush, for another profiler to look
/// at (scripts/compare-ncu.sh); `profile [NAME...]` profiles each with kgen's own profiler and prints
/// everything; `json FILE [NAME...]` writes the metrics as JSON.
#include <algorithm>
#include <cstdio>
#include <fstream>

#include "compile_cubin.hpp"
#include "harness/cuda/device_query.hpp"
#include "harness/run/l2_flush.hpp"
#include "harness/run/plan_launcher.hpp"
#include "planted_run.hpp"
#include "util/json.hpp"

namespace kgen::test {
namespace {

bool wanted(const std::string& name, const std::vector<std::string>& names) {
  return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
}

void run_all(const core::DeviceFacts& device, const std::vector<std::string>& names) {
  const auto context = take(cuda::Context::retain(0), "context");
  const PlantedTensors tensors = PlantedTensors::zeros();
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

/// What the rules make of it, the planted one marked. Gives whether it comes first.
bool print_diagnosis(const PlantedReading& read, const Planted& planted) {
  for (const auto& one : read.diagnosis) {
    std::printf("  %s%.2f %s: %s; %s\n", one.rule == planted.rule ? "* " : "  ", one.weight, one.rule.c_str(),
                one.what.c_str(), core::lines_text(one.lines).c_str());
  }
  const bool first = !read.diagnosis.empty() && read.diagnosis.front().rule == planted.rule;
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
        std::printf(" %s=%.0f", name.substr(std::min(name.size(), core::metrics::kSamples.size())).c_str(),
                    value);
      std::printf("\n");
    }
  }
}

void profile_all(const core::DeviceFacts& device, const std::vector<std::string>& names,
                 const char* json_file) {
  const auto context = take(cuda::Context::retain(0), "context");
  PlantedProfiler profiler(device);
  nlohmann::json all = nlohmann::json::object();
  int asked = 0, right = 0;
  for (const Planted& planted : planted_suite(device)) {
    if (!wanted(planted.name, names)) continue;
    const PlantedReading read = profiler.profile(planted);
    std::printf("== %s (expects %s): %.0f ms\n", planted.name.c_str(), planted.rule.c_str(), read.ms);
    print(read.reading, asked == 0);
    ++asked;
    right += print_diagnosis(read, planted) ? 1 : 0;
    for (const auto& kernel : read.reading.kernels) all[planted.name] = kernel.metrics;
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
