#include "harness/compile/ptx_entries.hpp"

#include <charconv>

#include "util/text.hpp"

namespace kgen::compile {
namespace {

std::vector<std::int64_t> numbers_in(std::string_view text) {
  std::vector<std::int64_t> numbers;
  for (std::size_t at = 0; at < text.size();) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), value);
    if (error == std::errc()) {
      numbers.push_back(value);
      at = static_cast<std::size_t>(end - text.data());
    } else {
      ++at;
    }
  }
  return numbers;
}

/// ".param .u64 .ptr .global .align 1 f_param_0" -> 8; ".param .align 64 .b8 f_param_1[128]" -> 128.
std::size_t parameter_bytes(std::string_view declaration) {
  const std::size_t open = declaration.rfind('[');
  const std::size_t count = open == std::string_view::npos
                                ? 1
                                : static_cast<std::size_t>(numbers_in(declaration.substr(open)).at(0));
  for (const std::string_view prefix : {".b", ".u", ".s", ".f"}) {
    for (const std::size_t bits : {8u, 16u, 32u, 64u}) {
      const std::string type = std::string(prefix) + std::to_string(bits) + " ";
      if (declaration.find(type) != std::string_view::npos) return count * bits / 8;
    }
  }
  return 0;
}

/// The directives between a parameter list and the body's '{'.
void read_bounds(std::string_view text, PtxEntry& entry) {
  const auto values = [&](std::string_view name) -> std::vector<std::int64_t> {
    const std::size_t at = text.find(name);
    if (at == std::string_view::npos) return {};
    const std::size_t start = at + name.size();
    const std::size_t end = text.find_first_of(".\n{", start);
    return numbers_in(text.substr(start, end == std::string_view::npos ? end : end - start));
  };
  const auto product = [](const std::vector<std::int64_t>& list) {
    std::int64_t result = list.empty() ? 0 : 1;
    for (const std::int64_t value : list) result *= value;
    return result;
  };
  entry.max_threads = product(values(".maxntid"));
  if (entry.max_threads == 0) entry.max_threads = product(values(".reqntid"));
  entry.min_blocks = product(values(".minnctapersm"));
  entry.max_registers = product(values(".maxnreg"));
  entry.cluster = values(".reqnctapercluster");
}

}  // namespace

std::map<std::string, PtxEntry> ptx_entries(std::string_view ptx) {
  constexpr std::string_view kEntry = ".entry ";
  std::map<std::string, PtxEntry> entries;
  for (std::size_t at = ptx.find(kEntry); at != std::string_view::npos; at = ptx.find(kEntry, at + 1)) {
    const std::size_t line_start = ptx.rfind('\n', at) + 1;  // npos + 1 is 0
    if (ptx.substr(line_start, at - line_start).find("//") != std::string_view::npos) continue;
    const std::size_t body = ptx.find('{', at);
    const std::string_view head = ptx.substr(at, body == std::string_view::npos ? body : body - at);
    const std::size_t open = head.find('(');
    const std::size_t close = head.find(')');
    const std::size_t name_end = head.find_first_of("(\n{", kEntry.size());
    PtxEntry entry;
    if (open != std::string_view::npos && close != std::string_view::npos) {
      std::string_view list = head.substr(open + 1, close - open - 1);
      while (!util::trimmed(list).empty()) {
        const std::size_t comma = list.find(',');
        entry.parameter_bytes.push_back(parameter_bytes(list.substr(0, comma)));
        list = comma == std::string_view::npos ? std::string_view() : list.substr(comma + 1);
      }
    }
    read_bounds(head.substr(close == std::string_view::npos ? name_end : close), entry);
    entries.emplace(util::trimmed(head.substr(kEntry.size(), name_end - kEntry.size())), std::move(entry));
  }
  return entries;
}

}  // namespace kgen::compile
