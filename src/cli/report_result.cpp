#include "cli/report_result.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "util/file.hpp"
#include "util/terminal.hpp"

namespace kgen::cli {
namespace {

int code_of(core::ExitCode code) {
  return static_cast<int>(code);
}

Status write_stdout(const std::string& text) {
  const bool written =
      std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (written) return {};
  return fail(ErrorKind::missing, std::string("stdout cannot be written: ") + std::strerror(errno));
}

Status write_json(const std::string& path, const std::string& json) {
  if (path.empty() || json.empty()) return {};
  return path == "-" ? write_stdout(json) : util::write_file_atomic(path, json);
}

}  // namespace

void say_error(const Error& error) {
  std::fputs(error_text(error, util::use_color(stderr)).c_str(), stderr);
}

std::string error_text(const Error& error, bool color) {
  std::string text =
      util::paint("kgen:", util::Color::red, color) + " " + util::printable(error.message) + "\n";
  if (!error.hint.empty()) text += "  " + util::printable(error.hint) + "\n";
  return text;
}

int report_result(const Invocation& invocation, const CommandResult& result) {
  Status written = write_json(invocation.json_path, result.json);
  if (written && invocation.json_path != "-") written = write_stdout(result.text);
  if (written) return code_of(result.code);
  say_error(written.error());
  return code_of(core::exit_code_for(written.error().kind));
}

int report_error(const Invocation& invocation, const Error& error) {
  say_error(error);
  const Status written = write_json(invocation.json_path, error_document(invocation.command, error));
  if (!written) say_error(written.error());
  return code_of(core::exit_code_for(error.kind));
}

int report_text(const std::string& text) {
  const Status written = write_stdout(text);
  if (!written) say_error(written.error());
  return written ? 0 : code_of(core::ExitCode::missing);
}

}  // namespace kgen::cli
