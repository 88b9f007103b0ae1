#include "prompt/draft_prompt.hpp"

#include <algorithm>
#include <span>

#include "prompt/format.hpp"
#include "prompt/template.hpp"
#include "util/embedded.hpp"

namespace kgen::embedded {
std::span<const util::EmbeddedFile> format_pages();
}

namespace kgen::prompt {
namespace {

using State = core::Finding::State;

constexpr std::size_t kMostFindings = 20, kMostFindingBytes = 1500;

std::string finding_line(const core::Finding& finding) {
  return "- `" + finding.name + "` " + (finding.state == State::failed ? "FAILED" : "missing") + ": " +
         (finding.where.empty() ? "" : finding.where + ": ") + one_line(finding.detail, kMostFindingBytes) +
         "\n";
}

/// Mutants and known-good kernels are a person's to add.
bool is_for_the_model(const core::Finding& finding) {
  return finding.name != "mutants" && finding.name != "kernels";
}

/// What failed, then what is missing.
std::string findings_to_mend(const std::vector<core::Finding>& findings) {
  std::string text;
  std::size_t shown = 0, left_out = 0;
  for (const State state : {State::failed, State::missing}) {
    for (const core::Finding& finding : findings) {
      if (finding.state != state || !is_for_the_model(finding)) continue;
      if (++shown > kMostFindings)
        ++left_out;
      else
        text += finding_line(finding);
    }
  }
  return left_out == 0 ? text : text + "- and " + std::to_string(left_out) + " more\n";
}

bool any_failed_of(const std::vector<core::Finding>& findings) {
  return std::any_of(findings.begin(), findings.end(),
                     [](const core::Finding& finding) { return finding.state == State::failed; });
}

Values answer_values(const DraftAnswer& given) {
  Values values;
  values.flags = {{"is_answer", !given.question.empty()}, {"is_remark", given.question.empty()}};
  values.texts = {
      {"question", given.question},
      {"answer", given.answer.empty() ? "No preference: choose what is usual, and say so." : given.answer}};
  return values;
}

Result<std::string> draft_system_text(const PromptLibrary& library, const DraftRequest& request) {
  Values values;
  values.texts["max_questions"] = std::to_string(kMaxQuestions);
  KGEN_TRY(values.texts["op_format"], op_format_text());
  std::vector<Values>& examples = values.lists["examples"];
  for (const DraftExample& example : request.examples) {
    Values one;
    one.texts = {{"title", example.title},
                 {"op_toml", without_last_newlines(example.files.op_toml)},
                 {"reference_cu", without_last_newlines(example.files.reference_cu)}};
    examples.push_back(std::move(one));
  }
  return render("draft_system.mustache", library.text("draft_system.mustache"), values);
}

Result<std::string> draft_user_text(const PromptLibrary& library, const DraftRequest& request) {
  const bool failed = any_failed_of(request.findings), unread = !request.problem.empty();
  Values values;
  values.texts["description"] = without_last_newlines(quoted(request.description));
  values.flags["has_answers"] = !request.answers.empty();
  std::vector<Values>& answers = values.lists["answers"];
  for (const DraftAnswer& given : request.answers) answers.push_back(answer_values(given));
  values.flags["has_draft"] = request.last.has_value();
  values.texts["op_toml"] = request.last ? without_last_newlines(request.last->op_toml) : "";
  values.texts["reference_cu"] = request.last ? without_last_newlines(request.last->reference_cu) : "";
  values.flags["has_problem"] = unread;
  values.texts["problem"] = request.problem;
  values.flags["has_findings"] = failed;
  values.texts["findings"] = without_last_newlines(findings_to_mend(request.findings));
  values.flags["is_repair"] = failed || unread;
  values.flags["is_change"] = !failed && !unread && request.last.has_value();
  values.flags["is_first"] = !failed && !unread && !request.last.has_value();
  return render("draft_user.mustache", library.text("draft_user.mustache"), values);
}

}  // namespace

Result<std::string> op_format_text() {
  for (const Advice& section : sections_of(embedded::format_pages().front().text)) {
    if (section.name == "op.toml") return section.text;
  }
  return fail(ErrorKind::internal, "docs/formats.md has no section op.toml");
}

Result<Messages> build_draft_prompt(const PromptLibrary& library, const DraftRequest& request) {
  Messages messages;
  KGEN_TRY(messages.system, draft_system_text(library, request));
  KGEN_TRY(messages.user, draft_user_text(library, request));
  messages.system = tidy(messages.system);
  messages.user = tidy(messages.user);
  return messages;
}

}  // namespace kgen::prompt
