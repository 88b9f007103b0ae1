#include "report/provenance.hpp"

#include <algorithm>
#include <cctype>

#include "report/number_text.hpp"
#include "report/run_words.hpp"

namespace kgen::report {
namespace {

std::string version_of(const core::RunRecord& record, const std::string& of) {
  const auto found = record.versions.find(of);
  return found == record.versions.end() ? std::string() : found->second;
}

std::string budget_text(const core::Budget& budget) {
  std::string text = plural(budget.candidates, "candidate");
  if (budget.tokens) text += ", " + count_text(*budget.tokens) + " tokens";
  if (budget.dollars) text += ", $" + significant(*budget.dollars);
  if (budget.minutes) text += ", " + significant(*budget.minutes) + " min";
  return text;
}

std::string bandwidth_text(const core::DeviceFacts& device) {
  const core::Ceiling ceiling = core::bandwidth_ceiling(device);
  if (ceiling.gbs <= 0) return {};
  return significant(ceiling.gbs, 4) + " GB/s" + (ceiling.measured ? " (copy, measured)" : " (datasheet)");
}

/// --op, --dtype, --shape and --attr of the task.
std::string task_flags(const core::Task& task) {
  std::string text =
      " --op " + shell_word(task.op->name) + " --dtype " + std::string(core::name_of(task.dtype));
  if (const std::string dims = core::describe_dims(task); !dims.empty())
    text += " --shape " + shell_word(dims);
  std::string attributes;
  for (const auto& [name, value] : task.attributes)
    attributes += (attributes.empty() ? "" : ",") + name + "=" + significant(value, 17);
  return attributes.empty() ? text : text + " --attr " + shell_word(attributes);
}

std::string device_flag(const core::DeviceFacts& device) {
  switch (device.kind) {
    case core::DeviceKind::cuda:
      return " --device cuda:" + std::to_string(device.index);
    case core::DeviceKind::emulator:
      return " --device emulator";
    case core::DeviceKind::none:
      return " --device none --arch " + shell_word(device.arch);
  }
  return {};
}

}  // namespace

std::string shell_word(const std::string& word) {
  const auto plain = [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("_-=,.:/+").find(static_cast<char>(c)) != std::string_view::npos;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), plain)) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

Facts provenance_of(const ReportRun& run) {
  Facts facts;
  const auto add = [&](const char* label, const std::string& text) {
    if (!text.empty()) facts.emplace_back(label, text);
  };
  const core::RunRecord& record = run.record;
  const core::DeviceFacts& device = run.state.device;
  add("task", core::describe(record.task));
  add("op", record.task.op->title + " (specification " + record.task.op->hash + ")");
  add("device", device_title(device));
  add("bandwidth", bandwidth_text(device));
  add("driver", device.driver_version);
  add("CUDA", device.cuda_version);
  add("NVRTC", device.nvrtc_version);
  add("kgen", version_of(record, "kgen"));
  add("worker", version_of(record, "worker"));
  add("provider", provider_text(record, run.state));
  add("target", core::text_of(run.state.search.target));
  add("budget", budget_text(run.state.search.budget));
  add("cost", cost_text(run.state.ledger));
  add("work", duration_text(run.state.active_s) + " in " + plural(run.state.sessions, "session"));
  add("begun", record.created_at);
  if (run.state.finished) add("ended", run.state.finished->reason);
  add("seed", std::to_string(record.seed));
  add("run", record.name);
  return facts;
}

std::vector<Command> reproduce(const ReportRun& run) {
  const std::string name = shell_word(run.record.name), task = task_flags(run.record.task),
                    device = device_flag(run.state.device);
  std::vector<Command> commands;
  if (const core::Evaluation* const best = best_evaluation(run))
    commands.push_back({"Judge the best kernel again, on the same inputs",
                        "kgen eval " + name + "/best.cu" + task + device +
                            (best->tier == core::Tier::promotion ? " --tier promotion" : "") + " --seed " +
                            std::to_string(best->seed)});
  commands.push_back({"Search again with the recorded replies, each judged anew",
                      "kgen show " + name + " --save-transcript transcript && kgen generate" + task + device +
                          " --provider replay --transcript transcript --candidates " +
                          std::to_string(run.state.search.budget.candidates) + " --target " +
                          core::text_of(run.state.search.target) + " --seed " +
                          std::to_string(run.record.seed)});
  commands.push_back({"Every step of this search", "kgen show " + name + " --why"});
  return commands;
}

}  // namespace kgen::report
