#pragma once

#include <string>
#include <string_view>

namespace kgen::judge {

/// A candidate's file in three parts, each in the file's order, blanks where something was taken out.
struct SourceParts {
  std::string code;      ///< what the compiler sees
  std::string plan;      ///< the first comment, where it is the launch plan
  std::string comments;  ///< all others
};
SourceParts source_parts(std::string_view source);

}  // namespace kgen::judge
