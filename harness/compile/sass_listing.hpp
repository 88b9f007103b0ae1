#pragma once

#include <map>
#include <string>
#include <string_view>

#include "core/profile.hpp"

namespace kgen::compile {

/// How often each kind of machine instruction stands in each function of a listing, as nvdisasm or
/// `cuobjdump -sass` prints it: function -> metrics::kSassAll and metrics::kSass with the kind. What is no
/// instruction is passed over, whatever it is: the listing is of a stranger's code. NOP, which pads the end
/// of a function, is not counted.
std::map<std::string, core::Metrics> count_instructions(std::string_view listing);

}  // namespace kgen::compile
