#include "harness/compile/translation_unit.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <set>

#include "harness/compile/compiler_log.hpp"
#include "harness/compile/kernel_signature.hpp"

namespace kgen::compile {
namespace {

/// Headers that take long to read, by how their names begin.
constexpr std::array<std::string_view, 6> kHeavyHeaders = {"cuda/", "cub/",  "cooperative_groups",
                                                           "kgen/", "cuda_", "mma.h"};

bool is_heavy(const std::string& name) {
  return std::any_of(kHeavyHeaders.begin(), kHeavyHeaders.end(),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

bool is_identifier(std::string_view name) {
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name.front())) == 0 &&
         std::all_of(name.begin(), name.end(), is_word);
}

std::string literal(std::int64_t value) {
  if (value == std::numeric_limits<std::int64_t>::min()) return "(-9223372036854775807LL - 1)";
  return value < 0 ? "(" + std::to_string(value) + ")" : std::to_string(value);
}

}  // namespace

std::string preamble(const std::vector<std::string>& includes,
                     const std::function<bool(const std::string&)>& exists) {
  std::set<std::string> heavy;
  for (const std::string& name : includes) {
    if (is_heavy(name) && exists(name)) heavy.insert(name);
  }
  std::string text = "#include <kgen/prelude.cuh>\n";
  for (const std::string& name : heavy) text += "#include <" + name + ">\n";
  return text + "#pragma nv_hdrstop\n";
}

Result<std::string> translation_unit(const CompileRequest& request, const std::string& preamble) {
  std::string text = preamble + "#line 1 \"" + std::string(kPreambleFile) + "\"\n";
  for (const auto& [name, value] : request.macros) {
    if (!is_identifier(name))
      return fail(ErrorKind::bad_input, "'" + name + "' cannot be the name of a macro");
    text += "#define " + name + " " + literal(value) + "\n";
  }
  for (const auto& [tensor, dtype] : request.type_aliases) {
    const std::string_view type = cpp_type_of_dtype(dtype);
    if (!is_identifier(tensor))
      return fail(ErrorKind::bad_input, "'" + tensor + "' cannot be the name of a type");
    if (type.empty())
      return fail(ErrorKind::bad_input, "tensor " + tensor + " has the unknown dtype '" + dtype + "'");
    if (type.starts_with("__nv_fp8")) text += "#include <cuda_fp8.h>\n";
    text += "using " + tensor + "_t = " + std::string(type) + ";\n";
  }
  text += "#line 1 \"" + std::string(kCandidateFile) + "\"\n" + request.source;
  text += "\n\n";  // a backslash at the file's end must not swallow what follows
  for (std::size_t i = 0; i < request.kernels.size(); ++i) {
    text += "#line 1 \"" + std::string(kProbeFilePrefix) + std::to_string(i) + "\"\n";
    text += "using kgen_kernel_type_" + std::to_string(i) + " = decltype(&" + request.kernels[i] + ");\n";
  }
  return text;
}

}  // namespace kgen::compile
