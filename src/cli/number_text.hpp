#pragma once

#include "report/number_text.hpp"

/// Commands give numbers in the words that reports give them in.
namespace kgen::cli {

using report::bytes_text;
using report::count_text;
using report::duration_text;
using report::error_ratio_text;
using report::interval_text;
using report::plural;
using report::significant;
using report::speedup_text;
using report::time_text;

}  // namespace kgen::cli
