#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "config/config.hpp"
#include "util/error.hpp"

namespace kgen::config {

/// Where settings come from, weakest first: defaults < files, in their order < environment < flags.
struct ConfigSources {
  std::vector<std::filesystem::path> files;  ///< those that do not exist are passed over
  std::function<std::optional<std::string>(const std::string& name)> environment;
  std::vector<std::pair<std::string, std::string>> flags;  ///< setting's key, text
};

/// A configuration that knows where each of its values came from.
struct LoadedConfig {
  Config config;
  std::map<std::string, std::string>
      origins;  ///< key -> "kgen.toml:3", "KGEN_DEVICE", "--device"; absent: the default
  std::vector<std::filesystem::path> files_read;
};

/// Errors: bad_input naming the file and line, the variable or the flag, and what was expected.
Result<LoadedConfig> load_config(const ConfigSources& sources);

/// $XDG_CONFIG_HOME/kgen/kgen.toml (or ~/.config/kgen/kgen.toml), then ./kgen.toml, which wins over it.
std::vector<std::filesystem::path> config_files(
    const std::function<std::optional<std::string>(const std::string& name)>& environment);

}  // namespace kgen::config
