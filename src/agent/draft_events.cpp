#include "agent/draft_events.hpp"

#include <array>
#include <optional>
#include <type_traits>
#include <utility>

#include "core/json_fields.hpp"

namespace kgen::agent {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 5> kOutcomes = {"questions", "unreadable", "not_proven", "proven",
                                                       "refused"};
constexpr const char *kDrafted = "drafted", *kAnswered = "answered", *kAccepted = "accepted";

[[noreturn]] void reject_draft(const char* what, const json& in) {
  throw json::other_error::create(501, what, &in);
}

int number_from(const json& in) {
  constexpr int kMost = 100'000;
  const int number = in.at("candidate").get<int>();
  if (number < 0 || number > kMost) reject_draft("candidate number out of range", in);
  return number;
}

DraftOutcome outcome_from(const json& in) {
  const std::string word = in.at("outcome").get<std::string>();
  for (std::size_t i = 0; i < kOutcomes.size(); ++i) {
    if (word == kOutcomes[i]) return static_cast<DraftOutcome>(i);
  }
  reject_draft("outcome is none of the known ones", in);
}

json own_line(const Drafted& e) {
  return {{"event", kDrafted},
          {"candidate", e.candidate},
          {"outcome", name_of(e.outcome)},
          {"problem", e.problem},
          {"op", e.op},
          {"op_hash", e.op_hash},
          {"questions", e.questions}};
}
json own_line(const Answered& e) {
  return {{"event", kAnswered}, {"candidate", e.candidate}, {"answers", e.answers}};
}
json own_line(const DraftAccepted& e) {
  return {{"event", kAccepted}, {"candidate", e.candidate}, {"folder", e.folder}};
}

/// The body of a line of a draft's own, or nothing where it is one of a run's.
std::optional<DraftEventBody> own_body(const std::string& name, const json& in) {
  if (name == kDrafted) {
    Drafted e;
    e.candidate = number_from(in);
    e.outcome = outcome_from(in);
    e.problem = in.at("problem").get<std::string>();
    e.questions = in.at("questions").get<std::vector<std::string>>();
    e.op = in.at("op").get<std::string>();
    e.op_hash = in.at("op_hash").get<std::string>();
    return e;
  }
  if (name == kAnswered) return Answered{number_from(in), in.at("answers").get<std::vector<std::string>>()};
  if (name == kAccepted) return DraftAccepted{number_from(in), in.at("folder").get<std::string>()};
  return std::nullopt;
}

}  // namespace

std::string_view name_of(DraftOutcome outcome) {
  return kOutcomes[static_cast<std::size_t>(outcome)];
}

std::string journal_line(const DraftEvent& event) {
  return std::visit(
      [&](const auto& body) {
        if constexpr (std::is_same_v<std::decay_t<decltype(body)>, core::EventBody>) {
          return core::journal_line({event.at, event.active_s, body});
        } else {
          json out = own_line(body);
          out["at"] = event.at;
          out["active_s"] = event.active_s;
          return out.dump(-1, ' ', false, json::error_handler_t::replace);
        }
      },
      event.body);
}

Result<DraftEvent> draft_event_from_line(std::string_view line) {
  KGEN_TRY(const json in, core::parse_json(line, "events.jsonl"));
  KGEN_TRY(auto own, core::read_json("events.jsonl", [&] {
             DraftEvent event;
             event.at = in.at("at").get<std::string>();
             event.active_s = in.at("active_s").get<double>();
             auto body = own_body(in.at("event").get<std::string>(), in);
             if (body) event.body = std::move(*body);
             return std::pair(std::move(event), body.has_value());
           }));
  if (own.second) return std::move(own.first);
  KGEN_TRY(core::Event event, core::event_from_line(line));
  return DraftEvent{std::move(event.at), event.active_s, DraftEventBody(std::move(event.body))};
}

}  // namespace kgen::agent
