#pragma once

#include "config/config.hpp"
#include "llm/client.hpp"
#include "llm/http_provider.hpp"

namespace kgen::cli {

/// Settings are written into run directories, so none may hold a secret. Errors: bad_input where one holds
/// the value of a key's variable, or where the base URL holds a password or a parameter that sounds like a
/// key; the message names the setting and not the secret.
Status check_no_secrets(const config::Config& config, const llm::Environment& environment);

}  // namespace kgen::cli
