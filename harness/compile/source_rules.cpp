#include "harness/compile/source_rules.hpp"

#include <algorithm>
#include <cctype>
#include <regex>

#include "harness/compile/source_text.hpp"

namespace kgen::compile {

std::vector<std::string> global_functions(std::string_view source) {
  const std::string text = without_comments(source);
  static const std::regex kLaunchBounds(
      R"(__(launch_bounds|cluster_dims|block_size|maxnreg)__\s*\([^()]*(\([^()]*\)[^()]*)*\))");
  const std::string plain = std::regex_replace(text, kLaunchBounds, " ");
  static const std::regex kGlobal(R"(__global__[\s\w:]*?\b([A-Za-z_]\w*)\s*\()");
  std::vector<std::string> names;
  for (std::sregex_iterator match(plain.begin(), plain.end(), kGlobal), end; match != end; ++match) {
    std::string name = (*match)[1];
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  }
  return names;
}

bool is_kernel_expression(std::string_view expression) {
  if (expression.empty() || expression.size() > 512) return false;
  const char first = expression.front();
  if (std::isalpha(static_cast<unsigned char>(first)) == 0 && first != '_' && first != ':') return false;
  constexpr std::string_view kOthers = "_:<>,()+-*/%&|!=~^?. ";
  const bool plain = std::all_of(expression.begin(), expression.end(), [&](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || kOthers.find(c) != std::string_view::npos;
  });
  return plain && expression.find("//") == std::string_view::npos &&
         expression.find("/*") == std::string_view::npos && expression.find('\\') == std::string_view::npos;
}

}  // namespace kgen::compile
