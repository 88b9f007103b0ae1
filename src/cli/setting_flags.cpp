#include "cli/setting_flags.hpp"

#include <CLI/CLI.hpp>

#include "cli/setting_secrets.hpp"
#include "config/setting.hpp"
#include "llm/provider_config.hpp"

namespace kgen::cli {

const std::vector<std::string_view> kWorkerSettings = {
    "device", "arch", "worker", "worker_timeout", "compile_jobs", "python", "kernel_timeout"};
const std::vector<std::string_view> kProviderSettings = {
    "provider",    "model",          "base_url",        "command",           "transcript",
    "api_key_env", "api_key_header", "effort",          "max_output_tokens", "token_field",
    "system_role", "extra_body",     "no_prompt_cache", "idle_timeout",      "models_file"};
const std::vector<std::string_view> kSearchSettings = {"candidates", "tokens",   "dollars",  "minutes",
                                                       "target",     "variants", "parallel", "explore",
                                                       "repairs",    "plateau",  "general",  "no_diagnosis"};

std::shared_ptr<FlagValues> add_setting_flags(CLI::App& command, const std::vector<std::string_view>& keys) {
  auto values = std::make_shared<FlagValues>();
  for (const std::string_view key : keys) {
    const config::Setting* setting = config::find_setting(key);
    if (!setting) throw std::logic_error("no setting is named " + std::string(key));
    const std::string flag = config::flag_name(*setting), help(setting->help);
    if (setting->placeholder.empty()) {
      command.add_flag_callback(flag, [values, key] { values->emplace_back(key, "true"); }, help);
    } else {
      const auto keep = [values, key](const std::string& text) { values->emplace_back(key, text); };
      command.add_option_function<std::string>(flag, keep, help)
          ->type_name(std::string(setting->placeholder));
    }
  }
  return values;
}

Result<config::LoadedConfig> load_settings(const FlagValues& flags) {
  const auto environment = llm::process_environment();
  KGEN_TRY(config::LoadedConfig loaded,
           config::load_config({config::config_files(environment), environment, flags}));
  KGEN_CHECK(check_no_secrets(loaded.config, environment));
  return loaded;
}

std::vector<std::string_view> together(std::initializer_list<std::vector<std::string_view>> groups) {
  std::vector<std::string_view> keys;
  for (const auto& group : groups) keys.insert(keys.end(), group.begin(), group.end());
  return keys;
}

}  // namespace kgen::cli
