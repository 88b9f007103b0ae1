#include "harness/compile/compiler_log.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include "harness/compile/ptxas_log.hpp"
#include "harness/compile/source_text.hpp"

namespace kgen::compile {
namespace {

constexpr std::size_t kMostMessages = 200;

int number_at(std::string_view text) {
  int value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// "error: x", "warning #177-D: x", "catastrophic error: x" -> severity and message.
bool read_severity(std::string_view text, LogMessage& message) {
  for (const auto& [word, severity] :
       {std::pair{"catastrophic error", "error"}, std::pair{"internal error", "error"},
        std::pair{"error", "error"}, std::pair{"warning", "warning"}, std::pair{"remark", "note"},
        std::pair{"note", "note"}, std::pair{"Error", "error"}, std::pair{"Warning", "warning"}}) {
    if (!text.starts_with(word)) continue;
    const std::size_t colon = text.find(": ");
    const std::string_view between =
        text.substr(std::string_view(word).size(), colon - std::string_view(word).size());
    if (colon == std::string_view::npos || between.size() > 16 ||
        (!between.empty() && !between.starts_with(" #"))) {
      return false;
    }
    message.severity = severity;
    message.message = std::string(text.substr(colon + 2));
    return true;
  }
  return false;
}

/// A line that begins a message: "FILE(LINE): error: ..." or "error: ...".
std::optional<LogMessage> read_head(std::string_view line) {
  LogMessage message;
  if (line.starts_with("nvrtc: ")) line.remove_prefix(std::string_view("nvrtc: ").size());
  if (read_severity(line, message)) return message;
  for (std::size_t close = line.find("): "); close != std::string_view::npos;
       close = line.find("): ", close + 1)) {
    const std::size_t open = line.rfind('(', close);
    if (open == std::string_view::npos || open == 0) continue;
    const std::string_view number = line.substr(open + 1, close - open - 1);
    const bool digits = !number.empty() && number.find_first_not_of("0123456789") == std::string_view::npos;
    if (!digits || !read_severity(line.substr(close + 3), message)) continue;
    message.file = std::string(line.substr(0, open));
    message.line = number_at(number);
    return message;
  }
  return read_ptxas_message(line);
}

/// "… at line 12 of kernel.cu" or, in messages about the candidate itself, "… at line 12".
int instantiated_at(std::string_view text, bool in_candidate) {
  int found = 0;
  constexpr std::string_view kAtLine = "at line ";
  for (std::size_t at = text.find(kAtLine); at != std::string_view::npos; at = text.find(kAtLine, at + 1)) {
    const std::size_t end = text.find_first_not_of("0123456789", at + kAtLine.size());
    const std::string_view behind = end == std::string_view::npos ? "" : text.substr(end);
    const bool of_file = behind.starts_with(" of ");
    if (of_file ? behind.starts_with(" of " + std::string(kCandidateFile)) : in_candidate) {
      found = number_at(text.substr(at + kAtLine.size()));
    }
  }
  return found;
}

std::string replaced_all(std::string text, const std::string& from, const std::string& to) {
  if (from.empty() || from == to) return text;
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

}  // namespace

CompilerLog parse_compiler_log(std::string_view log, const std::function<bool(const std::string&)>& may_show,
                               const std::function<std::string(const std::string&)>& short_name) {
  CompilerLog parsed;
  bool group_shown = true;
  PtxasReader ptxas(parsed.functions, parsed.performance_warnings);
  const auto add_line = [&](std::string_view line) {
    if (parsed.text.size() < (std::size_t{1} << 20)) parsed.text.append(line).push_back('\n');
  };
  for (std::size_t at = 0; at < log.size();) {
    const std::size_t end = std::min(log.find('\n', at), log.size());
    const std::string_view line = log.substr(at, std::min<std::size_t>(end - at, 4000));
    at = end + 1;
    if (ptxas.read(line)) continue;
    std::optional<LogMessage> head = read_head(line);
    if (head) {
      group_shown = head->file.empty() || may_show(head->file);
      if (!group_shown) {
        head->message = "a file outside the include folders was named; its content is not shown";
        head->file.clear();
        add_line(head->message);
      } else {
        add_line(replaced_all(std::string(line), head->file, short_name(head->file)));
      }
      if (parsed.messages.size() < kMostMessages) parsed.messages.push_back(std::move(*head));
      continue;
    }
    if (line.find(" detected in the compilation of ") != std::string_view::npos) group_shown = true;
    if (!group_shown) continue;
    if (!parsed.messages.empty() && parsed.messages.back().text.size() < 4000) {
      parsed.messages.back().text.append(line).push_back('\n');
    }
    add_line(line);
  }
  for (LogMessage& message : parsed.messages) {
    const bool own = message.file == kCandidateFile;
    message.candidate_line = own ? message.line : instantiated_at(message.text, false);
  }
  parsed.text = printable_utf8(parsed.text);
  return parsed;
}

std::string bounded_log(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  const std::size_t end = text.rfind('\n', most);
  const std::size_t kept = end == std::string_view::npos ? most : end + 1;
  return printable_utf8(text.substr(0, kept)) + "... (" + std::to_string(text.size() - kept) +
         " more bytes)\n";
}

}  // namespace kgen::compile
