#include "harness/compile/sass_listing.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

namespace kgen::compile {
namespace {

/// Told apart by how many bits a lane moves.
constexpr std::array<std::string_view, 9> kMemory = {"LDG", "STG", "LDS", "STS",   "LDL",
                                                     "STL", "LD",  "ST",  "LDGSTS"};
/// Counted under their own name.
constexpr std::array<std::string_view, 27> kCounted = {
    "HMMA",  "HGMMA",   "IMMA",    "IGMMA",   "DMMA",    "BMMA",   "BGMMA",   "QMMA",    "QGMMA",
    "OMMA",  "UTCHMMA", "UTCQMMA", "UTCIMMA", "UTCOMMA", "MUFU",   "BAR",     "ATOM",    "ATOMG",
    "ATOMS", "RED",     "REDG",    "LDSM",    "STSM",    "UBLKCP", "UTMALDG", "UTMASTG", "SHFL",
};

template <class Names>
bool contains(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string_view without_spaces(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// What stands before the first of these characters.
std::string_view until(std::string_view text, std::string_view ends) {
  return text.substr(0, text.find_first_of(ends));
}

/// The function that a line begins: "Function : NAME" (cuobjdump), ".section .text.NAME,..." (nvdisasm);
/// empty text for a section of something else; nothing where the line begins none.
std::optional<std::string_view> function_begun(std::string_view line) {
  constexpr std::string_view kFunction = "Function :", kSection = ".section", kText = ".text.";
  if (line.starts_with(kFunction)) return without_spaces(line.substr(kFunction.size()));
  if (!line.starts_with(kSection)) return std::nullopt;
  const std::string_view name = without_spaces(line.substr(kSection.size()));
  return name.starts_with(kText) ? until(name.substr(kText.size()), ", \t") : std::string_view();
}

/// The operation of a line "/*00a0*/ @!P0 LDG.E.128 R4, ..." with its modifiers; empty for any other line.
std::string_view operation_of(std::string_view line) {
  if (!line.starts_with("/*")) return {};
  const auto end = line.find("*/", 2);
  if (end == std::string_view::npos || end == 2) return {};
  const std::string_view address = line.substr(2, end - 2);
  if (!std::all_of(address.begin(), address.end(), [](unsigned char c) { return std::isxdigit(c) != 0; }))
    return {};
  std::string_view rest = without_spaces(line.substr(end + 2));
  if (rest.starts_with("@")) {
    const auto space = rest.find_first_of(" \t");
    rest = space == std::string_view::npos ? std::string_view() : without_spaces(rest.substr(space));
  }
  if (rest.empty() || rest.front() < 'A' || rest.front() > 'Z') return {};  // .word, .byte
  return until(rest, " \t;");
}

/// Bits that a lane moves, by an operation's modifiers; 32 where none says.
int bits_of(std::string_view modifiers) {
  constexpr std::array<std::pair<std::string_view, int>, 8> kWidths = {
      {{"U8", 8}, {"S8", 8}, {"U16", 16}, {"S16", 16}, {"64", 64}, {"128", 128}, {"256", 256}, {"32", 32}}};
  while (!modifiers.empty()) {
    const std::string_view one = until(modifiers, ".");
    for (const auto& [name, bits] : kWidths) {
      if (one == name) return bits;
    }
    modifiers.remove_prefix(std::min(modifiers.size(), one.size() + 1));
  }
  return 32;
}

/// What an operation is counted as; empty: among all only.
std::string kind_of(std::string_view operation) {
  const std::string_view name = until(operation, ".");
  if (contains(kCounted, name)) return std::string(name);
  if (!contains(kMemory, name)) return "";
  const auto modifiers = operation.substr(std::min(operation.size(), name.size() + 1));
  return std::string(name) + "." + std::to_string(bits_of(modifiers));
}

}  // namespace

std::map<std::string, core::Metrics> count_instructions(std::string_view listing) {
  std::map<std::string, core::Metrics> out;
  std::string function;
  while (!listing.empty()) {
    const std::string_view line = without_spaces(until(listing, "\n"));
    listing.remove_prefix(std::min(listing.size(), until(listing, "\n").size() + 1));
    if (const auto begun = function_begun(line)) {
      function = *begun;
      continue;
    }
    const std::string_view operation = operation_of(line);
    if (function.empty() || operation.empty() || operation == "NOP") continue;
    core::Metrics& counts = out[function];
    ++counts[std::string(core::metrics::kSassAll)];
    if (const std::string kind = kind_of(operation); !kind.empty())
      ++counts[core::metric_name(core::metrics::kSass, kind, "")];
  }
  return out;
}

}  // namespace kgen::compile
