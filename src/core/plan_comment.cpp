#include "core/plan_comment.hpp"

#include <algorithm>
#include <set>

#include "core/plan_problem.hpp"
#include "util/json.hpp"

namespace kgen::core {
namespace {

constexpr std::size_t kMaxPlanBytes = std::size_t{32} << 10;
constexpr int kMaxNesting = 16;
constexpr std::string_view kSpace = " \t\r\n\v\f";

std::size_t line_at(std::string_view text, std::size_t position) {
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(position, text.size()));
  return 1 + static_cast<std::size_t>(std::count(text.begin(), end, '\n'));
}

std::string_view line_of(std::string_view text, std::size_t position) {
  position = std::min(position, text.size());
  const std::size_t newline = position == 0 ? std::string_view::npos : text.rfind('\n', position - 1);
  const std::size_t begin = newline == std::string_view::npos ? 0 : newline + 1;
  const std::size_t first = std::min(text.find_first_not_of(kSpace, begin), text.size());
  const std::size_t end = std::min(text.find('\n', position), text.size());
  return first < end ? text.substr(first, end - first) : std::string_view();
}

/// Position behind a string or character literal that begins at `position`.
std::size_t behind_literal(std::string_view text, std::size_t position) {
  const char quote = text[position++];
  while (position < text.size() && text[position] != quote && text[position] != '\n')
    position += text[position] == '\\' ? 2 : 1;
  return std::min(position + 1, text.size());
}

/// Start of the first comment outside literals, or npos.
std::size_t first_comment(std::string_view source) {
  for (std::size_t i = 0; i < source.size();) {
    if (source[i] == '"' || source[i] == '\'') {
      i = behind_literal(source, i);
    } else if (source[i] == '/' && i + 1 < source.size() && (source[i + 1] == '/' || source[i + 1] == '*')) {
      return i;
    } else {
      ++i;
    }
  }
  return std::string_view::npos;
}

/// Position behind `/*kgen` where such a comment begins at `start`; spaces before the word do not matter.
std::size_t behind_marker(std::string_view source, std::size_t start) {
  if (source.substr(start, 2) != "/*") return std::string_view::npos;
  const std::size_t word = source.find_first_not_of(kSpace, start + 2);
  if (word == std::string_view::npos || source.substr(word, 4) != "kgen") return std::string_view::npos;
  const std::size_t behind = word + 4;
  const bool ends = behind == source.size() || source[behind] == '{' ||
                    kSpace.find(source[behind]) != kSpace.npos || source.substr(behind, 2) == "*/";
  return ends ? behind : std::string_view::npos;
}

tl::unexpected<PlanProblem> missing_plan(std::string_view source, std::size_t comment) {
  constexpr std::string_view expected =
      "the launch plan, /*kgen { ... } */, as the first comment of the file";
  if (source.find_first_not_of(kSpace) == std::string_view::npos)
    return plan_problem("plan", "an empty file", expected);
  if (comment == std::string_view::npos) return plan_problem("plan", "a file without any comment", expected);
  std::string found = "the comment '" + shown(line_of(source, comment), 60) + "' on line " +
                      std::to_string(line_at(source, comment));
  const std::size_t later = source.find("/*kgen");
  if (later != std::string_view::npos && behind_marker(source, later) != std::string_view::npos)
    found += " before the plan on line " + std::to_string(line_at(source, later));
  return plan_problem("plan", found, expected);
}

/// Replaces each comma before a closing bracket by a space, so that every position stays.
std::string without_trailing_commas(std::string_view plan) {
  std::string text(plan);
  std::size_t previous = std::string::npos;
  for_each_token(plan, [&](std::size_t at) {
    const bool closes = plan[at] == '}' || plan[at] == ']';
    if (closes && previous != std::string::npos && plan[previous] == ',') text[previous] = ' ';
    previous = at;
  });
  return text;
}

int deepest_nesting(std::string_view plan) {
  int depth = 0, deepest = 0;
  for_each_token(plan, [&](std::size_t at) {
    if (plan[at] == '{' || plan[at] == '[') deepest = std::max(deepest, ++depth);
    if (plan[at] == '}' || plan[at] == ']') --depth;
  });
  return deepest;
}

/// Remembers the first key that one object has twice (nlohmann would silently keep the last).
class DuplicateKeys {
 public:
  bool operator()(int, nlohmann::ordered_json::parse_event_t event, nlohmann::ordered_json& parsed) {
    using Event = nlohmann::ordered_json::parse_event_t;
    if (event == Event::object_start) open_.emplace_back();
    if (event == Event::object_end) open_.pop_back();
    if (event == Event::key && !open_.back().insert(parsed.get<std::string>()).second && first_.empty())
      first_ = parsed.get<std::string>();
    return true;
  }
  const std::string& first() const { return first_; }

 private:
  std::vector<std::set<std::string>> open_;
  std::string first_;
};

/// "syntax error while parsing value - unexpected '}'" out of nlohmann's full message.
std::string_view reason_of(std::string_view what) {
  const std::size_t column = what.find("column ");
  const std::size_t colon = what.find(": ", column == what.npos ? 0 : column);
  return colon == what.npos ? what : what.substr(colon + 2);
}

}  // namespace

void for_each_token(std::string_view plan, const std::function<void(std::size_t position)>& visit) {
  for (std::size_t i = 0; i < plan.size(); ++i) {
    if (plan[i] == '"') {
      visit(i);
      i = behind_literal(plan, i) - 1;
    } else if (plan.substr(i, 2) == "//") {
      i = std::min(plan.find('\n', i), plan.size());
    } else if (kSpace.find(plan[i]) == kSpace.npos) {
      visit(i);
    }
  }
}

PlanResult<PlanComment> find_plan_comment(std::string_view source) {
  const std::size_t comment = first_comment(source);
  const std::size_t behind = comment == std::string_view::npos ? comment : behind_marker(source, comment);
  if (behind == std::string_view::npos) return missing_plan(source, comment);
  const std::size_t end = source.find("*/", behind);
  const std::size_t line = line_at(source, behind);
  if (end == std::string_view::npos)
    return plan_problem("plan", "a comment that begins on line " + std::to_string(line) + " and never ends",
                        "*/ behind the launch plan (the reply may have been cut)");
  const std::string_view plan = source.substr(behind, end - behind);
  if (plan.size() > kMaxPlanBytes)
    return plan_problem("plan", std::to_string(plan.size()) + " bytes", "at most 32768 bytes of launch plan");
  return PlanComment{plan, line};
}

PlanResult<nlohmann::ordered_json> parse_plan_json(const PlanComment& comment) {
  if (comment.json.find_first_not_of(kSpace) == std::string_view::npos)
    return plan_problem("plan", "an empty comment", "a JSON object: /*kgen { \"launches\": [...] } */");
  if (deepest_nesting(comment.json) > kMaxNesting)
    return plan_problem("plan", "JSON nested deeper than 16 levels",
                        "a launch plan as docs/candidate-format.md has it");
  DuplicateKeys duplicates;
  try {
    auto plan = nlohmann::ordered_json::parse(without_trailing_commas(comment.json), std::ref(duplicates),
                                              true, true);
    if (!duplicates.first().empty())
      return plan_problem("plan", "the key \"" + duplicates.first() + "\" twice in one object",
                          "each key once");
    return plan;
  } catch (const nlohmann::json::parse_error& error) {
    const std::size_t at = error.byte == 0 ? 0 : error.byte - 1;
    const std::size_t line = comment.first_line - 1 + line_at(comment.json, at);
    return plan_problem("plan, line " + std::to_string(line), line_of(comment.json, at),
                        "valid JSON: " + std::string(reason_of(error.what())));
  } catch (const nlohmann::json::out_of_range&) {
    return plan_problem("plan", "a number too large for any type", "numbers that fit a double");
  }
}

}  // namespace kgen::core
