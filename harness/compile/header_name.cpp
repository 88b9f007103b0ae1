#include "harness/compile/header_name.hpp"

#include <algorithm>
#include <cctype>

namespace kgen::compile {
namespace {

std::string why_component_refused(std::string_view component) {
  if (component.empty() || component == ".") return "paths with '//' or '/./' are not accepted";
  if (component == "..") return "paths with '..' are not accepted";
  if (component == "thrust") {
    return "Thrust is a host library, and its headers include by macros; kernels have cub's block and warp "
           "collectives";
  }
  return "";
}

}  // namespace

std::optional<HeaderName> header_name(std::string_view text, std::size_t at) {
  if (at >= text.size() || (text[at] != '<' && text[at] != '"')) return std::nullopt;
  const char close = text[at] == '<' ? '>' : '"';
  const std::size_t end =
      text.find_first_of(close == '>' ? std::string_view(">\n") : std::string_view("\"\n"), at + 1);
  if (end == std::string_view::npos || text[end] != close) return std::nullopt;
  return HeaderName{std::string(text.substr(at + 1, end - at - 1)), end + 1};
}

std::string why_header_refused(std::string_view name) {
  if (name.empty()) return "the name is empty";
  if (name.front() == '/') return "absolute paths are not accepted";
  const bool plain = std::all_of(name.begin(), name.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.' || c == '/' ||
           c == '+';
  });
  if (!plain) return "only letters, digits and _ - . / + are accepted in a header's name";
  if (name.starts_with("cccl/")) return "name it as it is below the folder cccl: <cub/...>, <cuda/...>";
  if (name.starts_with("cub/device/"))
    return "cub's device-wide algorithms launch kernels from the host; kernels have its block and warp "
           "collectives";
  for (std::size_t at = 0; at <= name.size();) {
    const std::size_t end = std::min(name.find('/', at), name.size());
    if (std::string why = why_component_refused(name.substr(at, end - at)); !why.empty()) return why;
    at = end + 1;
  }
  return "";
}

}  // namespace kgen::compile
