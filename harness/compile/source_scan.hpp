#pragma once

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
  std::vector<core::Diagnostic> refused;  ///< empty: the text may be compiled; else the first 50 reasons
};

/// Finds every include and refuses what could open or name a file other than a header below the include
/// folders. It needs no knowledge of comments, strings or macros, so no trick with them can mislead it:
/// - whatever compilers may read differently before they form tokens is refused (ambiguous_characters());
/// - every '#' (and its digraph) is looked at, in comments and strings too. Behind it, `include` must be
///   followed by <name> or "name" on the same line, with blanks only between; #include_next, #import, #embed,
///   #using and line directives are refused;
/// - every identifier that holds has_include or has_embed must be followed by (<name>) or ("name"), or stand
///   behind `defined`; pieces that could be pasted to such a name, and C++20's import, are refused.
/// What it wrongly refuses is a text that looks like an attack.
///
/// Not seen: __has_include made by macros of the toolkit's headers. It tells that a file exists, no more, and
/// is held by the layers below (file gate, Landlock).
SourceScan scan_source(std::string_view source);

}  // namespace kgen::compile
