#include "report/evaluation_data.hpp"

#include "report/number_text.hpp"
#include "util/json.hpp"

namespace kgen::report {
namespace {

using nlohmann::json;

const char* state_name(core::Check::State state) {
  switch (state) {
    case core::Check::State::passed:
      return "passed";
    case core::Check::State::failed:
      return "failed";
    case core::Check::State::skipped:
      return "not run";
  }
  return "";
}

json mismatch_data(const core::Mismatch& mismatch) {
  json worst = json::array();
  for (const core::WrongElement& element : mismatch.worst)
    worst.push_back({element_name(element), significant(element.expected, 8), significant(element.got, 8),
                     significant(element.tolerance)});
  return {{"summary", mismatch_summary(mismatch)}, {"worst", worst}};
}

json check_data(const core::Check& check, StringTable& strings) {
  json row{strings.place_of(check.name),
           strings.place_of(state_name(check.state)),
           strings.place_of(shape_of(check)),
           strings.place_of(check.distribution),
           strings.place_of(error_ratio_text(check.worst_ratio)),
           std::to_string(check.seed),
           strings.place_of(check.detail)};
  if (check.mismatch) row.push_back(mismatch_data(*check.mismatch));
  return row;
}

json diagnostic_data(const core::Diagnostic& diagnostic) {
  return {{"severity", diagnostic.severity},
          {"line", diagnostic.line},
          {"message", diagnostic.message},
          {"source", diagnostic.source_line}};
}

}  // namespace

json facts_data(const Facts& facts) {
  json out = json::array();
  for (const auto& [label, text] : facts) out.push_back({label, text});
  return out;
}

json evaluation_data(const core::Evaluation& evaluation, StringTable& strings) {
  json out{{"tier", evaluation.tier == core::Tier::promotion ? "promotion" : "screen"},
           {"verdict", core::name_of(evaluation.verdict)},
           {"tone", tone_of(evaluation.verdict)},
           {"kind", evaluation.kind},
           {"message", evaluation.message},
           {"facts", facts_data(facts_of(evaluation))},
           {"diagnostics", json::array()},
           {"checks", json::array()},
           {"output", evaluation.kernel_output}};
  for (const core::Diagnostic& diagnostic : evaluation.compile.diagnostics)
    out["diagnostics"].push_back(diagnostic_data(diagnostic));
  for (const core::Check& check : evaluation.checks) out["checks"].push_back(check_data(check, strings));
  return out;
}

const char* tone_of(core::Verdict verdict) {
  if (verdict == core::Verdict::correct) return "good";
  const bool said_nothing = verdict == core::Verdict::not_run || verdict == core::Verdict::not_emulated ||
                            verdict == core::Verdict::not_covered ||
                            verdict == core::Verdict::unsupported_arch;
  return said_nothing ? "neutral" : "bad";
}

}  // namespace kgen::report
