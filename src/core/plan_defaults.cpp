#include "core/plan_defaults.hpp"

#include <algorithm>

#include "core/plan_comment.hpp"
#include "core/plan_problem.hpp"

namespace kgen::core {
namespace {

/// Where a key of the plan's outermost object and its value (an object) lie in the comment's JSON.
struct Member {
  std::size_t key = std::string_view::npos;
  std::size_t value_begin = 0, value_end = 0;
  bool found() const { return key != std::string_view::npos; }
};

Member find_object(std::string_view plan, std::string_view name) {
  const std::string quoted = '"' + std::string(name) + '"';
  Member member;
  int depth = 0;
  bool inside = false;
  for_each_token(plan, [&](std::size_t at) {
    const bool opens = plan[at] == '{' || plan[at] == '[', closes = plan[at] == '}' || plan[at] == ']';
    const bool first = !member.found() && depth == 1 && plan.substr(at, quoted.size()) == quoted;
    if (first && plan.find_first_not_of(" \t\r\n", at + quoted.size()) ==
                     plan.find(':', at + quoted.size())) {  // a key, no value
      member.key = at;
    }
    if (member.found() && member.value_begin == 0 && opens && depth == 1) {
      member.value_begin = at;
      inside = true;
    }
    depth += opens ? 1 : closes ? -1 : 0;
    if (inside && closes && depth == 1) {
      member.value_end = at + 1;
      inside = false;
    }
  });
  return member;
}

std::string object_text(const LaunchPlan& plan, const Variant& variant) {
  std::string text;
  for (const auto& [name, values] : plan.tunables)
    text += (text.empty() ? "\"" : ", \"") + name + "\": " + std::to_string(variant.at(name));
  return "{" + text + "}";
}

PlanResult<void> check_variant(const LaunchPlan& plan, const Variant& variant) {
  for (const auto& [name, values] : plan.tunables) {
    const auto chosen = variant.find(name);
    if (chosen == variant.end() || std::find(values.begin(), values.end(), chosen->second) == values.end())
      return plan_problem("tunables." + name,
                          chosen == variant.end() ? "no value" : std::to_string(chosen->second),
                          "one of the values that the plan lists");
  }
  return {};
}

}  // namespace

PlanResult<std::string> with_defaults(const std::string& source, const Variant& variant) {
  KGEN_TRY(const LaunchPlan plan, parse_plan(source));
  if (plan.tunables.empty()) return source;
  KGEN_CHECK(check_variant(plan, variant));
  if (plan.defaults == variant) return source;
  KGEN_TRY(const PlanComment comment, find_plan_comment(source));
  const auto start = static_cast<std::size_t>(comment.json.data() - source.data());
  std::string out = source;
  if (const Member defaults = find_object(comment.json, "defaults"); defaults.found()) {
    out.replace(start + defaults.value_begin, defaults.value_end - defaults.value_begin,
                object_text(plan, variant));
  } else {
    const Member tunables = find_object(comment.json, "tunables");
    out.insert(start + tunables.key, "\"defaults\": " + object_text(plan, variant) + ",\n  ");
  }
  return out;
}

}  // namespace kgen::core
