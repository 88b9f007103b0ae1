#pragma once

#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "config/config.hpp"
#include "util/error.hpp"

namespace kgen::config {

/// One member of Config under the name that kgen.toml (`kernel_timeout`), the environment
/// (KGEN_KERNEL_TIMEOUT) and the command line (--kernel-timeout) give it.
struct Setting {
  using Member =
      std::variant<std::string Config::*, std::int64_t Config::*, double Config::*, bool Config::*>;
  std::string_view key;
  Member member;
  std::string_view placeholder;  ///< of the value in --help: "DIR"; empty for switches
  std::string_view help;
  double minimum = 0;  ///< least legal number; of no meaning for words and switches
};

/// The explicit table of all settings.
std::span<const Setting> settings();
const Setting* find_setting(std::string_view key);

std::string environment_name(const Setting& setting);
std::string flag_name(const Setting& setting);

/// A value as TOML has it; text from the environment or the command line is parsed by `parse_value`.
using Value = std::variant<std::string, std::int64_t, double, bool>;

/// Puts `value` where the setting belongs. Errors: bad_input "KEY expects ..., not VALUE", without the place.
Status apply(Config& config, const Setting& setting, const Value& value);
/// Reads `text` in the setting's own type. Errors: as apply.
Result<Value> parse_value(const Setting& setting, std::string_view text);
/// The setting's value in `config`, as a person would write it; empty where not set.
std::string value_text(const Config& config, const Setting& setting);

}  // namespace kgen::config
