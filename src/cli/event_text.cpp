#include "cli/number_text.hpp"
#include "cli/run_text.hpp"
#include "core/sweep.hpp"
#include "util/terminal.hpp"

namespace kgen::cli {
namespace {

std::string candidate_text(int number) {
  return "candidate " + std::to_string(number);
}

std::string summary_line(const core::EvaluationSummary& summary) {
  std::string text(core::name_of(summary.verdict));
  if (!summary.kind.empty()) text += " (" + summary.kind + ")";
  if (summary.time) text += ", " + interval_text(*summary.time);
  if (summary.time && !summary.library.empty())
    text += ", " + speedup_text(summary.speedup, summary.speedup_low, summary.speedup_high) + " over " +
            summary.library;
  if (summary.verdict != core::Verdict::correct && !summary.message.empty())
    text += ": " + util::printable(summary.message);
  return text;
}

/// One line an event. those of no interest to a person give nothing.
struct Line {
  std::string operator()(const core::RunStarted&) const { return "run started"; }
  std::string operator()(const core::Resumed&) const { return "run resumed"; }
  std::string operator()(const core::DeviceChanged& e) const { return "goes on on " + e.device.name; }
  std::string operator()(const core::BaselinesMeasured& e) const {
    std::string text = "baselines:";
    for (const auto& baseline : e.baselines)
      text += " " + baseline.name + " " +
              (baseline.time ? time_text(baseline.time->median_us)
                             : "not measured (" + baseline.why_missing + ")") +
              ";";
    if (e.baselines.empty()) return "no baselines";
    text.pop_back();
    return text;
  }
  std::string operator()(const core::AskIntended& e) const {
    std::string text = candidate_text(e.candidate) + ": " + std::string(core::name_of(e.purpose));
    if (e.parent > 0) text += " of " + std::to_string(e.parent);
    return e.hint.empty() ? text : text + " (" + e.hint + ")";
  }
  std::string operator()(const core::ReplyReceived& e) const {
    std::string text = candidate_text(e.candidate) + ": reply, " + report::spend_text(e.spend);
    if (e.prompt_matches == false) text += "; it was written for another prompt";
    return text;
  }
  std::string operator()(const core::AttemptFailed& e) const {
    return candidate_text(e.candidate) + ": attempt failed: " + util::printable(e.problem);
  }
  std::string operator()(const core::AskFailed& e) const {
    return candidate_text(e.candidate) + ": no reply: " + util::printable(e.message);
  }
  std::string operator()(const core::ReplyAwaited& e) const {
    return candidate_text(e.candidate) + ": waiting for reply.md";
  }
  std::string operator()(const core::AskLost& e) const {
    return candidate_text(e.candidate) + ": the call was lost" + (e.possibly_paid ? ", possibly paid" : "") +
           "; asked again";
  }
  std::string operator()(const core::RepliesExhausted&) const {
    return "the transcript has no further replies";
  }
  std::string operator()(const core::Evaluated& e) const {
    return candidate_text(e.candidate) + (e.summary.tier == core::Tier::promotion ? ": promotion: " : ": ") +
           summary_line(e.summary);
  }
  std::string operator()(const core::Swept& e) const {
    std::string text = candidate_text(e.candidate) + ": " + plural(e.tried, "variant") + " tried";
    if (e.rejected > 0) text += ", " + std::to_string(e.rejected) + " rejected";
    text += "; goes on with " + core::variant_text(e.variant) + " (" + util::printable(e.reason) + ")";
    return e.summary ? text + ": " + summary_line(*e.summary) : text;
  }
  std::string operator()(const core::Interrupted&) const { return "interrupted"; }
  std::string operator()(const core::Reviewed& e) const { return report::review_words(e); }
  std::string operator()(const core::Finished& e) const {
    return "finished: " + std::string(core::name_of(e.outcome)) + " (" + e.reason + ")";
  }
};

}  // namespace

std::string event_line(const core::Event& event) {
  return std::visit(Line{}, event.body);
}

std::vector<core::Event> events_of(const std::vector<core::Event>& events, int candidate) {
  const auto concerns = [&](const auto& body) {
    if constexpr (requires { body.candidate; }) return body.candidate == candidate;
    return false;
  };
  std::vector<core::Event> chosen;
  for (const auto& event : events)
    if (std::visit(concerns, event.body)) chosen.push_back(event);
  return chosen;
}

std::string journal_text(const std::vector<core::Event>& events) {
  std::string text;
  for (const auto& event : events) text += event.at + "  " + event_line(event) + "\n";
  return text;
}

}  // namespace kgen::cli
