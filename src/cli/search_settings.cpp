#include "cli/search_settings.hpp"

#include <algorithm>
#include <limits>

#include "config/setting.hpp"
#include "util/home_folder.hpp"
#include "util/json.hpp"

namespace kgen::cli {
namespace {

int to_int(std::int64_t value) {
  return static_cast<int>(std::min<std::int64_t>(value, std::numeric_limits<int>::max()));
}

template <class T>
std::optional<T> limit(T value) {
  return value > 0 ? std::optional(value) : std::nullopt;
}

}  // namespace

Result<core::SearchOptions> with_settings(core::SearchOptions options, const config::Config& config,
                                          const std::vector<std::string_view>& keys) {
  for (const std::string_view key : keys) {
    if (key == "candidates") options.budget.candidates = to_int(config.candidates);
    if (key == "tokens") options.budget.tokens = limit(config.tokens);
    if (key == "dollars") options.budget.dollars = limit(config.dollars);
    if (key == "minutes") options.budget.minutes = limit(config.minutes);
    if (key == "parallel") options.parallel = to_int(config.parallel);
    if (key == "explore") options.explore = to_int(config.explore);
    if (key == "repairs") options.repairs = to_int(config.repairs);
    if (key == "plateau") options.plateau = to_int(config.plateau);
    if (key == "variants") options.variants = to_int(config.variants);
    if (key == "general") options.general = config.general;
    if (key == "no_diagnosis") options.diagnosis = !config.no_diagnosis;
    if (key == "kernel_timeout") options.kernel_timeout_s = config.kernel_timeout_s;
    if (key == "target") {
      KGEN_TRY(options.target, core::parse_target(config.target));
    }
  }
  return options;
}

std::string run_config_json(const config::Config& config) {
  const config::Config defaults;
  nlohmann::json kept = nlohmann::json::object();
  for (const std::string_view key : together({kWorkerSettings, kProviderSettings, {"prompts"}})) {
    const config::Setting& setting = *config::find_setting(key);
    std::string text = config::value_text(config, setting);
    if (text == config::value_text(defaults, setting)) continue;
    kept[std::string(key)] = util::shorten_home(text);
  }
  return kept.dump();
}

FlagValues run_config_flags(const std::string& json) {
  FlagValues flags;
  const nlohmann::json kept = nlohmann::json::parse(json, nullptr, false);
  if (!kept.is_object()) return flags;
  for (const auto& [key, value] : kept.items())
    if (value.is_string() && config::find_setting(key))
      flags.emplace_back(key, util::expand_home(value.get<std::string>()));
  return flags;
}

}  // namespace kgen::cli
