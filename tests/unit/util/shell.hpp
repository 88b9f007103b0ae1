#pragma once
#include <string>

#include "util/subprocess.hpp"

namespace kgen::util {

/// What runs `script` in sh.
inline SpawnOptions shell(const std::string& script) {
  SpawnOptions options;
  options.argv = {"sh", "-c", script};
  return options;
}

}  // namespace kgen::util
