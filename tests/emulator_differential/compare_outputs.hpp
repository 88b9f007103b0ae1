#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "emulator_differential/form.hpp"

namespace kgen::differential {

/// How many cases disagree, and the first few of them in words.
struct Disagreements {
  std::size_t count = 0;
  std::string text;
};
Disagreements compare_outputs(const Form& form, const std::vector<std::byte>& inputs,
                              const std::vector<std::byte>& expected, const std::vector<std::byte>& got);

}  // namespace kgen::differential
