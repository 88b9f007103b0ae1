#include "harness/compile/ptxas_log.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace kgen::compile {
namespace {

constexpr std::size_t kMostWarnings = 50;

/// The number in front of `unit` in "…, 16384 bytes smem, …"; -1 where there is none.
std::int64_t number_before(std::string_view line, std::string_view unit) {
  const std::size_t at = line.find(unit);
  if (at == std::string_view::npos) return -1;
  std::size_t start = at;
  while (start > 0 && line[start - 1] >= '0' && line[start - 1] <= '9') --start;
  std::int64_t value = -1;
  std::from_chars(line.data() + start, line.data() + at, value);
  return value;
}

std::string quoted(std::string_view line) {
  const std::size_t open = line.find('\'');
  const std::size_t close = line.find('\'', open + 1);
  if (open == std::string_view::npos || close == std::string_view::npos) return {};
  return std::string(line.substr(open + 1, close - open - 1));
}

std::int64_t or_zero(std::int64_t value) {
  return std::max<std::int64_t>(value, 0);
}

/// Sum of all "N bytes cmem[i]".
std::int64_t constant_bytes(std::string_view line) {
  constexpr std::string_view kUnit = " bytes cmem[";
  std::int64_t sum = 0;
  for (std::size_t at = line.find(kUnit); at != std::string_view::npos; at = line.find(kUnit, at + 1)) {
    std::size_t start = at;
    while (start > 0 && line[start - 1] >= '0' && line[start - 1] <= '9') --start;
    std::int64_t value = 0;
    std::from_chars(line.data() + start, line.data() + at, value);
    sum += value;
  }
  return sum;
}

/// "(C7510)" and the like: ptxas numbers what it wants programmers to know.
bool has_code(std::string_view line) {
  const std::size_t at = line.find("(C7");
  return at != std::string_view::npos && line.find(')', at) == at + 6;
}

std::string_view behind_colon(std::string_view line) {
  const std::size_t colon = line.find(": ");
  return colon == std::string_view::npos ? line : line.substr(colon + 2);
}

}  // namespace

bool PtxasReader::read(std::string_view line) {
  if (!line.starts_with("ptxas")) return false;
  if (has_code(line) && line.find("error") == std::string_view::npos) {
    std::string text(behind_colon(line));
    const bool known = std::find(performance_warnings_.begin(), performance_warnings_.end(), text) !=
                       performance_warnings_.end();
    if (!known && performance_warnings_.size() < kMostWarnings)
      performance_warnings_.push_back(std::move(text));
    return false;  // shown too
  }
  if (line.find("Compiling entry function") != std::string_view::npos) {
    entry_ = function_ = quoted(line);
    functions_[entry_];
  } else if (const std::size_t at = line.find("Function properties for "); at != std::string_view::npos) {
    function_ = std::string(line.substr(at + std::string_view("Function properties for ").size()));
  } else if (line.find("bytes stack frame") != std::string_view::npos) {
    PtxasFacts& facts = functions_[function_];
    facts.stack_bytes = number_before(line, " bytes stack frame");
    facts.spill_store_bytes = number_before(line, " bytes spill stores");
    facts.spill_load_bytes = number_before(line, " bytes spill loads");
  } else if (line.find("Used ") != std::string_view::npos &&
             line.find(" registers") != std::string_view::npos) {
    PtxasFacts& facts = functions_[entry_];
    facts.registers = number_before(line, " registers");
    facts.barriers = or_zero(number_before(line, " barriers"));
    facts.static_shared_bytes = or_zero(number_before(line, " bytes smem"));
    facts.constant_bytes = constant_bytes(line);
  }
  return line.starts_with("ptxas info") || line.starts_with("ptxas         .");
}

std::optional<LogMessage> read_ptxas_message(std::string_view line) {
  if (!line.starts_with("ptxas")) return std::nullopt;
  LogMessage message;
  std::string_view rest = line.substr(5);
  constexpr std::string_view kLine = ", line ";
  if (const std::size_t at = line.find(kLine); at != std::string_view::npos) {
    const std::size_t semicolon = line.find("; ", at);
    if (semicolon != std::string_view::npos) {
      std::from_chars(line.data() + at + kLine.size(), line.data() + semicolon, message.ptx_line);
      rest = line.substr(semicolon + 1);
    }
  }
  while (rest.starts_with(' ')) rest.remove_prefix(1);
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kWords{
      {{"fatal", "error"}, {"error", "error"}, {"warning", "warning"}, {"info", "note"}}};
  for (const auto& [word, severity] : kWords) {
    if (!rest.starts_with(word)) continue;
    message.severity = severity;
    message.message = "ptxas: " + std::string(behind_colon(rest));
    return message;
  }
  return std::nullopt;
}

}  // namespace kgen::compile
