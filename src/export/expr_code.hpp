#pragma once

#include <string>

#include "util/expr.hpp"

namespace kgen::exporting {

/// The expression as C++: a value of std::int64_t by the same rules (checked arithmetic through the functions
/// of files/launcher.cpp.in, short circuits as they are). A name `rows` becomes v_rows, sizeof(x) becomes
/// sizeof_of_x.
std::string expr_code(const util::Expr& expr);

}  // namespace kgen::exporting
