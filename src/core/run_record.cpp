#include "core/run_record.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "core/json_fields.hpp"
#include "util/json.hpp"

namespace kgen::core {
namespace {

using nlohmann::json;

constexpr std::array<std::pair<Outcome, std::string_view>, 6> kOutcomes = {{
    {Outcome::target_met, "target_met"},
    {Outcome::faster, "faster"},
    {Outcome::below_target, "below_target"},
    {Outcome::keep_library, "keep_library"},
    {Outcome::no_correct_kernel, "no_correct_kernel"},
    {Outcome::unmeasured, "unmeasured"},
}};

constexpr double kDefaultRooflinePercent = 80;

/// A number without trailing zeros: "1.1", "90".
std::string number_text(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), end.ptr};
}

template <class T>
void set_if(json& out, const char* field, const std::optional<T>& value) {
  if (value) out[field] = *value;
}

template <class T>
std::optional<T> optional_at(const json& in, const char* field) {
  if (!in.contains(field) || in.at(field).is_null()) return std::nullopt;
  return in.at(field).get<T>();
}

}  // namespace

std::string_view name_of(Outcome outcome) {
  for (const auto& [value, name] : kOutcomes) {
    if (value == outcome) return name;
  }
  return "no_correct_kernel";
}

std::optional<Outcome> parse_outcome(std::string_view text) {
  for (const auto& [value, name] : kOutcomes) {
    if (name == text) return value;
  }
  return std::nullopt;
}

ExitCode exit_code_for(Outcome outcome) {
  return outcome == Outcome::target_met || outcome == Outcome::unmeasured ? ExitCode::ok : ExitCode::not_met;
}

Result<Target> parse_target(std::string_view text) {
  const auto wrong = [&] {
    return fail(
        ErrorKind::bad_input, "target '" + std::string(text) + "' is not understood",
        "give 'auto', a speed-up over the best library such as '1.1x', or percent of roofline such as '90%'");
  };
  if (text == "auto") return Target{};
  if (text.size() < 2) return wrong();
  const char unit = text.back();
  double value = 0;
  const char* begin = text.data();
  const char* end = begin + text.size() - 1;
  const auto [stop, error] = std::from_chars(begin, end, value);
  if (error != std::errc{} || stop != end || !(value > 0) || value > 1e6) return wrong();
  if (unit == 'x') return Target{Target::Kind::speedup, value};
  if (unit == '%') return Target{Target::Kind::roofline, value};
  return wrong();
}

std::string text_of(const Target& target) {
  switch (target.kind) {
    case Target::Kind::speedup:
      return number_text(target.value) + "x";
    case Target::Kind::roofline:
      return number_text(target.value) + "%";
    case Target::Kind::automatic:
      break;
  }
  return "auto";
}

json to_json(const SearchOptions& options) {
  json budget{{"candidates", options.budget.candidates}};
  set_if(budget, "tokens", options.budget.tokens);
  set_if(budget, "dollars", options.budget.dollars);
  set_if(budget, "minutes", options.budget.minutes);
  return {{"target", text_of(options.target)},
          {"budget", budget},
          {"explore", options.explore},
          {"repairs", options.repairs},
          {"plateau", options.plateau},
          {"parallel", options.parallel},
          {"variants", options.variants},
          {"general", options.general},
          {"kernel_timeout_s", options.kernel_timeout_s},
          {"diagnosis", options.diagnosis}};
}

Result<SearchOptions> search_options_from_json(const json& in) {
  return read_json("search options",
                   [&]() -> SearchOptions {
                     SearchOptions out;
                     const json& budget = in.at("budget");
                     out.budget.candidates = budget.at("candidates").get<int>();
                     out.budget.tokens = optional_at<std::int64_t>(budget, "tokens");
                     out.budget.dollars = optional_at<double>(budget, "dollars");
                     out.budget.minutes = optional_at<double>(budget, "minutes");
                     out.explore = in.at("explore").get<int>();
                     out.repairs = in.at("repairs").get<int>();
                     out.plateau = in.at("plateau").get<int>();
                     out.parallel = in.at("parallel").get<int>();
                     out.variants = in.value("variants", 0);  // runs of before there were sweeps
                     out.general = in.at("general").get<bool>();
                     out.kernel_timeout_s = in.at("kernel_timeout_s").get<double>();
                     out.diagnosis = in.value("diagnosis", true);  // older runs all had it
                     return out;
                   })
      .and_then([&](SearchOptions out) -> Result<SearchOptions> {
        if (!in.contains("target") || !in.at("target").is_string())
          return fail(ErrorKind::bad_input, "search options: target is missing");
        KGEN_TRY(out.target, parse_target(in.at("target").get<std::string>()));
        return out;
      });
}

json to_json(const RunRecord& record) {
  return {{"schema", kRunRecordVersion},
          {"name", record.name},
          {"created_at", record.created_at},
          {"task", to_json(record.task)},
          {"device", to_json(record.device)},
          {"search", to_json(record.search)},
          {"provider", record.provider},
          {"model", record.model},
          {"seed", record.seed},
          {"versions", record.versions},
          {"config", json::parse(record.config, nullptr, false)}};
}

Result<RunRecord> run_record_from_json(const json& in) {
  RunRecord record;
  KGEN_CHECK(read_json("run.json", [&]() -> int {
    if (const int version = in.at("schema").get<int>(); version > kRunRecordVersion)
      throw json::other_error::create(501, "schema " + std::to_string(version) + " is newer than this kgen",
                                      &in);
    record.name = in.at("name").get<std::string>();
    record.created_at = in.at("created_at").get<std::string>();
    record.provider = in.at("provider").get<std::string>();
    record.model = in.at("model").get<std::string>();
    record.seed = in.at("seed").get<std::uint64_t>();
    record.versions = in.at("versions").get<std::map<std::string, std::string>>();
    record.config = in.at("config").dump();
    for (const char* field : {"task", "device", "search"}) static_cast<void>(in.at(field));
    return 0;
  }));
  KGEN_TRY(record.task, task_from_json(in.at("task")));
  KGEN_TRY(record.device, device_facts_from_json(in.at("device")));
  KGEN_TRY(record.search, search_options_from_json(in.at("search")));
  return record;
}

EvaluationSummary summarize(const Evaluation& evaluation) {
  EvaluationSummary out;
  out.tier = evaluation.tier;
  out.verdict = evaluation.verdict;
  out.kind = evaluation.kind;
  out.message = evaluation.message;
  out.flags = evaluation.flags;
  out.device = evaluation.device;
  if (!evaluation.timing) return out;
  const Timing& timing = *evaluation.timing;
  out.time = timing.candidate;
  out.percent_of_roofline = timing.percent_of_roofline;
  out.ceiling_measured = timing.ceiling_measured;
  const BaselineTiming* strongest = nullptr;
  for (const BaselineTiming& baseline : timing.baselines) {
    if (!baseline.library || !baseline.time) continue;
    if (strongest == nullptr || baseline.speedup < strongest->speedup) strongest = &baseline;
  }
  if (strongest != nullptr) {
    out.library = strongest->name;
    out.speedup = strongest->speedup;
    out.speedup_low = strongest->speedup_low;
    out.speedup_high = strongest->speedup_high;
  }
  return out;
}

bool has_flag(const EvaluationSummary& summary, std::string_view flag) {
  return std::find(summary.flags.begin(), summary.flags.end(), flag) != summary.flags.end();
}

bool meets(const Target& target, const EvaluationSummary& summary) {
  if (summary.verdict != Verdict::correct || !summary.time || has_flag(summary, "implausible_time"))
    return false;
  const bool library = !summary.library.empty();
  switch (target.kind) {
    case Target::Kind::speedup:
      return library && summary.speedup_low >= target.value;
    case Target::Kind::roofline:
      return summary.percent_of_roofline >= target.value;
    case Target::Kind::automatic:
      break;
  }
  return library ? summary.speedup_low > 1.0 : summary.percent_of_roofline >= kDefaultRooflinePercent;
}

json to_json(const EvaluationSummary& summary) {
  json out{{"tier", summary.tier == Tier::screen ? "screen" : "promotion"},
           {"verdict", name_of(summary.verdict)},
           {"kind", summary.kind},
           {"message", summary.message},
           {"flags", summary.flags},
           {"device", summary.device}};
  if (!summary.time) return out;
  out["time"] = {{"median_us", summary.time->median_us},
                 {"low_us", summary.time->low_us},
                 {"high_us", summary.time->high_us},
                 {"samples", summary.time->samples}};
  out["percent_of_roofline"] = summary.percent_of_roofline;
  out["ceiling_measured"] = summary.ceiling_measured;
  if (summary.library.empty()) return out;
  out["library"] = summary.library;
  out["speedup"] = {summary.speedup_low, summary.speedup, summary.speedup_high};
  return out;
}

Result<EvaluationSummary> evaluation_summary_from_json(const json& in) {
  return read_json("evaluation summary", [&] {
    EvaluationSummary out;
    out.tier = in.at("tier").get<std::string>() == "promotion" ? Tier::promotion : Tier::screen;
    const auto verdict = parse_verdict(in.at("verdict").get<std::string>());
    if (!verdict) throw json::other_error::create(501, "verdict is none of the known ones", &in);
    out.verdict = *verdict;
    out.kind = in.value("kind", "");
    out.message = in.value("message", "");
    out.flags = in.value("flags", std::vector<std::string>{});
    out.device = in.value("device", "");
    if (!in.contains("time")) return out;
    const json& time = in.at("time");
    out.time = Interval{time.at("median_us").get<double>(), time.at("low_us").get<double>(),
                        time.at("high_us").get<double>(), time.at("samples").get<int>()};
    out.percent_of_roofline = in.value("percent_of_roofline", 0.0);
    out.ceiling_measured = in.value("ceiling_measured", false);
    if (!in.contains("library")) return out;
    out.library = in.at("library").get<std::string>();
    out.speedup_low = in.at("speedup").at(0).get<double>();
    out.speedup = in.at("speedup").at(1).get<double>();
    out.speedup_high = in.at("speedup").at(2).get<double>();
    return out;
  });
}

}  // namespace kgen::core
