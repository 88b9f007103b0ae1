#include "harness/sanitize/sanitizer_log.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

namespace kgen::sanitize {
namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.remove_suffix(1);
  return text;
}

/// First whole number in a text; 0 where there is none.
std::int64_t first_number(std::string_view text) {
  const std::size_t at = text.find_first_of("0123456789");
  std::int64_t value = 0;
  if (at != std::string_view::npos) std::from_chars(text.data() + at, text.data() + text.size(), value);
  return value;
}

/// A line of the tool without its mark (a row of '='); false for lines of the program.
bool take_mark(std::string_view& line) {
  const std::size_t marks = std::min(line.find_first_not_of('='), line.size());
  if (marks < 8) return false;
  line.remove_prefix(marks);
  return true;
}

/// Beginnings of what stands below a heading.
constexpr std::array<std::string_view, 12> kBelow = {
    "at ",        "by thread",    "address ",     "access ",     "and ",          "saved host",
    "host frame", "device frame", "write thread", "read thread", "current value", "in "};

bool stands_below(std::string_view line, std::string_view text) {
  if (line.starts_with("   ")) return true;
  const std::string small = lower(text);
  return std::any_of(kBelow.begin(), kBelow.end(),
                     [&](std::string_view word) { return small.starts_with(word); });
}

/// Takes "Error: " and the like off a heading.
std::string take_severity(std::string_view& heading) {
  for (const std::string_view word : {"error", "warning", "info", "fatal"}) {
    if (heading.size() <= word.size() || heading[word.size()] != ':' ||
        lower(heading.substr(0, word.size())) != word)
      continue;
    heading = trimmed(heading.substr(word.size() + 1));
    return std::string(word);
  }
  return {};
}

/// Beginnings of headings that report something of the kernels.
constexpr std::array<std::string_view, 8> kFindings = {
    "invalid __",    "potential ",        "uninitialized __", "barrier error",
    "warpgroup mma", "malloc/free error", "race reported",    "deadlock detected"};
/// Words of the tool's own affairs and of the program's calls.
constexpr std::array<std::string_view, 6> kTroubles = {"internal sanitizer error",
                                                       "target application",
                                                       "process didn't",
                                                       "no attachable",
                                                       "unable to",
                                                       "unsupported"};

template <class List>
bool begins_with_one_of(std::string_view text, const List& words) {
  const std::string small = lower(text);
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return small.starts_with(word); });
}

void read_summary(std::string_view text, ToolLog& log) {
  if (text.find("not printed") != std::string_view::npos) return;
  log.finished = true;
  // "1 hazard displayed (1 error, 0 warnings)": warnings of a race count too.
  const std::size_t open = text.find('(');
  const std::size_t comma = text.find(',', std::min(open, text.size()));
  if (open == std::string_view::npos || comma == std::string_view::npos) {
    log.errors += first_number(text);
  } else {
    log.errors += first_number(text.substr(open)) + first_number(text.substr(comma));
  }
}

void read_heading(std::string_view text, ToolLog& log, Report*& current) {
  current = nullptr;
  const std::size_t summary = text.find(" SUMMARY:");
  if (summary != std::string_view::npos) {
    if (!text.starts_with("LEAK")) read_summary(text.substr(summary + 9), log);
    return;
  }
  std::string_view heading = text;
  const std::string severity = take_severity(heading);
  // "(Warp Level Programming) Potential RAW hazard ..."
  if (heading.starts_with("("))
    heading = trimmed(heading.substr(std::min(heading.find(')') + 1, heading.size())));
  if (begins_with_one_of(heading, kFindings)) {
    current = &log.reports.emplace_back(Report{std::string(heading), severity, {}, {}, {}});
    // A race's first side stands in the heading: "Race reported between Write access at PLACE".
    if (const std::size_t at = heading.find(" access at "); at != std::string_view::npos) {
      current->places.push_back(parse_place(heading.substr(at + 11)));
      current->heading = std::string(heading.substr(0, at + 7));
    }
    return;
  }
  const bool trouble = begins_with_one_of(heading, kTroubles) || (!severity.empty() && severity != "warning");
  if (trouble) log.troubles.emplace_back(heading);
}

void read_below(std::string_view text, Report& report) {
  if (text.starts_with("at ")) {
    report.places.push_back(parse_place(text.substr(3)));
  } else if (text.starts_with("by thread")) {
    report.thread = std::string(text.substr(3));
  } else if (const std::size_t at = text.find(" access at "); at != std::string_view::npos) {
    report.places.push_back(parse_place(text.substr(at + 11)));
  } else if (const std::size_t thread = text.find(" Thread ("); thread != std::string_view::npos) {
    const std::size_t place = text.find(" at ", thread);
    if (place != std::string_view::npos) report.places.push_back(parse_place(text.substr(place + 4)));
  } else if (text.starts_with("Device Frame:")) {
    report.places.push_back(parse_place(trimmed(text.substr(13))));
  } else if (text.starts_with("Address ") || text.starts_with("Access ") || text.starts_with("and is ")) {
    // The address itself says nothing to anybody: "Address 0x7f.. is out of bounds".
    const std::size_t is = text.find("is ");
    if (is != std::string_view::npos)
      report.address += (report.address.empty() ? "" : ", ") + std::string(text.substr(is));
  }
}

}  // namespace

Place parse_place(std::string_view text) {
  text = trimmed(text);
  Place place;
  const std::size_t in = text.rfind(" in ");
  std::string_view where = in == std::string_view::npos ? std::string_view{} : text.substr(in + 4);
  std::string_view kernel = text.substr(0, in);
  if (const std::size_t hazards = where.find(" ["); hazards != std::string_view::npos)
    where = where.substr(0, hazards);
  if (const std::size_t offset = kernel.rfind("+0x"); offset != std::string_view::npos)
    kernel = kernel.substr(0, offset);
  const std::size_t slash = where.rfind('/', std::min(where.find('('), where.size()));
  if (slash != std::string_view::npos) where = where.substr(slash + 1);
  std::size_t colon = where.find(':');
  while (colon != std::string_view::npos &&
         (colon + 1 == where.size() || std::isdigit(static_cast<unsigned char>(where[colon + 1])) == 0))
    colon = where.find(':', colon + 1);
  if (colon == std::string_view::npos) {
    place.kernel = std::string(kernel.starts_with("0x") && !where.empty() ? where : kernel);
    return place;
  }
  place.file = std::string(where.substr(0, colon));
  const std::string_view rest = where.substr(colon + 1);
  place.line = static_cast<int>(first_number(rest));
  const std::size_t behind = rest.find(':');
  if (kernel.starts_with("0x") && behind != std::string_view::npos) kernel = rest.substr(behind + 1);
  place.kernel = std::string(kernel);
  return place;
}

ToolLog parse_log(std::string_view text) {
  ToolLog log;
  Report* current = nullptr;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!take_mark(line)) continue;
    const std::string_view content = trimmed(line);
    if (content.empty() || content == "COMPUTE-SANITIZER") continue;
    if (!stands_below(line, content)) {
      read_heading(content, log, current);
    } else if (current != nullptr) {
      read_below(content, *current);
    }
  }
  return log;
}

}  // namespace kgen::sanitize
