#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "util/error.hpp"

namespace kgen::judge {

/// Splits a command line as a shell splits words: blanks separate, '...' and "..." quote, a backslash takes
/// the next character as it is (within "..." only before " and \). No variables, no globs. Errors: bad_input
/// for an open quote, a backslash at the end, or no words at all.
Result<std::vector<std::string>> split_command(std::string_view text);

/// The command that starts a worker: `configured`, split; where it is empty the kgen-worker beside this
/// program, or in the build tree this program was built in, or on $PATH. Errors: missing, with what to do.
Result<std::vector<std::string>> worker_command(std::string_view configured);

}  // namespace kgen::judge
