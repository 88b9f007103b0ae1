#include "prompt/prompt_builder.hpp"

#include <algorithm>
#include <array>

#include "prompt/bottleneck.hpp"
#include "prompt/brief.hpp"
#include "prompt/feedback.hpp"
#include "prompt/format.hpp"
#include "prompt/knowledge_text.hpp"
#include "prompt/sweep_text.hpp"
#include "prompt/template.hpp"

namespace kgen::prompt {
namespace {

constexpr std::array<std::string_view, 8> kTaughtCapabilities = {"tma",      "wgmma", "clusters", "pdl",
                                                                 "cp_async", "mma",   "ldmatrix", "redux"};

/// A section's heading may end in "[capability]": it is for devices that have it.
bool fits(Advice& advice, const core::DeviceFacts& device) {
  const std::size_t open = advice.name.rfind(" [");
  if (open == std::string::npos || advice.name.back() != ']') return true;
  const std::string needed = advice.name.substr(open + 2, advice.name.size() - open - 3);
  advice.name.resize(open);
  return device.capabilities.contains(needed);
}

/// The nth strategy for the op's family, around again after the last. Spaces in its name are underscores in
/// the file's.
std::optional<Advice> strategy(const PromptLibrary& library, const PromptRequest& request) {
  std::string own = "explore/" + request.task->op->family + ".md";
  std::replace(own.begin(), own.end(), ' ', '_');
  std::vector<Advice> fitting;
  for (Advice& advice : library.advice(library.has(own) ? own : "explore/default.md")) {
    if (fits(advice, *request.device)) fitting.push_back(std::move(advice));
  }
  if (fitting.empty()) return std::nullopt;
  return fitting[static_cast<std::size_t>(request.hint_index) % fitting.size()];
}

std::optional<Advice> named(const std::vector<Advice>& sections, std::string_view name) {
  for (const Advice& advice : sections) {
    if (advice.name == name) return advice;
  }
  return std::nullopt;
}

/// The hint of a prompt: a strategy to explore, what to look at for a verdict, or one bottleneck.
std::optional<Advice> hint_for(const PromptLibrary& library, const PromptRequest& request) {
  if (request.purpose == core::Purpose::plan || !request.subject) return strategy(library, request);
  const core::Evaluation& evaluation = request.subject->evaluation;
  if (request.purpose == core::Purpose::repair)
    return named(library.advice("repair.md"), core::name_of(evaluation.verdict));
  const std::vector<std::string> names = bottlenecks(evaluation, *request.device);
  return named(library.advice("refine.md"),
               names[static_cast<std::size_t>(request.hint_index) % names.size()]);
}

Result<std::string> system_text(const PromptLibrary& library, const PromptRequest& request) {
  Values values;
  for (const std::string_view capability : kTaughtCapabilities)
    values.flags["can_" + std::string(capability)] =
        request.device->capabilities.contains(std::string(capability));
  values.flags["general"] = request.general;
  values.flags["deterministic"] = request.task->op->determinism == core::Determinism::required;
  values.texts["max_dynamic_shared"] = std::to_string(request.device->max_dynamic_shared);
  values.texts["cc"] = std::to_string(request.device->compute_capability);
  values.texts["arch"] = request.device->arch;
  values.texts["example"] = without_last_newlines(library.text("example.cu"));
  values.texts["device_brief"] = device_brief(*request.device);
  KGEN_TRY(values.texts["tensor_types"], tensor_types(*request.task));
  KGEN_TRY(values.texts["op_brief"], op_brief(request));
  KGEN_TRY(values.texts["knowledge"], knowledge_text(library, *request.device, *request.task, values));
  return render("system.mustache", library.text("system.mustache"), values);
}

Result<std::string> user_text(const PromptLibrary& library, const PromptRequest& request,
                              const std::optional<Advice>& hint) {
  Values values;
  values.flags["has_tried"] = !request.tried.empty();
  values.texts["tried_table"] =
      request.tried.empty() ? "" : without_last_newlines(tried_table(request.tried));
  values.flags["has_subject"] = request.subject.has_value();
  values.flags["is_plan"] = request.purpose == core::Purpose::plan;
  values.flags["is_repair"] = request.purpose == core::Purpose::repair;
  values.flags["is_refine"] = request.purpose == core::Purpose::refine;
  values.flags["has_hint"] = hint.has_value();
  values.texts["hint_name"] = hint ? hint->name : "";
  values.texts["hint_text"] = hint ? hint->text : "";
  const ShownCandidate none;
  const ShownCandidate& subject = request.subject ? *request.subject : none;
  values.flags["has_source"] = !subject.source.empty();
  values.texts["subject_number"] = std::to_string(subject.number);
  values.texts["subject_source"] = without_last_newlines(subject.source);
  values.texts["subject_verdict"] = verdict_text(subject.evaluation.verdict, subject.evaluation.kind);
  values.texts["feedback"] =
      without_last_newlines(feedback_text(subject.evaluation, request.task->op->dim_names, subject.source) +
                            (subject.sweep ? "\n" + sweep_text(*subject.sweep) : ""));
  values.flags["has_unusable"] = request.unusable.has_value();
  if (request.unusable) {
    const auto advice =
        named(library.advice("repair.md"), core::name_of(request.unusable->evaluation.verdict));
    values.texts["unusable_hint"] = advice ? advice->text : "";
    values.texts["unusable_number"] = std::to_string(request.unusable->number);
    values.texts["unusable_feedback"] = without_last_newlines(
        feedback_text(request.unusable->evaluation, request.task->op->dim_names, request.unusable->source));
  }
  return render("user.mustache", library.text("user.mustache"), values);
}

}  // namespace

Result<BuiltPrompt> build_prompt(const PromptLibrary& library, const PromptRequest& request) {
  const std::optional<Advice> hint = hint_for(library, request);
  BuiltPrompt built;
  KGEN_TRY(built.messages.system, system_text(library, request));
  KGEN_TRY(built.messages.user, user_text(library, request, hint));
  built.messages.system = tidy(built.messages.system);
  built.messages.user = tidy(built.messages.user);
  if (hint) built.hint = hint->name;
  return built;
}

}  // namespace kgen::prompt
