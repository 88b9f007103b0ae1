#include "harness/sanitize/async_barriers.hpp"

#include <algorithm>
#include <cctype>
#include <map>

#include "harness/compile/source_text.hpp"
#include "util/demangle.hpp"

namespace kgen::sanitize {
namespace {

bool in_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
}

/// The names in a text, in order.
std::set<std::string_view> names_in(std::string_view text) {
  std::set<std::string_view> out;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && in_name(text[end])) ++end;
    if (end > at) out.insert(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

/// The name that a function's header gives, `.func (.param .b32 r) NAME(` and `.entry NAME(`.
std::string_view function_name(std::string_view header) {
  std::size_t at = header.find_first_not_of(" \t\r\n");
  if (at != std::string_view::npos && header[at] == '(')
    at = header.find_first_not_of(" \t\r\n", header.find(')', at) + 1);
  if (at == std::string_view::npos) return {};
  std::size_t end = at;
  while (end < header.size() && in_name(header[end])) ++end;
  return header.substr(at, end - at);
}

/// The functions of a module with their text, declarations too; what stands before the first has no name.
std::multimap<std::string_view, std::string_view> functions_of(std::string_view code) {
  std::multimap<std::string_view, std::string_view> out;
  std::string_view name;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < code.size(); ++at) {
    const std::string_view rest = code.substr(at);
    const std::size_t word = rest.starts_with(".entry") ? 6 : rest.starts_with(".func") ? 5 : 0;
    if (word == 0 || (rest.size() > word && in_name(rest[word]))) continue;
    out.emplace(name, code.substr(begin, at - begin));
    name = function_name(rest.substr(word));
    begin = at;
  }
  out.emplace(name, code.substr(begin));
  return out;
}

bool has_async_barriers(std::string_view code) {
  constexpr std::string_view kWords[] = {"mbarrier.", "cp.async.bulk", "wgmma."};
  return std::any_of(std::begin(kWords), std::end(kWords),
                     [&](std::string_view word) { return code.find(word) != std::string_view::npos; });
}

/// Whether a function, or one whose name stands in it, and so on, uses them. Tables of functions stand
/// outside all functions: what these name any kernel may call.
bool reaches_async(const std::multimap<std::string_view, std::string_view>& functions,
                   std::string_view kernel) {
  std::set<std::string_view> seen{kernel, {}};
  std::vector<std::string_view> open{kernel, {}};
  while (!open.empty()) {
    const auto [first, last] = functions.equal_range(open.back());
    open.pop_back();
    for (auto body = first; body != last; ++body) {
      if (has_async_barriers(body->second)) return true;
      for (const std::string_view name : names_in(body->second))
        if (functions.contains(name) && seen.insert(name).second) open.push_back(name);
    }
  }
  return false;
}

}  // namespace

std::string base_name_of(std::string_view kernel) {
  const std::string whole(kernel), plain = util::demangled(whole);
  std::string name = plain.empty() ? whole : plain;
  name = name.substr(0, name.find_first_of("(<"));
  name.erase(0, name.find_last_of(' ') + 1);  // the return type
  return name;
}

void add_launched(LaunchedKernels& kernels, std::string_view ptx, const std::vector<std::string>& lowered) {
  const std::string code = compile::without_comments(ptx);
  const auto functions = functions_of(code);
  for (const std::string& kernel : lowered) {
    kernels.names.insert(base_name_of(kernel));
    if (reaches_async(functions, kernel)) kernels.async.insert(base_name_of(kernel));
  }
}

}  // namespace kgen::sanitize
