// Median time of a screen or a promotion in a warm worker, split by stage, and what it costs this process.
// Usage: eval_bench OP DTYPE KERNEL.cu [ROUNDS] [screen|checks|promotion]; "checks": screens without timing,
// which follow each other as fast as they can. The worker is found as kgen finds it (KGEN_WORKER or beside
// it) and has measured the op's baselines before, as in every `kgen generate`.
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>

#include "judge/worker_command.hpp"
#include "judge/worker_connection.hpp"
#include "reference_ops/builtin_ops.hpp"
#include "util/clock.hpp"
#include "util/file.hpp"

namespace kgen {
namespace {

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0.0 : values[values.size() / 2];
}

double cpu_ms() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto ms = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_usec) / 1e3;
  };
  return ms(usage.ru_utime) + ms(usage.ru_stime);
}

double peak_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

struct Samples {
  std::vector<double> total_ms;
  std::map<std::string, std::vector<double>> stage_ms;
};

Status evaluate_rounds(judge::WorkerConnection& worker, core::EvaluateRequest request, int rounds,
                       Samples& samples) {
  for (int round = 0; round < rounds; ++round) {
    request.seed = util::random_seed();
    const util::Stopwatch watch;
    KGEN_TRY(const auto evaluation, worker.evaluate(request, {}));
    samples.total_ms.push_back(watch.elapsed_ms());
    if (evaluation.verdict != core::Verdict::correct) {
      return fail(ErrorKind::bad_input,
                  std::string(core::name_of(evaluation.verdict)) + ": " + evaluation.message);
    }
    for (const auto& stage : evaluation.stages) samples.stage_ms[stage.name].push_back(stage.ms);
  }
  return {};
}

enum class Mode { screen, checks, promotion };

std::optional<Mode> mode_of(const std::string& text) {
  if (text == "screen") return Mode::screen;
  if (text == "checks") return Mode::checks;
  if (text == "promotion") return Mode::promotion;
  return {};
}

Status bench(const std::string& op_name, const std::string& dtype, const std::string& file, int rounds,
             Mode mode) {
  judge::WorkerOptions options;
  const char* worker_text = std::getenv("KGEN_WORKER");
  KGEN_TRY(options.command, judge::worker_command(worker_text ? worker_text : ""));
  KGEN_TRY(auto worker, judge::WorkerConnection::start(options));
  KGEN_TRY(const auto op, reference_ops::find_builtin_op(op_name));
  core::EvaluateRequest request;
  KGEN_TRY(request.task, core::make_task(op, dtype, {}, {}));
  KGEN_TRY(request.source, util::read_file(file));
  request.timing = mode != Mode::checks;
  request.profile = false;
  if (request.timing) KGEN_CHECK(worker.baseline({request.task, 1}, {}));
  Samples samples;
  KGEN_CHECK(evaluate_rounds(worker, request, 2, samples));  // warm
  samples = {};
  if (mode == Mode::promotion) request.tier = core::Tier::promotion;
  const double cpu_before = cpu_ms();
  KGEN_CHECK(evaluate_rounds(worker, request, rounds, samples));
  std::printf("%s, %s: median of %d %ss %.0f ms (worst %.0f)\n", core::describe(request.task).c_str(),
              worker.hello().device.name.c_str(), rounds, mode == Mode::promotion ? "promotion" : "screen",
              median(samples.total_ms), *std::max_element(samples.total_ms.begin(), samples.total_ms.end()));
  for (const auto& [stage, times] : samples.stage_ms)
    std::printf("  %-34s %8.2f ms\n", stage.c_str(), median(times));
  std::printf("  orchestrator: %.2f ms of CPU each, peak %.0f MB\n", (cpu_ms() - cpu_before) / rounds,
              peak_mb());
  worker.shutdown();
  return {};
}

}  // namespace
}  // namespace kgen

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: eval_bench OP DTYPE KERNEL.cu [ROUNDS] [screen|checks|promotion]\n");
    return 2;
  }
  const int rounds = argc > 4 ? std::max(1, std::atoi(argv[4])) : 15;
  const auto mode = kgen::mode_of(argc > 5 ? argv[5] : "screen");
  if (!mode) {
    std::fprintf(stderr, "eval_bench: '%s' is none of screen, checks, promotion\n", argv[5]);
    return 2;
  }
  if (const auto done = kgen::bench(argv[1], argv[2], argv[3], rounds, *mode); !done) {
    std::fprintf(stderr, "eval_bench: %s\n", done.error().text().c_str());
    return 1;
  }
  return 0;
}
