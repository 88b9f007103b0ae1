#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kgen::compile {

/// A header's name as it stands in a text.
struct HeaderName {
  std::string name;     ///< without < > or quotes
  std::size_t end = 0;  ///< behind the closing character
};

/// The header's name that begins at `at` with < or ", or nothing where there is none or it does not end on
/// its line.
std::optional<HeaderName> header_name(std::string_view text, std::size_t at);

/// Why a candidate may not name this header, or an empty text: it could lead out of the include folders, or
/// the header includes by macros that the candidate could define (Thrust does).
std::string why_header_refused(std::string_view name);

}  // namespace kgen::compile
