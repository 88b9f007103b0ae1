#include "harness/emulator/shown_name.hpp"

#include "util/demangle.hpp"

namespace kgen::emulator {

std::string shown_name(const std::string& mangled) {
  const std::string name = util::demangled(mangled);
  if (name.empty()) return mangled;
  // "softmax(float*, int)::tile": the parameters say nothing here.
  std::string out;
  int depth = 0;
  for (const char c : name) {
    if (c == '(') ++depth;
    if (depth == 0) out += c;
    if (c == ')') --depth;
  }
  return out;
}

}  // namespace kgen::emulator
