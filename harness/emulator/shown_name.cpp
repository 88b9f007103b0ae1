#include "harness/emulator/shown_name.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace kgen::emulator {

std::string shown_name(const std::string& mangled) {
  if (!mangled.starts_with("_Z")) return mangled;
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> name(
      abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), std::free);
  if (status != 0 || !name) return mangled;
  // "softmax(float*, int)::tile": the parameters say nothing here.
  std::string out;
  int depth = 0;
  for (const char* c = name.get(); *c != '\0'; ++c) {
    if (*c == '(') ++depth;
    if (depth == 0) out += *c;
    if (*c == ')') --depth;
  }
  return out;
}

}  // namespace kgen::emulator
