// The same kernel measured in workers of their own, one after the other: how far the medians lie apart, and
// whether their intervals cover. No library baselines, so that it is short. Usage: spread_bench OP DTYPE
// KERNEL.cu [PROCESSES] [screen|promotion]; text to stderr, one JSON object to stdout.
#include <cstdio>
#include <cstdlib>
#include <iostream>

#include "bench/interval_spread.hpp"
#include "judge/worker_command.hpp"
#include "judge/worker_connection.hpp"
#include "reference_ops/builtin_ops.hpp"
#include "util/clock.hpp"
#include "util/file.hpp"
#include "util/json.hpp"

namespace kgen {
namespace {

struct Measured {
  std::vector<core::Interval> intervals;
  nlohmann::json runs = nlohmann::json::array();
  std::string device;
};

/// One evaluation in a fresh worker.
Status measure_once(core::EvaluateRequest request, Measured& measured) {
  judge::WorkerOptions options;
  const char* worker_text = std::getenv("KGEN_WORKER");
  KGEN_TRY(options.command, judge::worker_command(worker_text ? worker_text : ""));
  options.hello.python = "none";
  KGEN_TRY(auto worker, judge::WorkerConnection::start(options));
  request.seed = util::random_seed();
  KGEN_TRY(const auto evaluation, worker.evaluate(request, {}));
  worker.shutdown();
  if (evaluation.verdict != core::Verdict::correct || !evaluation.timing)
    return fail(ErrorKind::bad_input,
                std::string(core::name_of(evaluation.verdict)) + " or not timed: " + evaluation.message);
  const core::Timing& timing = *evaluation.timing;
  measured.device = evaluation.device;
  measured.intervals.push_back(timing.candidate);
  measured.runs.push_back({{"median_us", timing.candidate.median_us},
                           {"low_us", timing.candidate.low_us},
                           {"high_us", timing.candidate.high_us},
                           {"samples", timing.candidate.samples},
                           {"sm_clock_mhz", timing.sm_clock_mhz},
                           {"flags", evaluation.flags}});
  std::fprintf(stderr, "%2zu: %.3f us [%.3f, %.3f], %.0f MHz\n", measured.intervals.size(),
               timing.candidate.median_us, timing.candidate.low_us, timing.candidate.high_us,
               timing.sm_clock_mhz);
  return {};
}

Status bench(const std::string& op_name, const std::string& dtype, const std::string& file, int processes,
             core::Tier tier) {
  KGEN_TRY(const auto op, reference_ops::find_builtin_op(op_name));
  core::EvaluateRequest request;
  KGEN_TRY(request.task, core::make_task(op, dtype, {}, {}));
  KGEN_TRY(request.source, util::read_file(file));
  request.tier = tier;
  Measured measured;
  for (int i = 0; i < processes; ++i) KGEN_CHECK(measure_once(request, measured));
  const IntervalSpread spread = spread_of(measured.intervals);
  std::fprintf(stderr, "%s on %s, %s", core::describe(request.task).c_str(), measured.device.c_str(),
               spread_text(spread).c_str());
  std::cout << nlohmann::json{{"task", core::describe(request.task)},
                              {"device", measured.device},
                              {"kernel", file},
                              {"tier", tier == core::Tier::screen ? "screen" : "promotion"},
                              {"spread", to_json(spread)},
                              {"runs", measured.runs}}
                   .dump(1)
            << std::endl;
  return {};
}

}  // namespace
}  // namespace kgen

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: spread_bench OP DTYPE KERNEL.cu [PROCESSES] [screen|promotion]\n");
    return 2;
  }
  const int processes = argc > 4 ? std::max(2, std::atoi(argv[4])) : 20;
  const bool promotion = argc > 5 && std::string(argv[5]) == "promotion";
  const auto tier = promotion ? kgen::core::Tier::promotion : kgen::core::Tier::screen;
  if (const auto done = kgen::bench(argv[1], argv[2], argv[3], processes, tier); !done) {
    std::fprintf(stderr, "spread_bench: %s\n", done.error().text().c_str());
    return 1;
  }
  return 0;
}
