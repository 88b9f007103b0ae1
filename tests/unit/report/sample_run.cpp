#include "report/sample_run.hpp"

#include "reference_ops/builtin_ops.hpp"

namespace kgen::test {
namespace {

using core::CandidateState;
using core::Evaluation;

constexpr const char* kKernel =
    "/*kgen\n{ \"launches\": [] }\n*/\n// one block a row\nextern \"C\" __global__ void k(const float* x) "
    "{}\n";

core::RunRecord sample_record() {
  core::RunRecord record;
  record.name = "softmax-bf16-8192x8192-20260102-030405";
  record.created_at = "2026-01-02T03:04:05Z";
  record.task = *core::make_task(*reference_ops::find_builtin_op("softmax"), "", {}, {});
  auto op = std::make_shared<core::Op>(*record.task.op);
  op->hash = "0123456789abcdef";  // the real one changes with the specification
  record.task.op = op;
  record.device.kind = core::DeviceKind::cuda;
  record.device.name = "NVIDIA H200";
  record.device.measured_copy_gbs = 4200;
  record.device.driver_version = "580.1";
  record.device.cuda_version = "13.0";
  record.provider = "openai";
  record.model = "some-model";
  record.seed = 18446744073709551615u;
  record.versions = {{"kgen", "0.1.0"}, {"worker", "0.1.0"}};
  return record;
}

core::Check check(const std::string& name, std::int64_t cols, const std::string& distribution, double ratio) {
  core::Check result;
  result.name = name;
  result.dims = {{"rows", 5}, {"cols", cols}};
  result.distribution = distribution;
  result.seed = 18446744073709551557u;
  result.worst_ratio = ratio;
  return result;
}

core::BaselineTiming baseline(const std::string& name, bool library, double us, double speedup) {
  core::BaselineTiming result;
  result.name = name;
  result.library = library;
  result.time = core::Interval{us, us - 0.5, us + 0.5, 40};
  result.speedup = speedup;
  result.speedup_low = speedup - 0.01;
  result.speedup_high = speedup + 0.01;
  return result;
}

Evaluation failed_compile() {
  Evaluation evaluation;
  evaluation.verdict = core::Verdict::compile_error;
  evaluation.message = "the compiler refuses line 5";
  evaluation.compile.diagnostics = {{"error", 5, "identifier \"x\" is undefined", "  y = x;"}};
  return evaluation;
}

Evaluation correct(double us, core::Tier tier) {
  Evaluation evaluation;
  evaluation.verdict = core::Verdict::correct;
  evaluation.message = "all checks passed";
  evaluation.tier = tier;
  evaluation.seed = 42;
  evaluation.compile.ok = true;
  evaluation.checks = {check("values", 1023, "normal", 0.31), check("values", 1023, "exact", 0),
                       check("guards", 1023, "normal", 0)};
  core::Timing timing;
  timing.candidate = {us, us - 0.25, us + 0.25, 240};
  timing.baselines = {baseline("naive", false, 3.4 * us, 3.4),
                      baseline("torch.compile", true, 159, 159 / us)};
  timing.method = "stream";
  timing.floor_us = 63.6;
  timing.percent_of_roofline = 6360 / us;
  timing.ceiling_measured = true;
  evaluation.timing = timing;
  return evaluation;
}

core::SweptVariant swept(std::int64_t threads, std::int64_t rows, double us) {
  core::SweptVariant variant;
  variant.variant = {{"ROWS", rows}, {"THREADS", threads}, {"VECTOR", 8}};
  variant.verdict = core::Verdict::correct;
  variant.time = core::Interval{us, us - 0.25, us + 0.25, 16};
  variant.registers = 40;
  variant.spill_bytes = 0;
  return variant;
}

core::SweptVariant rejected(std::int64_t threads, core::Verdict verdict, const std::string& message) {
  core::SweptVariant variant;
  variant.variant = {{"ROWS", 8}, {"THREADS", threads}, {"VECTOR", 8}};
  variant.verdict = verdict;
  variant.message = message;
  return variant;
}

/// Judged with 128 threads first, and goes on with 256; one slower variant was stopped, two were wrong.
core::SweepRecord sweep_of_six() {
  core::SweepRecord sweep;
  sweep.feasible = 8;
  sweep.before = {{"ROWS", 1}, {"THREADS", 128}, {"VECTOR", 8}};
  sweep.variant = {{"ROWS", 1}, {"THREADS", 256}, {"VECTOR", 8}};
  sweep.reason = "1.16 times as fast as ROWS=1 THREADS=128 VECTOR=8 in the sweep";
  sweep.reply.variants = {
      swept(128, 1, 80),   rejected(64, core::Verdict::wrong_result, "y[0, 3] is 1, 0.5 was expected"),
      swept(512, 1, 74.5), swept(256, 1, 69),
      swept(512, 2, 160),  rejected(1024, core::Verdict::launch_error, "too many resources")};
  sweep.reply.variants[4].stopped_early = true;
  sweep.reply.variants[5].kind = "registers";
  sweep.reply.not_tried = 2;
  sweep.reply.method = "stream";
  sweep.reply.ms = 1900;
  return sweep;
}

/// As many variants as a sweep has at most, each with other figures.
core::SweepRecord large_sweep(int number) {
  core::SweepRecord sweep = sweep_of_six();
  sweep.feasible = 66;
  sweep.reply.variants.clear();
  for (int i = 0; i < 64; ++i) {
    sweep.reply.variants.push_back(swept(32 * (1 + i % 8), 1 + i / 8, 70.123 + 0.517 * i + 0.011 * number));
    sweep.reply.variants.back().registers = 32 + i;
  }
  return sweep;
}

CandidateState judged(int number, core::Purpose purpose, int parent, const Evaluation& evaluation) {
  CandidateState state;
  state.number = number;
  state.phase = CandidateState::Phase::judged;
  state.purpose = purpose;
  state.parent = parent;
  state.notes = "One block a row";
  state.model = "some-model-2026";
  state.stop = "end_turn";
  state.spend.output_tokens = 2100;
  state.spend.cost_usd = 0.04;
  state.screen = core::summarize(evaluation);
  return state;
}

report::CandidateFiles files_of(int number, const Evaluation& screen) {
  report::CandidateFiles files;
  files.prompt_system = "You write CUDA kernels.";
  files.prompt_user = "Write a softmax, attempt " + std::to_string(number) + ".";
  files.kernel = std::string(kKernel) + "// version " + std::to_string(number) + "\n";
  files.reply = "Here it is.\n\n```cuda\n" + files.kernel + "```\nDone.\n";
  files.screen = screen;
  return files;
}

}  // namespace

report::ReportRun sample_run() {
  report::ReportRun run{sample_record(), {}, {}};
  run.state = core::initial_state(run.record);
  const Evaluation screens[] = {failed_compile(), correct(120, core::Tier::screen),
                                correct(69.5, core::Tier::screen)};
  run.state.candidates = {judged(1, core::Purpose::plan, 0, screens[0]),
                          judged(2, core::Purpose::repair, 1, screens[1]),
                          judged(3, core::Purpose::refine, 2, screens[2])};
  for (int i = 0; i < 3; ++i) run.files.push_back(files_of(i + 1, screens[i]));
  const Evaluation promotion = correct(69.28, core::Tier::promotion);
  run.files[2].promotion = promotion;
  run.files[2].sweep = sweep_of_six();
  run.state.candidates[2].promotion = core::summarize(promotion);
  run.state.candidates[2].hint = "cache policy";
  run.state.ledger.replies = 3;
  run.state.ledger.total = {34'500, 0, 6'700, 0.12};
  run.state.sessions = 1;
  run.state.active_s = 125;
  run.state.finished = core::Finished{core::Outcome::target_met, 3, "target met"};
  return run;
}

report::ReportRun large_run(int count) {
  report::ReportRun run = sample_run();
  run.state.candidates.clear();
  run.files.clear();
  for (int number = 1; number <= count; ++number) {
    Evaluation screen = correct(70 + number % 17, core::Tier::screen);
    for (int i = 0; i < 60; ++i)
      screen.checks.push_back(check("values", 1 + i % 5, i % 3 == 0 ? "normal" : "large scale", 0.01 * i));
    run.state.candidates.push_back(judged(number, core::Purpose::refine, number - 1, screen));
    run.files.push_back(files_of(number, screen));
    report::CandidateFiles& files = run.files.back();
    files.sweep = large_sweep(number);
    files.prompt_system = std::string(12'000, 's');
    for (int line = 0; line < 150; ++line)
      files.kernel +=
          "  y[" + std::to_string(line) + "] = x[" + std::to_string(line * number % 97) + "] * scale;\n";
    files.reply = "Plan.\n```cuda\n" + files.kernel + "```\n";
    files.prompt_user = "The best so far:\n```cuda\n" + files.kernel + "```\n";
  }
  run.state.finished->best = 1;
  return run;
}

report::ReportRun hostile_run() {
  report::ReportRun run = sample_run();
  auto op = std::make_shared<core::Op>(*run.record.task.op);
  op->name = op->title = kHostile;
  run.record.task.op = op;
  run.record.name = run.record.model = run.record.provider = run.state.provider = run.record.device.name =
      kHostile;
  run.state.device.name = kHostile;
  run.state.finished->reason = kHostile;
  run.state.review = core::Review{{false, kHostile, kHostile}, kHostile, *run.state.finished};
  CandidateState& candidate = run.state.candidates[2];
  candidate.notes = candidate.hint = candidate.model = candidate.stop = candidate.stop_detail =
      candidate.problem = kHostile;
  candidate.promotion->kind = candidate.promotion->message = candidate.promotion->library = kHostile;
  candidate.promotion->flags = {kHostile};
  report::CandidateFiles& files = run.files[2];
  files.prompt_system = files.prompt_user = files.kernel = kHostile;
  files.reply = std::string("before ") + kHostile + " after";
  Evaluation& evaluation = *files.promotion;
  evaluation.kind = evaluation.message = evaluation.kernel_output = evaluation.device = kHostile;
  evaluation.flags = evaluation.not_covered = {kHostile};
  evaluation.compile.kernels = {core::KernelFacts{}};
  evaluation.compile.kernels[0].name = kHostile;
  evaluation.compile.performance_warnings = {kHostile};
  evaluation.compile.diagnostics = {{kHostile, 3, kHostile, kHostile}};
  evaluation.checks[0].name = evaluation.checks[0].distribution = evaluation.checks[0].detail = kHostile;
  evaluation.checks[0].mismatch = core::Mismatch{1, 2, {{kHostile, {1}, 1, 2, 3}}, kHostile};
  evaluation.timing->baselines[1].name = kHostile;
  core::SweepRecord& sweep = *files.sweep;
  sweep.reason = sweep.reply.variants[1].kind = sweep.reply.variants[1].message = kHostile;
  for (core::SweptVariant& variant : sweep.reply.variants) variant.variant[kHostile] = 1;
  evaluation.timing->method = evaluation.timing->throttle = kHostile;
  return run;
}

}  // namespace kgen::test
