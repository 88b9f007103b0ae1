// kgen doctor: what is there, what is missing, and what to do about it.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>

#include "cli/command.hpp"
#include "cli/doctor_text.hpp"
#include "cli/evaluation_text.hpp"
#include "cli/number_text.hpp"
#include "cli/provider_setup.hpp"
#include "cli/setting_flags.hpp"
#include "cli/version.hpp"
#include "cli/worker_setup.hpp"
#include "config/setting.hpp"
#include "llm/redact.hpp"
#include "util/closest_names.hpp"
#include "util/json.hpp"
#include "util/terminal.hpp"

namespace kgen::cli {
namespace {

core::ToolReport device_line(const core::DeviceFacts& device) {
  core::ToolReport line{"device", device.kind == core::DeviceKind::cuda, device_title(device), {}};
  if (device.memory_bytes > 0)
    line.text += ", " + bytes_text(device.memory_bytes) + ", " + std::to_string(device.num_sms) + " SMs";
  if (device.measured_copy_gbs > 0)
    line.text += ", copies at " + significant(device.measured_copy_gbs) + " GB/s (measured)";
  if (!line.ok)
    line.advice =
        std::string(device.kind == core::DeviceKind::emulator ? "kernels run on the CPU and are not timed"
                                                              : "kernels are compiled, not run") +
        "; name a worker on a machine with a GPU: --worker 'ssh HOST "
        "kgen-worker'";
  return line;
}

/// What a worker on the configured device says; where that one is not to be had, what one without a device
/// says.
DoctorSection worker_section(config::Config config) {
  DoctorSection section{"worker", {}};
  auto worker = start_worker(config);
  if (!worker && config.device != "none") {
    section.lines.push_back({"device " + config.device, false, worker.error().message, worker.error().hint});
    config.device = "none";
    worker = start_worker(config);
  }
  if (!worker) {
    section.lines.push_back({"kgen-worker", false, worker.error().message, worker.error().hint});
    return section;
  }
  const core::HelloReply& hello = worker->hello;
  section.lines.insert(section.lines.begin(), {"kgen-worker", true, hello.worker_version, {}});
  section.lines.push_back(device_line(hello.device));
  section.lines.insert(section.lines.end(), hello.tools.begin(), hello.tools.end());
  return section;
}

core::ToolReport key_line(const llm::KeyStatus& key) {
  return {"key", key.is_set || !key.needed,
          key.variable + (key.is_set   ? " is set"
                          : key.needed ? " is not set"
                                       : " is not set, and not needed"),
          "export " + key.variable + "=..."};
}

/// Variables of the way to the provider that are set: a wrong one is a common reason for no answer.
void add_network_lines(const llm::Environment& environment, DoctorSection& section) {
  for (const char* name : {"HTTPS_PROXY", "https_proxy", "http_proxy", "ALL_PROXY", "all_proxy", "NO_PROXY",
                           "no_proxy", "CURL_CA_BUNDLE", "SSL_CERT_FILE", "SSL_CERT_DIR"}) {
    const auto value = environment(name);
    if (!value) continue;
    core::ToolReport line{name, true, llm::redact(*value, {}), {}};
    const std::string_view kind = name;
    std::error_code ignored;
    if ((kind.starts_with("SSL_") || kind.starts_with("CURL_")) &&
        !std::filesystem::exists(*value, ignored)) {
      line.ok = false;
      line.advice = "no such file: unset it, or name the certificates that the provider's address needs";
    }
    section.lines.push_back(std::move(line));
  }
}

DoctorSection provider_section(const config::Config& config) {
  const llm::Environment environment = llm::process_environment();
  const llm::ProviderConfig provider = provider_config(config);
  DoctorSection section{"model provider", {}};
  const auto chosen = llm::choose_provider(provider, environment);
  section.lines.push_back(chosen
                              ? core::ToolReport{"used", true, *chosen, {}}
                              : core::ToolReport{"used", false, chosen.error().message, chosen.error().hint});
  for (const std::string& name :
       chosen ? std::vector{*chosen} : std::vector<std::string>{"anthropic", "openai"}) {
    const llm::KeyStatus key = llm::key_status(name, provider, environment);
    if (!key.variable.empty()) section.lines.push_back(key_line(key));
  }
  add_network_lines(environment, section);
  return section;
}

/// Variables that look like settings and are none: a misspelt one has no effect.
void add_unknown_variables(DoctorSection& section) {
  std::vector<std::string> known;
  for (const auto& setting : config::settings()) known.push_back(config::environment_name(setting));
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    const std::string name(text.substr(0, text.find('=')));
    if (!name.starts_with("KGEN_") || std::ranges::find(known, name) != known.end()) continue;
    section.lines.push_back(
        {name, false, "is set, and names no setting",
         "unset it, or rename it: the nearest are " + util::closest_names(name, known, 3)});
  }
}

DoctorSection config_section(const config::LoadedConfig& loaded) {
  DoctorSection section{"configuration", {}};
  for (const auto& file : loaded.files_read) section.lines.push_back({"file", true, file.string(), {}});
  for (const auto& setting : config::settings()) {
    const auto origin = loaded.origins.find(std::string(setting.key));
    if (origin != loaded.origins.end())
      section.lines.push_back({std::string(setting.key),
                               true,
                               config::value_text(loaded.config, setting) + " (" + origin->second + ")",
                               {}});
  }
  add_unknown_variables(section);
  if (section.lines.empty())
    section.lines.push_back({"defaults", true, "no kgen.toml, no KGEN_ variable is set", {}});
  return section;
}

bool can_compile(const DoctorSection& worker) {
  return std::none_of(worker.lines.begin(), worker.lines.end(), [](const core::ToolReport& line) {
    return !line.ok && (line.name == "kgen-worker" || line.name == "NVRTC");
  });
}

nlohmann::json to_json(const std::vector<DoctorSection>& sections) {
  nlohmann::json document = nlohmann::json::object();
  for (const auto& section : sections)
    for (const auto& line : section.lines)
      document[section.title].push_back(
          {{"name", line.name}, {"ok", line.ok}, {"text", line.text}, {"advice", line.advice}});
  return document;
}

Result<CommandResult> run_doctor(const FlagValues& flags) {
  KGEN_TRY(const config::LoadedConfig loaded, load_settings(flags));
  const std::vector<DoctorSection> sections = {worker_section(loaded.config), provider_section(loaded.config),
                                               config_section(loaded)};
  CommandResult result;
  result.code = can_compile(sections.front()) ? core::ExitCode::ok : core::ExitCode::missing;
  result.text = std::string("kgen ") + kVersion + "\n\n" + doctor_text(sections, util::use_color(stdout));
  result.json = document(
      "doctor",
      {{"version", kVersion}, {"sections", to_json(sections)}, {"exit_code", static_cast<int>(result.code)}});
  return result;
}

}  // namespace

void add_doctor(CLI::App& root, Invocation& invocation) {
  CLI::App* const command =
      add_command(root, invocation, "doctor", "Say what is there, what is missing and what to do",
                  "  kgen doctor\n  kgen doctor --worker 'ssh gpubox kgen-worker'");
  const auto flags = add_setting_flags(
      *command, together({kWorkerSettings, kProviderSettings, kSearchSettings, {"runs", "prompts", "ops"}}));
  command->callback([flags, &invocation] { invocation.run = [flags] { return run_doctor(*flags); }; });
}

}  // namespace kgen::cli
