#pragma once

#include <string>
#include <vector>

#include "cli/op_catalogue.hpp"

namespace kgen::cli {

/// One row an op: name, dtypes, default task, where it comes from.
std::string op_table(const Catalogue& catalogue);

/// An op as a person reads it: tensors, dims, attributes, cost, tolerance, checks, baselines.
std::string op_text(const core::Op& op);

/// "5 distributions", or "5 distributions (1 added by kgen)" where some are not in the op's file.
std::string distributions_text(const core::Op& op);

}  // namespace kgen::cli
