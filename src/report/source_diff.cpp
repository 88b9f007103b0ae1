#include "report/source_diff.hpp"

#include <algorithm>
#include <sstream>
#include <vector>

#include "util/terminal.hpp"

namespace kgen::report {
namespace {

using Lines = std::vector<std::string>;

constexpr std::size_t kContext = 3;  ///< unchanged lines around a change
constexpr std::size_t kMostCells =
    16'000'000;  ///< of the table below; a kernel of 1000 lines needs a million

/// One line of the whole comparison: ' ' in both, '-' in the old text only, '+' in the new one only.
struct Edit {
  char kind;
  const std::string* line;
};

Lines lines_of(const std::string& text) {
  Lines lines;
  std::istringstream in(util::printable(text));
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// Length of the longest common subsequence of the ends of two texts: at (i, j) of a from i and b from j on
/// (Wagner and Fischer 1974).
class CommonLengths {
 public:
  CommonLengths(const Lines& a, const Lines& b) : width_(b.size() + 1), cells_((a.size() + 1) * width_) {
    for (std::size_t i = a.size(); i-- > 0;)
      for (std::size_t j = b.size(); j-- > 0;)
        cell(i, j) = a[i] == b[j] ? cell(i + 1, j + 1) + 1 : std::max(cell(i + 1, j), cell(i, j + 1));
  }
  unsigned at(std::size_t i, std::size_t j) const { return cells_[i * width_ + j]; }

 private:
  unsigned& cell(std::size_t i, std::size_t j) { return cells_[i * width_ + j]; }
  std::size_t width_;
  std::vector<unsigned> cells_;
};

/// The shortest way from `a` to `b`; where both are huge, all of the one out and all of the other in.
std::vector<Edit> edits_between(const Lines& a, const Lines& b) {
  std::vector<Edit> edits;
  std::size_t i = 0, j = 0;
  if ((a.size() + 1) * (b.size() + 1) <= kMostCells) {
    const CommonLengths common(a, b);
    while (i < a.size() && j < b.size()) {
      if (a[i] == b[j]) {
        edits.push_back({' ', &a[i++]});
        ++j;
      } else if (common.at(i + 1, j) >= common.at(i, j + 1)) {
        edits.push_back({'-', &a[i++]});
      } else {
        edits.push_back({'+', &b[j++]});
      }
    }
  }
  while (i < a.size()) edits.push_back({'-', &a[i++]});
  while (j < b.size()) edits.push_back({'+', &b[j++]});
  return edits;
}

/// The first edit at or behind `from` that changes something.
std::size_t next_change(const std::vector<Edit>& edits, std::size_t from) {
  while (from < edits.size() && edits[from].kind == ' ') ++from;
  return from;
}

/// Behind the last edit of the hunk that begins with the change at `first`: further changes belong to it
/// while their context would touch its own.
std::size_t end_of_hunk(const std::vector<Edit>& edits, std::size_t first) {
  std::size_t end = first;
  for (std::size_t change = first; change < edits.size() && change <= end + 2 * kContext;
       change = next_change(edits, end))
    end = change + 1;
  return std::min(end + kContext, edits.size());
}

/// "12,7": first line and count; of no lines the line before them.
std::string range_text(std::size_t before, std::size_t count) {
  return std::to_string(count == 0 ? before : before + 1) + "," + std::to_string(count);
}

std::string painted(const std::string& line, bool color) {
  const util::Color paint_with = line.starts_with("+")    ? util::Color::green
                                 : line.starts_with("-")  ? util::Color::red
                                 : line.starts_with("@@") ? util::Color::blue
                                                          : util::Color::none;
  return util::paint(line, paint_with, color && paint_with != util::Color::none) + "\n";
}

std::string hunk_text(const std::vector<Edit>& edits, std::size_t begin, std::size_t end, bool color) {
  const auto count = [&](std::size_t from, std::size_t to, char not_counted) {
    return static_cast<std::size_t>(std::count_if(
        edits.begin() + static_cast<std::ptrdiff_t>(from), edits.begin() + static_cast<std::ptrdiff_t>(to),
        [&](const Edit& edit) { return edit.kind != not_counted; }));
  };
  std::string text = painted("@@ -" + range_text(count(0, begin, '+'), count(begin, end, '+')) + " +" +
                                 range_text(count(0, begin, '-'), count(begin, end, '-')) + " @@",
                             color);
  for (std::size_t i = begin; i < end; ++i) text += painted(edits[i].kind + *edits[i].line, color);
  return text;
}

}  // namespace

std::string source_diff(const std::string& old_name, const std::string& old_text, const std::string& new_name,
                        const std::string& new_text, bool color) {
  const Lines before = lines_of(old_text), after = lines_of(new_text);
  const std::vector<Edit> edits = edits_between(before, after);
  std::string text;
  for (std::size_t change = next_change(edits, 0); change < edits.size();) {
    const std::size_t end = end_of_hunk(edits, change);
    text += hunk_text(edits, change - std::min(change, kContext), end, color);
    change = next_change(edits, end);
  }
  if (text.empty()) return {};
  return painted("--- " + old_name, color) + painted("+++ " + new_name, color) + text;
}

}  // namespace kgen::report
