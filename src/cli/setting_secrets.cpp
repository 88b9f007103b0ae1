#include "cli/setting_secrets.hpp"

#include <algorithm>

#include "cli/provider_setup.hpp"
#include "config/setting.hpp"
#include "llm/redact.hpp"

namespace kgen::cli {
namespace {

constexpr std::size_t kShortestKey = 8;  ///< servers that want no key are given "none", "EMPTY" and the like

}  // namespace

Status check_no_secrets(const config::Config& config, const llm::Environment& environment) {
  const auto keys = llm::known_secrets(provider_config(config), environment);
  for (const config::Setting& setting : config::settings()) {
    const std::string text = config::value_text(config, setting);
    const auto holds = [&](const std::string& key) {
      return key.size() >= kShortestKey && text.find(key) != std::string::npos;
    };
    if (std::any_of(keys.begin(), keys.end(), holds))
      return fail(ErrorKind::bad_input,
                  "the setting " + std::string(setting.key) +
                      " holds a key, and settings are kept in run directories",
                  "leave the key in its environment variable; --api-key-env names that");
  }
  if (llm::redact(config.base_url, {}) != config.base_url)
    return fail(ErrorKind::bad_input,
                "the setting base_url holds a password or a key, and settings are kept in run directories",
                "put such an address into OPENAI_BASE_URL or ANTHROPIC_BASE_URL, which are not kept, or the "
                "key into the "
                "variable that --api-key-env names");
  return {};
}

}  // namespace kgen::cli
