#pragma once

#include "cli/setting_flags.hpp"
#include "core/run_record.hpp"

namespace kgen::cli {

/// `options` with the search settings among `keys` replaced by the configuration's. Errors: bad_input for a
/// target that does not parse.
Result<core::SearchOptions> with_settings(core::SearchOptions options, const config::Config& config,
                                          const std::vector<std::string_view>& keys);

/// What run.json keeps of the configuration, so that `kgen resume` needs no flags: a JSON object of the
/// settings that differ from their defaults. Holds no secret: there is none among the settings.
std::string run_config_json(const config::Config& config);
/// The same as flags, to be put before those of the command line. Unknown keys (of a later kgen) are passed
/// over.
FlagValues run_config_flags(const std::string& json);

}  // namespace kgen::cli
