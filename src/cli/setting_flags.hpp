#pragma once

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "config/load_config.hpp"

namespace CLI {
class App;
}

namespace kgen::cli {

/// The settings given as flags on this command line, filled when it is parsed.
using FlagValues = std::vector<std::pair<std::string, std::string>>;

/// Adds a flag for each of `keys` (names of config/setting.cpp's table).
std::shared_ptr<FlagValues> add_setting_flags(CLI::App& command, const std::vector<std::string_view>& keys);

/// Defaults < kgen.toml files < environment < `flags`.
Result<config::LoadedConfig> load_settings(const FlagValues& flags);

// Groups of settings that several commands take.
extern const std::vector<std::string_view> kWorkerSettings;
extern const std::vector<std::string_view> kProviderSettings;
extern const std::vector<std::string_view> kSearchSettings;

/// All keys of several groups.
std::vector<std::string_view> together(std::initializer_list<std::vector<std::string_view>> groups);

}  // namespace kgen::cli
