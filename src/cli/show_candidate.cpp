#include "cli/show_candidate.hpp"

#include "cli/evaluation_text.hpp"
#include "cli/run_text.hpp"
#include "cli/sweep_table.hpp"
#include "report/source_diff.hpp"
#include "util/file.hpp"
#include "util/json.hpp"
#include "util/terminal.hpp"

namespace kgen::cli {
namespace {

std::string name_of_candidate(int number) {
  return "candidate " + std::to_string(number);
}

Result<const core::CandidateState*> find_candidate(const agent::RunPaths& paths, const agent::StoredRun& run,
                                                   int number) {
  if (const core::CandidateState* candidate = run.state.find(number)) return candidate;
  const std::size_t count = run.state.candidates.size();
  return fail(ErrorKind::bad_input, name_of_candidate(number) + " is not in " + paths.root.string(),
              count == 0 ? "it has none yet" : "it has candidates 1 to " + std::to_string(count));
}

Result<core::Evaluation> newest_evaluation(const agent::RunPaths& paths,
                                           const core::CandidateState& candidate) {
  if (!candidate.screen && !candidate.promotion)
    return fail(ErrorKind::bad_input,
                name_of_candidate(candidate.number) + " of " + paths.root.string() + " is not judged yet",
                "`kgen resume " + paths.root.string() + "` goes on");
  return agent::read_evaluation(paths, candidate.number,
                                candidate.promotion ? core::Tier::promotion : core::Tier::screen);
}

/// "RUN/candidates/0003/kernel.cu: softmax bf16 rows=8 on NVIDIA H200"; of a reply without a kernel its
/// reply.md.
std::string title_of(const agent::RunPaths& paths, const agent::StoredRun& run, int number,
                     const core::Evaluation& evaluation) {
  const bool no_kernel = evaluation.verdict == core::Verdict::reply_invalid;
  const auto file = no_kernel ? paths.reply(number) : paths.kernel(number);
  return file.string() + ": " + core::describe(run.record.task) +
         (evaluation.device.empty() ? "" : " on " + evaluation.device);
}

/// The kernel of a candidate. Errors: bad_input where its reply held none.
Result<std::string> kernel_of(const agent::RunPaths& paths, int number) {
  std::error_code ignored;
  if (!std::filesystem::exists(paths.kernel(number), ignored))
    return fail(ErrorKind::bad_input, name_of_candidate(number) + " has no kernel to compare",
                "`--candidate " + std::to_string(number) + "` shows what became of it");
  return util::read_file(paths.kernel(number));
}

}  // namespace

Result<CommandResult> show_candidate(const agent::RunPaths& paths, const agent::StoredRun& run, int number,
                                     bool why) {
  KGEN_TRY(const auto* candidate, find_candidate(paths, run, number));
  KGEN_TRY(const core::Evaluation evaluation, newest_evaluation(paths, *candidate));
  CommandResult result;
  result.text =
      evaluation_text(title_of(paths, run, number, evaluation), evaluation, util::use_color(stdout));
  nlohmann::json json{
      {"run", paths.root.string()}, {"candidate", number}, {"evaluation", core::to_json(evaluation)}};
  if (candidate->swept) {
    KGEN_TRY(const core::SweepRecord sweep, agent::read_sweep(paths, number));
    result.text += "\nvariants: " + sweep_summary(sweep) + "\n\n" + sweep_table(sweep);
    json["sweep"] = core::to_json(sweep);
  }
  if (why) result.text += "\n" + journal_text(events_of(run.events, number));
  result.json = document("show", std::move(json));
  return result;
}

Result<CommandResult> show_diff(const agent::RunPaths& paths, const agent::StoredRun& run, int number) {
  KGEN_TRY(const auto* candidate, find_candidate(paths, run, number));
  const int parent = candidate->parent;
  if (parent == 0)
    return fail(ErrorKind::bad_input, name_of_candidate(number) + " has no parent: it was a plan of its own",
                "--diff compares a repair or a refinement with what it came from");
  KGEN_TRY(const std::string before, kernel_of(paths, parent));
  KGEN_TRY(const std::string after, kernel_of(paths, number));
  const std::string plain =
      report::source_diff(name_of_candidate(parent), before, name_of_candidate(number), after, false);
  CommandResult result;
  result.text = util::use_color(stdout) ? report::source_diff(name_of_candidate(parent), before,
                                                              name_of_candidate(number), after, true)
                                        : plain;
  if (plain.empty())
    result.text =
        "candidates " + std::to_string(parent) + " and " + std::to_string(number) + " are the same\n";
  result.json = document(
      "show", {{"run", paths.root.string()}, {"candidate", number}, {"parent", parent}, {"diff", plain}});
  return result;
}

}  // namespace kgen::cli
