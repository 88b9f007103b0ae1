// kgen export RUN: the run's kernel as C++ that needs no kgen.
#include <CLI/CLI.hpp>
#include <set>

#include "agent/run_folder.hpp"
#include "cli/command.hpp"
#include "cli/evaluation_text.hpp"
#include "cli/number_checks.hpp"
#include "cli/number_text.hpp"
#include "cli/run_text.hpp"
#include "cli/search_settings.hpp"
#include "cli/setting_flags.hpp"
#include "cli/text_table.hpp"
#include "cli/version.hpp"
#include "cli/worker_setup.hpp"
#include "export/sample_shape.hpp"
#include "report/run_words.hpp"
#include "util/file.hpp"
#include "util/interrupt.hpp"
#include "util/json.hpp"

namespace kgen::cli {
namespace {

namespace fs = std::filesystem;

struct ExportFlags {
  std::shared_ptr<FlagValues> settings;
  std::string run, folder;
  int candidate = 0;
};

/// The candidate that was asked for, else the run's result. Errors: bad_input where there is none.
Result<const core::CandidateState*> chosen_candidate(const agent::StoredRun& run, const ExportFlags& flags) {
  const int number = flags.candidate > 0  ? flags.candidate
                     : run.state.finished ? run.state.finished->best
                                          : 0;
  const core::CandidateState* candidate = run.state.find(number);
  if (number > 0 && candidate == nullptr)
    return fail(ErrorKind::bad_input, flags.run + " has no candidate " + std::to_string(number));
  const bool promoted =
      candidate != nullptr && candidate->promotion && candidate->promotion->verdict == core::Verdict::correct;
  if (!promoted && flags.candidate == 0)
    return fail(ErrorKind::bad_input, flags.run + " has no promoted kernel",
                "name one with --candidate N; `kgen show " + flags.run + "` lists them");
  if (candidate->source_hash.empty())
    return fail(ErrorKind::bad_input,
                "candidate " + std::to_string(number) + " of " + flags.run + " has no kernel");
  return candidate;
}

std::string review_text(const agent::StoredRun& run, const core::CandidateState& candidate) {
  const bool is_result = run.state.finished && run.state.finished->best == candidate.number;
  if (!is_result || !run.state.review)
    return "**not accepted**: nobody has reviewed this kernel (`kgen report`, `kgen review`)";
  const core::Review& review = *run.state.review;
  return (review.decision.accepted ? "accepted by " : "**rejected** by ") + review.decision.by + ", " +
         review.at;
}

/// Where the kernel comes from and what is known of it, for the README.
std::vector<std::string> provenance(const agent::StoredRun& run, const core::CandidateState& candidate) {
  std::vector<std::string> lines = {"- run " + run.record.name + ", candidate " +
                                        std::to_string(candidate.number) + ", exported by kgen " + kVersion,
                                    "- device: " + device_title(run.state.device)};
  lines.push_back("- review: " + review_text(run, candidate));
  const core::EvaluationSummary* summary = report::newest(candidate);
  if (summary == nullptr) return lines;
  std::string verdict = "- verdict: " + std::string(core::name_of(summary->verdict)) +
                        (candidate.promotion ? " (promotion)" : " (screen only: not promoted)");
  lines.push_back(verdict);
  if (summary->time) {
    lines.push_back("- time: " + interval_text(*summary->time) +
                    (summary->library.empty()
                         ? ""
                         : ", " +
                               speedup_text(summary->speedup, summary->speedup_low, summary->speedup_high) +
                               " over " + summary->library));
  }
  if (!candidate.variant.empty()) lines.push_back("- variant: " + core::variant_text(candidate.variant));
  return lines;
}

core::BuildRequest build_request(const exporting::ExportInputs& inputs, bool all_kernels) {
  core::BuildRequest request;
  request.source = inputs.source;
  request.macros = inputs.resolved.macros;
  request.arch = inputs.device.arch;
  request.std = inputs.plan.compile.std;
  request.fast_math = inputs.plan.compile.fast_math;
  request.max_registers = inputs.plan.compile.max_registers;
  for (const auto& tensor : core::tensors_of(inputs.task).value_or(std::vector<core::TensorFacts>{}))
    request.type_aliases.emplace_back(tensor.name, std::string(core::name_of(tensor.dtype)));
  std::set<std::string> kernels;
  if (all_kernels) {
    for (const auto& step : inputs.plan.launches)
      if (const auto* launch = std::get_if<core::KernelLaunch>(&step)) kernels.insert(launch->kernel);
  } else {
    for (const auto& step : inputs.resolved.steps)
      if (const auto* launch = std::get_if<core::ResolvedLaunch>(&step)) kernels.insert(launch->kernel);
  }
  request.kernels.assign(kernels.begin(), kernels.end());
  return request;
}

/// Compiles every kernel of the plan; where one that is skipped at this shape does not compile, those that
/// are not.
Result<core::BuildReply> build(judge::WorkerPool& workers, const exporting::ExportInputs& inputs) {
  const judge::EvaluationCallbacks callbacks{util::interrupted, {}};
  KGEN_TRY(core::BuildReply reply, workers.build(build_request(inputs, true), callbacks));
  if (!reply.ok) {
    KGEN_TRY(reply, workers.build(build_request(inputs, false), callbacks));
  }
  if (reply.ok) return reply;
  return fail(ErrorKind::bad_input, "the kernel does not compile: " + reply.message);
}

Status add_sample(judge::WorkerPool& workers, exporting::ExportInputs& inputs) {
  const auto shape = exporting::sample_shape(inputs.plan, inputs.resolved, inputs.task, inputs.device);
  if (!shape) {
    inputs.why_no_sample = "no small shape is served by the code compiled for " + core::describe(inputs.task);
    return {};
  }
  constexpr std::uint64_t kSeed = 20260102;  // the same values at each export
  auto values = workers.sample({*shape, kSeed}, {util::interrupted, {}});
  if (values) {
    inputs.sample = exporting::Sample{*shape, std::move(*values)};
  } else if (values.error().kind == ErrorKind::interrupted) {
    return tl::unexpected(values.error());
  } else {
    inputs.why_no_sample = values.error().message;
  }
  return {};
}

Status write_files(const fs::path& folder, const std::map<std::string, std::string>& files) {
  std::error_code error;
  if (fs::exists(folder, error) && !fs::is_empty(folder, error))
    return fail(ErrorKind::bad_input, folder.string() + " is not empty",
                "name a new folder, so that files of two kernels never mix");
  for (const auto& [name, content] : files) KGEN_CHECK(util::write_file_atomic(folder / name, content));
  return {};
}

/// Compiling needs no device: the worker is started without one, for the architecture of the run's.
Result<RunningWorker> start_compiler(const agent::StoredRun& run, const FlagValues& flags) {
  FlagValues all = run_config_flags(run.record.config);
  all.insert(all.end(), flags.begin(), flags.end());
  KGEN_TRY(config::LoadedConfig loaded, load_settings(all));
  loaded.config.device = "none";
  loaded.config.arch = run.state.device.arch;
  return start_worker(loaded.config);
}

Result<exporting::ExportInputs> read_inputs(const agent::RunPaths& paths, const agent::StoredRun& run,
                                            const core::CandidateState& candidate) {
  exporting::ExportInputs inputs;
  inputs.task = run.record.task;
  inputs.device = run.state.device;
  KGEN_TRY(inputs.source, agent::read_tuned_kernel(paths, candidate));
  inputs.provenance = provenance(run, candidate);
  const auto wrong = [&](const core::PlanProblem& problem) {
    return fail(ErrorKind::bad_input, paths.kernel(candidate.number).string() + ": " + problem.text());
  };
  auto plan = core::parse_plan(inputs.source);
  if (!plan) return wrong(plan.error());
  inputs.plan = std::move(*plan);
  const auto variants = core::feasible_variants(inputs.plan, inputs.task, inputs.device);
  if (!variants) return wrong(variants.error());
  auto resolved = core::resolve_plan(inputs.plan, inputs.task, inputs.device, variants->front());
  if (!resolved) return wrong(resolved.error());
  inputs.resolved = std::move(*resolved);
  return inputs;
}

Result<CommandResult> run_export(const ExportFlags& flags) {
  const agent::RunPaths paths{flags.run};
  KGEN_TRY(const agent::StoredRun run, agent::read_run(paths));
  KGEN_TRY(const core::CandidateState* const candidate, chosen_candidate(run, flags));
  KGEN_TRY(exporting::ExportInputs inputs, read_inputs(paths, run, *candidate));
  KGEN_TRY(RunningWorker worker, start_compiler(run, *flags.settings));
  KGEN_TRY(inputs.build, build(*worker.pool, inputs));
  KGEN_CHECK(add_sample(*worker.pool, inputs));
  const auto files = exporting::export_files(inputs);
  KGEN_CHECK(write_files(flags.folder, files));
  CommandResult result;
  const std::string sample =
      inputs.sample ? "checks itself at " + core::describe(inputs.sample->task) : inputs.why_no_sample;
  LabelledLines lines;
  lines.add("kernel", "candidate " + std::to_string(candidate->number) + " of " + paths.root.string());
  lines.add("files", std::to_string(files.size()) + " in " + flags.folder);
  lines.add("example", sample);
  lines.add("build", "cmake -S " + flags.folder + " -B " + flags.folder + "/build && cmake --build " +
                         flags.folder + "/build && ctest --test-dir " + flags.folder + "/build");
  result.text = core::describe(inputs.task) + "\n" + lines.text();
  nlohmann::json names = nlohmann::json::array();
  for (const auto& [name, content] : files) names.push_back(name);
  nlohmann::json fields{{"run", paths.root.string()}, {"candidate", candidate->number},
                        {"folder", flags.folder},     {"files", names},
                        {"example", sample},          {"exit_code", 0}};
  if (inputs.sample) fields["example_dims"] = inputs.sample->task.dims;
  result.json = document("export", std::move(fields));
  return result;
}

}  // namespace

void add_export(CLI::App& root, Invocation& invocation) {
  CLI::App* const command =
      add_command(root, invocation, "export", "Export a run's kernel as C++ that needs no kgen",
                  "  kgen export RUN --cpp DIR\n"
                  "  kgen export RUN --cpp DIR --candidate 3   one that was not promoted");
  auto flags = std::make_shared<ExportFlags>();
  command->add_option("RUN", flags->run, "run directory")->required();
  command->add_option("--cpp", flags->folder, "folder for header, source, launcher, cubin, PTX and example")
      ->type_name("DIR")
      ->required();
  command->add_option("--candidate", flags->candidate, "export this candidate, promoted or not")
      ->type_name("N")
      ->check(positive_number());
  flags->settings = add_setting_flags(*command, {"worker", "worker_timeout"});
  command->callback([flags, &invocation] { invocation.run = [flags] { return run_export(*flags); }; });
}

}  // namespace kgen::cli
