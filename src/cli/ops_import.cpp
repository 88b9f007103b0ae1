// kgen ops import: an op folder of a PyTorch module. What is Python's work is done by
// op_import/import_module.py.
#include "cli/ops_import.hpp"

#include <CLI/CLI.hpp>
#include <filesystem>

#include "cli/op_folder.hpp"
#include "cli/setting_flags.hpp"
#include "util/embedded.hpp"
#include "util/file.hpp"
#include "util/interrupt.hpp"
#include "util/json.hpp"
#include "util/subprocess.hpp"

namespace kgen::embedded {
std::span<const util::EmbeddedFile> op_import();
}

namespace kgen::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

struct ImportFlags {
  std::shared_ptr<FlagValues> settings;
  std::string file, module, init, name, folder = ".";
  std::vector<std::string> inputs, constants, dtypes;
  int timeout_s = 900;  ///< torch from a cold disk, then a large module built once
};

/// The importer's command line: what the flags say, in its own words.
std::vector<std::string> importer_command(const ImportFlags& flags, const std::string& python,
                                          const fs::path& script) {
  std::vector<std::string> argv = {python, "-B", script.string(), "--dir=" + flags.folder};
  if (!flags.file.empty()) argv.push_back(flags.file);
  const auto add = [&argv](const char* flag, const std::string& value) {
    if (!value.empty()) argv.push_back(std::string(flag) + "=" + value);
  };
  add("--module", flags.module);
  add("--init", flags.init);
  add("--name", flags.name);
  const auto add_all = [&argv](const char* flag, const std::vector<std::string>& values) {
    if (values.empty()) return;
    argv.emplace_back(flag);
    argv.insert(argv.end(), values.begin(), values.end());
  };
  add_all("--inputs", flags.inputs);
  add_all("--set", flags.constants);
  add_all("--dtype", flags.dtypes);
  return argv;
}

/// What is imported, as the user named it.
const std::string& subject(const ImportFlags& flags) {
  return flags.file.empty() ? flags.module : flags.file;
}

/// The interpreter's end without an answer: whose file it was reading, and what it last said.
std::string importer_ended(const ImportFlags& flags, const std::string& python,
                           const util::CommandOutput& output) {
  const std::string said = output.err.substr(output.err.size() > 500 ? output.err.size() - 500 : 0);
  return subject(flags) + ": " + python + " ended with " + output.status.text() + " while it read this" +
         (said.empty() ? "" : ": " + said);
}

Result<json> run_importer(const ImportFlags& flags, const std::string& python) {
  if (python == "none")
    return fail(ErrorKind::missing, "Python is switched off, and a PyTorch module is read by it",
                "name one that has torch with --python");
  KGEN_TRY(auto folder, util::TemporaryFolder::create("kgen-import"));
  for (const auto& file : embedded::op_import())
    KGEN_CHECK(util::write_file_atomic(folder.path() / fs::path(file.name).filename(), file.text));
  util::SpawnOptions options;
  options.argv = importer_command(flags, python, folder.path() / "import_module.py");
  const auto ran = util::run_command(options, "", std::chrono::seconds(flags.timeout_s), util::interrupted);
  if (!ran) return fail(ran.error().kind, ran.error().message, "--python chooses the interpreter");
  const util::CommandOutput& output = *ran;
  if (output.cancelled) return fail(ErrorKind::interrupted, "interrupted");
  if (output.timed_out)
    return fail(ErrorKind::bad_input,
                subject(flags) + ": was not read within " + std::to_string(flags.timeout_s) +
                    " s: its module does not end, or is large",
                "--timeout allows more seconds");
  json answer = json::parse(output.out, nullptr, false);
  if (!answer.is_object()) return fail(ErrorKind::bad_input, importer_ended(flags, python, output));
  if (!answer.contains("error")) return answer;
  const auto message = answer["error"].get<std::string>();
  const std::string kind = answer.value("kind", "");
  if (kind == "missing") return fail(ErrorKind::missing, message, "name one that has it with --python");
  return fail(ErrorKind::bad_input, message,
              kind == "refused" ? "docs/ops/pytorch.md says what is supported" : "");
}

std::string import_text(const json& answer) {
  const auto folder = answer.at("folder").get<std::string>();
  const std::string shown = is_op_path(folder) ? folder : "./" + folder;
  std::string text = shown + "\n";
  for (const auto& file : answer.at("files")) text += "  " + file.get<std::string>() + "\n";
  for (const auto& note : answer.at("notes")) text += "note: " + note.get<std::string>() + "\n";
  return text + "\nRead op.toml, then\n  kgen ops check " + shown + "\n  kgen generate --op " + shown + "\n";
}

Result<CommandResult> import_op(const ImportFlags& flags) {
  KGEN_TRY(const config::LoadedConfig loaded, load_settings(*flags.settings));
  KGEN_TRY(const json answer,
           run_importer(flags, loaded.config.python.empty() ? "python3" : loaded.config.python));
  // What was written must be readable: a folder that kgen refuses is a defect of the importer.
  const auto folder = answer.at("folder").get<std::string>();
  if (const auto op = read_op_folder(folder); !op) {
    for (const auto& file : answer.at("files")) fs::remove(fs::path(folder) / file.get<std::string>());
    fs::remove(folder);
    return fail(ErrorKind::bad_input, "the importer wrote what kgen does not take: " + op.error().text(),
                "this is a defect of kgen; nothing is left of the folder");
  }
  return CommandResult{core::ExitCode::ok, import_text(answer), document("ops import", answer)};
}

}  // namespace

void add_ops_import(CLI::App& ops, Invocation& invocation) {
  CLI::App* const command =
      add_command(ops, invocation, "import", "Make an operation of a PyTorch module",
                  "  kgen ops import model.py                       Model, get_inputs, get_init_inputs\n"
                  "  kgen ops import model.py --set batch_size=4    a constant of the file changed\n"
                  "  kgen ops import --module my.layers:Norm --init '[512]' --inputs 'x=f32[16,512]'");
  auto flags = std::make_shared<ImportFlags>();
  command->add_option("FILE", flags->file, "Python in KernelBench's convention");
  command->add_option("--module", flags->module, "a class of a package that Python finds, pkg.mod:Class");
  command->add_option("--inputs", flags->inputs,
                      "of its forward: NAME=DTYPE[EXTENT,...], integers with <RANGE");
  command->add_option("--init", flags->init, "arguments of its constructor, a Python list or dict");
  command->add_option("--set", flags->constants, "NAME=VALUE of a constant at the file's top level");
  command->add_option("--dtype", flags->dtypes, "dtypes of the op; the module's own where none is given");
  command->add_option("--name", flags->name, "name of the operation; the file's where none is given");
  command->add_option("--dir", flags->folder, "where the folder is made")->type_name("DIR");
  command->add_option("--timeout", flags->timeout_s, "seconds that reading the module may take")
      ->check(CLI::Range(1, 86400))
      ->capture_default_str();
  flags->settings = add_setting_flags(*command, {"python"});
  command->callback([flags, &invocation] { invocation.run = [flags] { return import_op(*flags); }; });
}

}  // namespace kgen::cli
