#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/evaluation.hpp"

namespace kgen::compile {

/// One include of a candidate, and where.
struct IncludeLine {
  std::string name;  ///< without < > or quotes
  int line = 0;      ///< from 1
};

/// What a candidate's text asks the preprocessor to open.
struct SourceScan {
  std::vector<IncludeLine> includes;
  std::vector<core::Diagnostic> refused;  ///< empty: the text may be compiled
};

/// Finds every include by any spelling (line continuations, trigraphs, digraphs, comments inside the
/// directive) and refuses what could open or name a file other than a header below the include folders:
/// absolute paths, "..", macros as names, #embed, #include_next, #import, line directives. It looks at every
/// '#' of the text, in comments and strings too, so that no trick of quoting hides a directive: what it
/// wrongly refuses is a comment that looks like an attack.
SourceScan scan_source(std::string_view source);

/// Names of the `__global__` functions that the text seems to define, in order, once each: for messages.
std::vector<std::string> global_functions(std::string_view source);

/// Whether `expression` is a kernel's name as a plan may write it: identifiers with ::, and template
/// arguments of identifiers, numbers and operators. No quotes, braces, semicolons, '#' or line ends.
bool is_kernel_expression(std::string_view expression);

}  // namespace kgen::compile
