#include "util/demangle.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace kgen::util {

std::string demangled(const std::string& name) {
  if (!name.starts_with("_Z")) return {};  // "f" would be taken for a type's, float
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && text ? std::string(text.get()) : std::string();
}

}  // namespace kgen::util
