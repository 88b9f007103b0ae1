#include "report/sweep_data.hpp"

#include <algorithm>
#include <cmath>

#include "report/evaluation_data.hpp"
#include "report/number_text.hpp"
#include "report/sweep_words.hpp"
#include "util/json.hpp"

namespace kgen::report {
namespace {

using nlohmann::json;

/// Names of all tunables; every variant of a plan has the same.
std::vector<std::string> tunable_names(const core::SweepReply& reply) {
  std::vector<std::string> names;
  if (reply.variants.empty()) return names;
  for (const auto& [name, value] : reply.variants.front().variant) names.push_back(name);
  return names;
}

json values_of(const core::SweptVariant& variant, const std::vector<std::string>& names) {
  json values = json::array();
  for (const std::string& name : names) {
    const auto at = variant.variant.find(name);
    values.push_back(at == variant.variant.end() ? json() : json(at->second));
  }
  return values;
}

json known(std::int64_t count) {
  return count < 0 ? json() : json(count);
}

/// Nanoseconds are enough for a chart, and short.
double to_nanoseconds(double us) {
  return std::round(us * 1000) / 1000;
}

json variant_row(const core::SweptVariant& variant, const core::SweepRecord& sweep,
                 const std::vector<std::string>& names, StringTable& strings) {
  const auto text = [&](const std::string& words) { return strings.place_of(words); };
  json row{values_of(variant, names),
           text(verdict_words(variant)),
           text(tone_of(variant.verdict)),
           text(role_words(role_of(variant, sweep))),
           variant.time ? interval_text(*variant.time) : "",
           known(variant.registers),
           known(variant.spill_bytes),
           text(variant.message)};
  if (variant.time)
    for (const double us : {variant.time->median_us, variant.time->low_us, variant.time->high_us})
      row.push_back(to_nanoseconds(us));
  return row;
}

}  // namespace

json sweep_data(const core::SweepRecord& sweep, StringTable& strings) {
  const std::vector<std::string> names = tunable_names(sweep.reply), varied = varied_tunables(sweep.reply);
  json data{{"sentence", sweep_sentence(sweep)},
            {"tunables", names},
            {"varied", json::array()},
            {"rows", json::array()}};
  for (std::size_t i = 0; i < names.size(); ++i)
    if (std::find(varied.begin(), varied.end(), names[i]) != varied.end()) data["varied"].push_back(i);
  for (const core::SweptVariant* variant : by_speed(sweep.reply))
    data["rows"].push_back(variant_row(*variant, sweep, names, strings));
  return data;
}

}  // namespace kgen::report
