#pragma once

#include <string>

namespace kgen::util {

/// "void k<1>(float*)" of "_Z1kILi1EEvPf"; empty where `name` is no mangled C++ name, as that of an extern
/// "C" function.
std::string demangled(const std::string& name);

}  // namespace kgen::util
