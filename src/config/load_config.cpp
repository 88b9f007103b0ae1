#include "config/load_config.hpp"

#include "config/config_file.hpp"
#include "config/setting.hpp"
#include "util/file.hpp"

namespace kgen::config {
namespace {

Status set_value(LoadedConfig& loaded, const Setting& setting, const Result<Value>& value,
                 const std::string& origin) {
  Status status =
      value ? apply(loaded.config, setting, *value) : Status(tl::unexpected<Error>(value.error()));
  if (!status) return fail(ErrorKind::bad_input, origin + ": " + status.error().message, status.error().hint);
  loaded.origins[std::string(setting.key)] = origin;
  return {};
}

Status read_file_layer(LoadedConfig& loaded, const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return {};
  KGEN_TRY(const std::string text, util::read_file(path));
  KGEN_TRY(const std::vector<FileEntry> entries, parse_config_file(text, path.string()));
  for (const FileEntry& entry : entries)
    KGEN_CHECK(
        set_value(loaded, *entry.setting, entry.value, path.string() + ":" + std::to_string(entry.line)));
  loaded.files_read.push_back(path);
  return {};
}

}  // namespace

Result<LoadedConfig> load_config(const ConfigSources& sources) {
  LoadedConfig loaded;
  for (const auto& path : sources.files) KGEN_CHECK(read_file_layer(loaded, path));
  for (const Setting& setting : settings()) {
    const std::string name = environment_name(setting);
    const std::optional<std::string> text = sources.environment ? sources.environment(name) : std::nullopt;
    if (text) KGEN_CHECK(set_value(loaded, setting, parse_value(setting, *text), name));
  }
  for (const auto& [key, text] : sources.flags) {
    const Setting* setting = find_setting(key);
    if (!setting) return fail(ErrorKind::internal, "no setting is named '" + key + "'");
    KGEN_CHECK(set_value(loaded, *setting, parse_value(*setting, text), flag_name(*setting)));
  }
  return loaded;
}

std::vector<std::filesystem::path> config_files(
    const std::function<std::optional<std::string>(const std::string& name)>& environment) {
  std::vector<std::filesystem::path> files;
  if (const auto folder = environment("XDG_CONFIG_HOME"))
    files.push_back(std::filesystem::path(*folder) / "kgen" / "kgen.toml");
  else if (const auto home = environment("HOME"))
    files.push_back(std::filesystem::path(*home) / ".config" / "kgen" / "kgen.toml");
  files.emplace_back("kgen.toml");
  return files;
}

}  // namespace kgen::config
