#include "harness/compile/result_diagnostics.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include "harness/compile/source_rules.hpp"
#include "harness/compile/source_text.hpp"

namespace kgen::compile {
namespace {

constexpr std::size_t kMostDiagnostics = 50;

bool is_kgens_own(const std::string& file) {
  return file == kPreambleFile || file.starts_with(kProbeFilePrefix) || file == "__nv_name_map";
}

bool is_error(const LogMessage& message) {
  return message.severity == "error";
}

/// The candidate's only line that has the instruction at `ptx_line` of `ptx`; 0 where there is none or more
/// than one.
int line_of_instruction(const std::string& source, const std::string& statement) {
  const std::size_t start = statement.find_first_not_of(" \t{@");
  if (start == std::string::npos) return 0;
  const std::string word = statement.substr(start, statement.find_first_of(" \t;,", start) - start);
  if (word.size() < 3) return 0;
  const std::size_t at = source.find(word);
  if (at == std::string::npos || source.find(word, at + 1) != std::string::npos) return 0;
  return 1 +
         static_cast<int>(std::count(source.begin(), source.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

core::Diagnostic diagnostic_of(const LogMessage& message, const CompileRequest& request,
                               const std::string& ptx,
                               const std::function<std::string(const std::string&)>& short_name) {
  core::Diagnostic diagnostic;
  diagnostic.severity = message.severity;
  diagnostic.line = message.candidate_line;
  diagnostic.message = printable_utf8(message.message.substr(0, 2000));
  if (!message.file.empty() && message.file != kCandidateFile) {
    diagnostic.message = "in " + short_name(message.file) + ", line " + std::to_string(message.line) + ": " +
                         diagnostic.message;
  }
  if (message.ptx_line > 0) {
    const std::string statement = source_line(ptx, message.ptx_line);
    diagnostic.line = line_of_instruction(request.source, statement);
    const std::size_t start = statement.find_first_not_of(" \t");
    if (start != std::string::npos)
      diagnostic.message += ", in the PTX statement `" + statement.substr(start) + "`";
  }
  return diagnostic;
}

/// The kernel that a probe's error is about: kgen-kernel-N.
std::optional<std::size_t> probed_kernel(const LogMessage& message) {
  if (!message.file.starts_with(kProbeFilePrefix)) return std::nullopt;
  std::size_t index = 0;
  const std::string_view digits = std::string_view(message.file).substr(kProbeFilePrefix.size());
  std::from_chars(digits.data(), digits.data() + digits.size(), index);
  return index;
}

void explain_probe_error(const LogMessage& message, const std::string& kernel, const std::string& source,
                         CompileResult& result) {
  const bool is_template = message.message.find("function template") != std::string::npos;
  const bool overloaded = message.message.find("overloaded function") != std::string::npos;
  if (is_template) {
    result.failure = CompileFailure::kernel_ambiguous;
    result.message = "'" + kernel + "' is a template: name its arguments too, as in " + kernel + "<128>";
  } else if (overloaded) {
    result.failure = CompileFailure::kernel_ambiguous;
    result.message = "'" + kernel +
                     "' is overloaded: give the kernel a name of its own (CUDA's own headers may have a "
                     "function of that name)";
  } else {
    result.failure = CompileFailure::kernel_missing;
    result.message = "the plan's kernel '" + kernel + "' is not in the source (" +
                     printable_utf8(message.message.substr(0, 200)) + "); " + existing_kernels(source);
  }
}

}  // namespace

std::vector<core::Diagnostic> candidate_diagnostics(
    const CompilerLog& log, const CompileRequest& request, const std::string& ptx,
    const std::function<std::string(const std::string&)>& short_name) {
  std::vector<core::Diagnostic> diagnostics;
  const bool has_error = std::any_of(log.messages.begin(), log.messages.end(), is_error);
  for (const LogMessage& message : log.messages) {
    const bool stated_again = has_error && message.message.find("assembly aborted") != std::string::npos;
    if (is_kgens_own(message.file) || stated_again || diagnostics.size() >= kMostDiagnostics) continue;
    if (message.message.find("The warnings can be suppressed") != std::string::npos) continue;
    diagnostics.push_back(diagnostic_of(message, request, ptx, short_name));
  }
  return diagnostics;
}

void explain_failure(const CompilerLog& log, const CompileRequest& request, CompileResult& result) {
  result.failure = CompileFailure::compile_error;
  const bool own_error = std::any_of(result.diagnostics.begin(), result.diagnostics.end(),
                                     [](const core::Diagnostic& d) { return d.severity == "error"; });
  if (own_error) return;
  for (const LogMessage& message : log.messages) {
    const std::optional<std::size_t> index = probed_kernel(message);
    if (is_error(message) && index && *index < request.kernels.size()) {
      return explain_probe_error(message, request.kernels[*index], request.source, result);
    }
  }
  for (const LogMessage& message : log.messages) {
    if (!is_error(message)) continue;
    if (message.file == "__nv_name_map") {
      result.failure = CompileFailure::kernel_missing;
      result.message = "a kernel of the plan is no __global__ function (" +
                       printable_utf8(message.message.substr(0, 300)) + "); " +
                       existing_kernels(request.source);
    } else {
      result.message = "in kgen's own lines: " + printable_utf8(message.message.substr(0, 300));
    }
    return;
  }
}

void complete_diagnostics(const std::string& source, CompileResult& result) {
  std::size_t errors = 0;
  const core::Diagnostic* first = nullptr;
  for (core::Diagnostic& diagnostic : result.diagnostics) {
    if (diagnostic.line > 0) diagnostic.source_line = source_line(source, diagnostic.line);
    if (diagnostic.severity != "error") continue;
    if (++errors == 1) first = &diagnostic;
  }
  if (result.ok || first == nullptr || result.failure == CompileFailure::kernel_missing) return;
  if (!result.message.empty() && result.failure != CompileFailure::compile_error) return;
  result.message = (first->line > 0 ? "line " + std::to_string(first->line) + ": " : "") + first->message;
  if (errors > 1) result.message += " (and " + std::to_string(errors - 1) + " more)";
}

std::string existing_kernels(const std::string& source) {
  const std::vector<std::string> names = global_functions(source);
  if (names.empty()) return "the source has no __global__ function";
  std::string text = "its __global__ functions are: ";
  for (std::size_t i = 0; i < names.size(); ++i) text += (i == 0 ? "" : ", ") + names[i];
  return text;
}

}  // namespace kgen::compile
