#include "harness/compile/kernel_signature.hpp"

#include <array>
#include <charconv>
#include <utility>

#include "core/dtype.hpp"
#include "util/demangle.hpp"

namespace kgen::compile {
namespace {

using core::ParameterType;

/// Types that are spelled in another way than DTypeFacts::cuda_type.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kOtherSpellings{{
    {"long", "i64"},
    {"unsigned long", "u64"},
    {"char", "i8"},
    {"void", "void"},
}};

/// Splits at commas outside of < >, ( ), [ ] and { }; at most `most` parts. Blanks around parts go.
std::vector<std::string_view> split_arguments(std::string_view text, std::size_t most) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t start = 0;
  for (std::size_t at = 0; at <= text.size(); ++at) {
    const char c = at < text.size() ? text[at] : ',';
    if (c == '<' || c == '(' || c == '[' || c == '{') ++depth;
    if (c == '>' || c == ')' || c == ']' || c == '}') --depth;
    const bool last = at == text.size();
    if (!last && (c != ',' || depth > 0 || parts.size() + 1 >= most)) continue;
    std::string_view part = text.substr(start, at - start);
    while (part.starts_with(' ')) part.remove_prefix(1);
    while (part.ends_with(' ')) part.remove_suffix(1);
    if (!part.empty()) parts.push_back(part);
    start = at + 1;
  }
  return parts;
}

/// What stands between `opening` (which ends in '<') and the last '>' of `text`.
std::optional<std::string_view> inside(std::string_view text, std::string_view opening) {
  const std::size_t start = text.find(opening);
  const std::size_t end = text.rfind('>');
  if (start == std::string_view::npos || end == std::string_view::npos || end < start + opening.size()) {
    return std::nullopt;
  }
  return text.substr(start + opening.size(), end - start - opening.size());
}

std::string cpp_text(const ParameterType& parameter, std::string_view type) {
  if (parameter.kind != ParameterType::Kind::pointer) return std::string(type);
  return (parameter.pointee_const ? "const " : "") + std::string(type) + "*";
}

/// "kgen::probe::Param<1, 8ul, false, true, float>"
std::optional<ParameterType> parameter_of(std::string_view text) {
  constexpr std::array<ParameterType::Kind, 5> kKinds = {
      ParameterType::Kind::other, ParameterType::Kind::pointer, ParameterType::Kind::integer,
      ParameterType::Kind::floating, ParameterType::Kind::tensor_map};
  const std::optional<std::string_view> body = inside(text, "Param<");
  if (!body) return std::nullopt;
  const std::vector<std::string_view> parts = split_arguments(*body, 5);
  if (parts.size() != 5) return std::nullopt;
  std::size_t kind = 0;
  ParameterType parameter;
  std::from_chars(parts[0].data(), parts[0].data() + parts[0].size(), kind);
  std::from_chars(parts[1].data(), parts[1].data() + parts[1].size(), parameter.bytes);
  if (kind >= kKinds.size() || parameter.bytes == 0) return std::nullopt;
  parameter.kind = kKinds[kind];
  parameter.is_signed = parts[2] == "true";
  parameter.pointee_const = parts[3] == "true";
  parameter.text = cpp_text(parameter, parts[4]);
  if (parameter.kind == ParameterType::Kind::pointer) {
    const std::string_view dtype = dtype_of_cpp_type(parts[4]);
    parameter.pointee = std::string(dtype.empty() ? parts[4] : dtype);
  }
  return parameter;
}

}  // namespace

std::string signature_expression(std::string_view kernel) {
  return "&kgen::probe::signature<typename kgen::probe::Signature<decltype(&" + std::string(kernel) +
         ")>::type>";
}

std::optional<std::vector<ParameterType>> parameters_of_lowered_name(const std::string& lowered_name) {
  const std::string text = util::demangled(lowered_name);
  const std::optional<std::string_view> body = inside(text, "kgen::probe::signature<kgen::probe::Params<");
  if (!body) return std::nullopt;
  // `body` still ends with the '>' of Params<...>: inside() took the one of signature<...>.
  const std::string_view list = body->substr(0, body->rfind('>'));
  std::vector<ParameterType> parameters;
  for (const std::string_view part : split_arguments(list, 100000)) {
    std::optional<ParameterType> parameter = parameter_of(part);
    if (!parameter) return std::nullopt;
    parameters.push_back(std::move(*parameter));
  }
  return parameters;
}

std::string_view dtype_of_cpp_type(std::string_view type) {
  for (const auto& [cpp, dtype] : kOtherSpellings) {
    if (cpp == type) return dtype;
  }
  for (int i = 0; i <= static_cast<int>(core::DType::u4x8); ++i) {
    const core::DTypeFacts& facts = core::facts_of(static_cast<core::DType>(i));
    if (facts.cuda_type == type) return facts.name;
  }
  return {};
}

std::string_view cpp_type_of_dtype(std::string_view dtype) {
  const std::optional<core::DType> parsed = core::parse_dtype(dtype);
  return parsed ? core::facts_of(*parsed).cuda_type : std::string_view();
}

}  // namespace kgen::compile
