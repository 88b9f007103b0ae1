#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kgen::compile {

/// Names of the `__global__` functions that the text seems to define, in order, once each: for messages.
std::vector<std::string> global_functions(std::string_view source);

/// Whether `expression` is a kernel's name as a plan may write it: identifiers with ::, and template
/// arguments of identifiers, numbers and operators. No quotes, braces, semicolons, '#' or line ends.
bool is_kernel_expression(std::string_view expression);

}  // namespace kgen::compile
