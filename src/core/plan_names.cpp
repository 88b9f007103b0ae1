#include "core/plan_names.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "core/plan_problem.hpp"

namespace kgen::core {
namespace {

constexpr std::size_t kMaxNameBytes = 64;

/// Macros that headers of CUDA, the prelude or the C library define or test; defining them again breaks the
/// build.
constexpr std::array<std::string_view, 38> kReservedMacros{
    "NULL",       "NAN",         "INFINITY",    "TRUE",       "FALSE",      "EOF",         "NDEBUG",
    "ASSERT",     "HUGE_VAL",    "HUGE_VALF",   "CHAR_BIT",   "CHAR_MIN",   "CHAR_MAX",    "SCHAR_MIN",
    "SCHAR_MAX",  "UCHAR_MAX",   "SHRT_MIN",    "SHRT_MAX",   "USHRT_MAX",  "INT_MIN",     "INT_MAX",
    "UINT_MAX",   "LONG_MIN",    "LONG_MAX",    "ULONG_MAX",  "LLONG_MIN",  "LLONG_MAX",   "ULLONG_MAX",
    "SIZE_MAX",   "PTRDIFF_MIN", "PTRDIFF_MAX", "INTPTR_MIN", "INTPTR_MAX", "UINTPTR_MAX", "INTMAX_MIN",
    "INTMAX_MAX", "UINTMAX_MAX", "RAND_MAX"};
constexpr std::array<std::string_view, 15> kReservedPrefixes{"KGEN_", "CUDA_", "CUDART_", "CU_",    "CUB_",
                                                             "CCCL_", "NV_",   "FLT_",    "DBL_",   "LDBL_",
                                                             "FP_",   "INT8_", "INT16_",  "INT32_", "INT64_"};
constexpr std::array<std::string_view, 8> kFunctions{"ceil_div", "round_up", "min",   "max",
                                                     "sizeof",   "numel",    "bytes", "dtype"};

bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_macro(std::string_view name) {
  return name.size() >= 2 && name.size() <= kMaxNameBytes && is_upper(name[0]) &&
         std::all_of(name.begin(), name.end(), [](char c) { return is_upper(c) || is_digit(c) || c == '_'; });
}

bool is_identifier(std::string_view name) {
  const auto part = [](char c) { return is_upper(c) || is_lower(c) || is_digit(c) || c == '_'; };
  return !name.empty() && name.size() <= kMaxNameBytes && !is_digit(name[0]) &&
         std::all_of(name.begin(), name.end(), part);
}

bool is_reserved_macro(std::string_view name) {
  if (name.substr(0, 1) == "U" && name.substr(1, 3) == "INT") name.remove_prefix(1);
  return std::find(kReservedMacros.begin(), kReservedMacros.end(), name) != kReservedMacros.end() ||
         std::any_of(kReservedPrefixes.begin(), kReservedPrefixes.end(),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

/// Names taken so far, and by what.
class TakenNames {
 public:
  PlanResult<void> take_macro(std::string_view section, const std::string& name) {
    if (!is_macro(name))
      return plan_problem(
          member(section, name), name,
          "a macro name: an upper-case letter, then at least one more upper-case letter, digit or "
          "underscore, at most 64 in all (single letters break system headers)");
    if (is_reserved_macro(name))
      return plan_problem(member(section, name), name, "a name that the CUDA and C headers do not use");
    return take(section, name);
  }

  PlanResult<void> take_identifier(std::string_view section, const std::string& name) {
    if (!is_identifier(name))
      return plan_problem(
          member(section, name), name,
          "a name of letters, digits and underscores that begins with no digit, at most 64 in all");
    if (is_function_name(name))
      return plan_problem(member(section, name), name, "a name that is not a function of expressions");
    return take(section, name);
  }

  PlanResult<void> take(std::string_view section, const std::string& name) {
    const auto [at, is_new] = by_.emplace(name, section);
    if (!is_new)
      return plan_problem(member(section, name), name,
                          "a name of its own (" + at->second + " has it already)");
    return {};
  }

 private:
  std::map<std::string, std::string> by_;
};

}  // namespace

std::string box_bytes_macro(std::string_view tensor_map) {
  std::string name(tensor_map);
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return is_lower(c) ? static_cast<char>(c - 'a' + 'A') : c; });
  return name + "_BYTES";
}

bool is_function_name(std::string_view name) {
  return std::find(kFunctions.begin(), kFunctions.end(), name) != kFunctions.end();
}

PlanResult<void> check_plan_names(const LaunchPlan& plan) {
  TakenNames names;
  for (const auto& [name, values] : plan.tunables) KGEN_CHECK(names.take_macro("tunables", name));
  for (const auto& [name, expression] : plan.let) KGEN_CHECK(names.take_identifier("let", name));
  for (const auto& [name, expression] : plan.defines) KGEN_CHECK(names.take_macro("defines", name));
  for (const WorkspaceSpec& buffer : plan.workspace)
    KGEN_CHECK(names.take_identifier("workspace", buffer.name));
  for (const TensorMapSpec& map : plan.tensor_maps) {
    KGEN_CHECK(names.take_identifier("tensor_maps", map.name));
    KGEN_CHECK(names.take("the size macro of tensor_maps." + map.name, box_bytes_macro(map.name)));
  }
  return {};
}

}  // namespace kgen::core
