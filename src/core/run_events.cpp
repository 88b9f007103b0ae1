#include "core/run_events.hpp"

#include <array>
#include <type_traits>
#include <utility>

#include "core/json_fields.hpp"
#include "core/protocol.hpp"
#include "util/json.hpp"

namespace kgen::core {
namespace {

using nlohmann::json;

constexpr int kMaxCandidate = 100'000;

// The names, in the order of EventBody's alternatives.
constexpr std::array<std::string_view, 16> kNames = {
    "run_started",   "resumed",        "device_changed",    "baselines_measured",
    "ask_intended",  "reply_received", "attempt_failed",    "ask_failed",
    "reply_awaited", "ask_lost",       "replies_exhausted", "evaluated",
    "swept",         "interrupted",    "finished",          "reviewed"};
static_assert(kNames.size() == std::variant_size_v<EventBody>);

[[noreturn]] void reject(const char* what, const json& in) {
  throw json::other_error::create(501, what, &in);
}

json to_json(const Spend& spend) {
  json out{{"input_tokens", spend.input_tokens},
           {"cached_input_tokens", spend.cached_input_tokens},
           {"output_tokens", spend.output_tokens}};
  if (spend.cost_usd) out["cost_usd"] = *spend.cost_usd;
  return out;
}

Spend spend_from(const json& in) {
  Spend out;
  out.input_tokens = in.at("input_tokens").get<std::int64_t>();
  out.cached_input_tokens = in.at("cached_input_tokens").get<std::int64_t>();
  out.output_tokens = in.at("output_tokens").get<std::int64_t>();
  if (in.contains("cost_usd")) out.cost_usd = in.at("cost_usd").get<double>();
  return out;
}

int candidate_from(const json& in, const char* field = "candidate") {
  const int number = in.at(field).get<int>();
  if (number < 0 || number > kMaxCandidate) reject("candidate number out of range", in);
  return number;
}

template <class T>
T unwrap(Result<T> result, const json& in) {
  if (!result) reject(result.error().message.c_str(), in);
  return std::move(*result);
}

// What each event carries beside its name and times.
json fields(const RunStarted&) {
  return json::object();
}
json fields(const Interrupted&) {
  return json::object();
}
json fields(const Resumed& e) {
  return {{"search", to_json(e.search)}, {"provider", e.provider}};
}
json fields(const DeviceChanged& e) {
  return {{"device", to_json(e.device)}};
}
json fields(const BaselinesMeasured& e) {
  return to_json(BaselineReply{e.baselines});
}
json fields(const AskIntended& e) {
  return {{"candidate", e.candidate},
          {"part", e.part},
          {"purpose", name_of(e.purpose)},
          {"parent", e.parent},
          {"hint", e.hint},
          {"prompt_hash", e.prompt_hash},
          {"paid", e.paid}};
}
json fields(const ReplyReceived& e) {
  json out{{"candidate", e.candidate}, {"part", e.part},
           {"stop", e.stop},           {"spend", to_json(e.spend)},
           {"seconds", e.seconds},     {"usage_complete", e.usage_complete},
           {"model", e.model},         {"request_id", e.request_id}};
  if (e.prompt_matches) out["prompt_matches"] = *e.prompt_matches;
  if (!e.stop_detail.empty()) out["stop_detail"] = e.stop_detail;
  if (e.recovered) out["recovered"] = true;
  return out;
}
json fields(const AttemptFailed& e) {
  return {{"candidate", e.candidate},
          {"problem", e.problem},
          {"spend", to_json(e.spend)},
          {"possibly_paid", e.possibly_paid}};
}
json fields(const AskFailed& e) {
  return {{"candidate", e.candidate}, {"message", e.message}};
}
json fields(const ReplyAwaited& e) {
  return {{"candidate", e.candidate}};
}
json fields(const AskLost& e) {
  return {{"candidate", e.candidate}, {"possibly_paid", e.possibly_paid}};
}
json fields(const RepliesExhausted& e) {
  return {{"candidate", e.candidate}};
}
json fields(const Evaluated& e) {
  return {{"candidate", e.candidate},
          {"summary", to_json(e.summary)},
          {"notes", e.notes},
          {"source_hash", e.source_hash},
          {"variants", e.variants}};
}
json fields(const Swept& e) {
  json out{{"candidate", e.candidate},
           {"tried", e.tried},
           {"rejected", e.rejected},
           {"variant", e.variant},
           {"reason", e.reason}};
  if (e.summary) out["summary"] = to_json(*e.summary);
  return out;
}
json fields(const Finished& e) {
  return {{"outcome", name_of(e.outcome)}, {"best", e.best}, {"reason", e.reason}};
}
json fields(const Reviewed& e) {
  return {{"accepted", e.accepted}, {"by", e.by}, {"note", e.note}};
}

void read(const json&, RunStarted&) {}
void read(const json&, Interrupted&) {}
void read(const json& in, Resumed& e) {
  e.search = unwrap(search_options_from_json(in.at("search")), in);
  e.provider = in.at("provider").get<std::string>();
}
void read(const json& in, DeviceChanged& e) {
  e.device = unwrap(device_facts_from_json(in.at("device")), in);
}
void read(const json& in, BaselinesMeasured& e) {
  e.baselines = unwrap(baseline_reply_from_json(in), in).baselines;
}
void read(const json& in, AskIntended& e) {
  e.candidate = candidate_from(in);
  e.part = in.at("part").get<int>();
  const auto purpose = in.at("purpose").get<std::string>();
  for (const Purpose known : {Purpose::plan, Purpose::repair, Purpose::refine}) {
    if (purpose == name_of(known)) e.purpose = known;
  }
  e.parent = candidate_from(in, "parent");
  e.hint = in.at("hint").get<std::string>();
  e.prompt_hash = in.at("prompt_hash").get<std::string>();
  e.paid = in.at("paid").get<bool>();
}
void read(const json& in, ReplyReceived& e) {
  e.candidate = candidate_from(in);
  e.part = in.at("part").get<int>();
  e.stop = in.at("stop").get<std::string>();
  e.spend = spend_from(in.at("spend"));
  e.usage_complete = in.at("usage_complete").get<bool>();
  e.seconds = in.at("seconds").get<double>();
  e.model = in.at("model").get<std::string>();
  e.request_id = in.at("request_id").get<std::string>();
  if (in.contains("prompt_matches")) e.prompt_matches = in.at("prompt_matches").get<bool>();
  e.stop_detail = in.value("stop_detail", "");
  e.recovered = in.value("recovered", false);
}
void read(const json& in, AttemptFailed& e) {
  e.candidate = candidate_from(in);
  e.problem = in.at("problem").get<std::string>();
  e.spend = spend_from(in.at("spend"));
  e.possibly_paid = in.at("possibly_paid").get<bool>();
}
void read(const json& in, AskFailed& e) {
  e.candidate = candidate_from(in);
  e.message = in.at("message").get<std::string>();
}
void read(const json& in, ReplyAwaited& e) {
  e.candidate = candidate_from(in);
}
void read(const json& in, AskLost& e) {
  e.candidate = candidate_from(in);
  e.possibly_paid = in.at("possibly_paid").get<bool>();
}
void read(const json& in, RepliesExhausted& e) {
  e.candidate = candidate_from(in);
}
void read(const json& in, Evaluated& e) {
  e.candidate = candidate_from(in);
  e.summary = unwrap(evaluation_summary_from_json(in.at("summary")), in);
  e.notes = in.at("notes").get<std::string>();
  e.source_hash = in.at("source_hash").get<std::string>();
  e.variants = in.value("variants", 0);
}
void read(const json& in, Swept& e) {
  e.candidate = candidate_from(in);
  e.tried = in.at("tried").get<int>();
  e.rejected = in.at("rejected").get<int>();
  in.at("variant").get_to(e.variant);
  e.reason = in.at("reason").get<std::string>();
  if (in.contains("summary")) e.summary = unwrap(evaluation_summary_from_json(in.at("summary")), in);
}
void read(const json& in, Finished& e) {
  const auto outcome = parse_outcome(in.at("outcome").get<std::string>());
  if (!outcome) reject("outcome is none of the known ones", in);
  e.outcome = *outcome;
  e.best = candidate_from(in, "best");
  e.reason = in.at("reason").get<std::string>();
}
void read(const json& in, Reviewed& e) {
  e.accepted = in.at("accepted").get<bool>();
  e.by = in.at("by").get<std::string>();
  e.note = in.at("note").get<std::string>();
}

/// The alternative called `name`, read from `in`.
template <std::size_t I = 0>
EventBody body_from(const std::string& name, const json& in) {
  if constexpr (I == std::variant_size_v<EventBody>) {
    reject(("event '" + name + "' is not known to this kgen").c_str(), in);
  } else {
    if (name != kNames[I]) return body_from<I + 1>(name, in);
    std::variant_alternative_t<I, EventBody> body;
    read(in, body);
    return body;
  }
}

}  // namespace

std::string_view name_of(Purpose purpose) {
  switch (purpose) {
    case Purpose::plan:
      return "plan";
    case Purpose::repair:
      return "repair";
    case Purpose::refine:
      return "refine";
  }
  return "plan";
}

std::string_view name_of(const EventBody& body) {
  return kNames[body.index()];
}

std::string journal_line(const Event& event) {
  json out = std::visit([](const auto& body) { return fields(body); }, event.body);
  out["event"] = name_of(event.body);
  out["at"] = event.at;
  out["active_s"] = event.active_s;
  return out.dump(-1, ' ', false, json::error_handler_t::replace);
}

Result<Event> event_from_line(std::string_view line) {
  KGEN_TRY(const json in, parse_json(line, "events.jsonl"));
  return read_json("events.jsonl", [&] {
    Event event;
    event.at = in.at("at").get<std::string>();
    event.active_s = in.at("active_s").get<double>();
    event.body = body_from(in.at("event").get<std::string>(), in);
    return event;
  });
}

}  // namespace kgen::core
