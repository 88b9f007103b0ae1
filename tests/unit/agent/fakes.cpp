#include "unit/agent/fakes.hpp"

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <stdexcept>

#include "reference_ops/builtin_ops.hpp"

namespace kgen::test {
namespace {

constexpr double kLibraryUs = 150;
constexpr double kFloorUs = 50;

template <class T>
T must(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().text());
  return std::move(*result);
}

std::string field(const std::string& source, const std::string& name) {
  const auto at = source.find("// " + name + ": ");
  if (at == std::string::npos) return "";
  const auto begin = at + 5 + name.size();
  return source.substr(begin, source.find('\n', begin) - begin);
}

/// Microseconds of a variant as the kernel's text has them: "// us TT=64: 80".
double us_of(const std::string& source, const core::Variant& variant, const std::string& name) {
  const std::string own = variant.empty() ? "" : field(source, "us " + core::variant_text(variant));
  return std::stod(own.empty() ? field(source, name) : own);
}

std::string tunables_text(const Fate& fate) {
  if (fate.variants.empty()) return "";
  std::string values;
  for (const auto& [value, us] : fate.variants)
    values += (values.empty() ? "" : ", ") + std::to_string(value);
  return "\"tunables\": {\"TT\": [" + values + "]},\n  ";
}

core::Timing timing_of(double us) {
  core::Timing timing;
  timing.candidate = {us, us * 0.99, us * 1.01, 50};
  timing.floor_us = kFloorUs;
  timing.percent_of_roofline = 100 * kFloorUs / us;
  core::BaselineTiming library;
  library.name = "torch.compile";
  library.library = true;
  library.time = core::Interval{kLibraryUs, kLibraryUs * 0.99, kLibraryUs * 1.01, 50};
  library.speedup = kLibraryUs / us;
  library.speedup_low = library.speedup * 0.98;
  library.speedup_high = library.speedup * 1.02;
  timing.baselines = {library};
  return timing;
}

}  // namespace

std::vector<int> ScriptedClient::asked() const {
  std::vector<int> out;
  for (const llm::Request& request : asked_) out.push_back(request.candidate);
  return out;
}

std::string reply_with(const Fate& fate, int id) {
  std::ostringstream text;
  text << "A plan.\n\n```cuda\n/*kgen\n{ " << tunables_text(fate)
       << "\"launches\": [ {\"kernel\": \"k\", \"grid\": [\"rows\"], "
          "\"block\": [256], "
          "\"args\": [\"x\", \"y\", \"cols\"]} ],\n  \"notes\": \"idea "
       << id << "\" }\n*/\n"
       << "// screen: " << core::name_of(fate.screen) << "\n// us: " << fate.us
       << "\n// promotion: " << core::name_of(fate.promotion)
       << "\n// promotion_us: " << (fate.promotion_us > 0 ? fate.promotion_us : fate.us)
       << "\n// wrong: " << fate.wrong_in_screen;
  for (const auto& [value, us] : fate.variants) text << "\n// us TT=" << value << ": " << us;
  text << "\n__global__ void k(const x_t* x, y_t* y, long long cols) {}\n```\n";
  return text.str();
}

Result<core::Evaluation> FakeEvaluator::evaluate(const core::EvaluateRequest& request,
                                                 const judge::EvaluationCallbacks& callbacks) {
  if (callbacks.cancelled && callbacks.cancelled()) return fail(ErrorKind::interrupted, "interrupted");
  if (failures_left > 0) {
    --failures_left;
    return fail(ErrorKind::missing, "the worker died");
  }
  const bool promotion = request.tier == core::Tier::promotion;
  ++(promotion ? promotions : evaluations);
  seeds.push_back(request.seed);
  requests.push_back(request);
  if (on_evaluate) on_evaluate(request);
  core::Evaluation evaluation;
  evaluation.tier = request.tier;
  evaluation.seed = request.seed;
  evaluation.verdict = core::parse_verdict(field(request.source, promotion ? "promotion" : "screen")).value();
  if (kind == core::DeviceKind::none && evaluation.verdict == core::Verdict::correct)
    evaluation.verdict = core::Verdict::not_run;
  if (evaluation.verdict == core::Verdict::correct && kind == core::DeviceKind::cuda)
    evaluation.timing = timing_of(us_of(request.source, request.variant, promotion ? "promotion_us" : "us"));
  evaluation.variant = request.variant;
  evaluation.profile = profile;
  const std::string wrong = field(request.source, "wrong");
  if (wrong != "0" && core::variant_text(request.variant) == "TT=" + wrong)
    evaluation.verdict = core::Verdict::wrong_result;
  return evaluation;
}

Result<core::SweepReply> FakeEvaluator::sweep(const core::SweepRequest& request,
                                              const judge::EvaluationCallbacks& callbacks) {
  if (callbacks.cancelled && callbacks.cancelled()) return fail(ErrorKind::interrupted, "interrupted");
  if (failures_left > 0) {
    --failures_left;
    return fail(ErrorKind::missing, "the worker died");
  }
  ++sweeps;
  sweep_requests.push_back(request);
  if (on_sweep) on_sweep();
  core::SweepReply reply;
  reply.method = "stream";
  for (const auto& variant : request.variants) {
    const double us = us_of(request.source, variant, "us");
    reply.variants.push_back({variant, core::Verdict::correct, "", "",
                              core::Interval{us, us * 0.99, us * 1.01, 16}, false, 32, 0});
  }
  return reply;
}

Result<core::BaselineReply> FakeEvaluator::baseline(const core::BaselineRequest&,
                                                    const judge::EvaluationCallbacks&) {
  ++baselines;
  return core::BaselineReply{timing_of(100).baselines};
}

core::Task softmax_task() {
  const auto ops = must(reference_ops::builtin_ops());
  const auto found =
      std::find_if(ops.begin(), ops.end(), [](const core::Op& op) { return op.name == "softmax"; });
  return must(core::make_task(std::make_shared<core::Op>(*found), "bf16", {}, {}));
}

core::DeviceFacts fake_gpu(const std::string& name) {
  core::DeviceFacts facts = must(core::facts_for_arch("sm_90a"));
  facts.kind = core::DeviceKind::cuda;
  facts.name = name;
  facts.memory_bytes = std::int64_t{139} << 30;
  facts.datasheet_bandwidth_gbs = 4800;
  facts.measured_copy_gbs = 4200;
  return facts;
}

const prompt::PromptLibrary& built_in_prompts() {
  static const prompt::PromptLibrary library = must(prompt::PromptLibrary::load());
  return library;
}

TestRun::TestRun(core::SearchOptions options, core::DeviceFacts facts)
    : folder(must(util::TemporaryFolder::create("kgen-run-test"))),
      device(std::move(facts)),
      search(options) {
  core::RunRecord record;
  record.task = softmax_task();
  record.device = device;
  record.search = search;
  record.provider = "scripted";
  record.seed = 42;
  paths = must(agent::create_run(folder.path(), record));
}

Result<core::Finished> TestRun::search_with(std::vector<llm::Client*> clients, FakeEvaluator& evaluator,
                                            bool paid, std::function<bool()> cancelled) {
  KGEN_TRY(agent::Journal journal, agent::Journal::open(paths));
  evaluator.kind = device.kind;
  const agent::LoopInputs inputs{journal,
                                 paths,
                                 std::move(clients),
                                 paid,
                                 {},
                                 search,
                                 evaluator,
                                 device,
                                 built_in_prompts(),
                                 std::move(cancelled),
                                 {}};
  return agent::run_search(inputs);
}

agent::StoredRun TestRun::stored() const {
  return must(agent::read_run(paths));
}

std::string fingerprint(const agent::RunPaths& paths) {
  const agent::StoredRun run = must(agent::read_run(paths));
  std::ostringstream text;
  for (const core::CandidateState& c : run.state.candidates) {
    text << c.number << ' ' << core::name_of(c.purpose) << " of " << c.parent << " '" << c.hint << "' prompt "
         << c.prompt_hash << " source " << c.source_hash;
    for (const auto& summary : {c.screen, c.promotion}) {
      if (summary)
        text << ' ' << core::name_of(summary->verdict) << ' '
             << (summary->time ? summary->time->median_us : 0);
    }
    text << '\n';
  }
  if (run.state.finished) {
    text << core::name_of(run.state.finished->outcome) << ' ' << run.state.finished->best << ' '
         << run.state.finished->reason << '\n';
  }
  if (auto best = util::read_file(paths.best())) text << *best;
  return text.str();
}

std::string fingerprint(const TestRun& run) {
  return fingerprint(run.paths);
}

ScriptedClient::Script by_number(std::vector<Fate> fates) {
  return [fates = std::move(fates)](const llm::Request& request) -> Result<llm::Reply> {
    const auto index = std::min(static_cast<std::size_t>(request.candidate), fates.size()) - 1;
    llm::Reply reply;
    reply.text = reply_with(fates[index], request.candidate);
    reply.usage = {1000, 0, 200, 0};
    reply.usage_complete = true;
    reply.cost_usd = 0.01;
    reply.model = "scripted-1";
    return reply;
  };
}

}  // namespace kgen::test
