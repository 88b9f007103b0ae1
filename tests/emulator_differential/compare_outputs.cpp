#include "emulator_differential/compare_outputs.hpp"

namespace kgen::differential {

Disagreements compare_outputs(const Form& form, const std::vector<std::byte>& inputs,
                              const std::vector<std::byte>& expected, const std::vector<std::byte>& got) {
  constexpr std::size_t shown = 4;
  Disagreements result;
  if (expected.size() != got.size()) return {1, "the number of bytes differs"};
  const auto in_bytes = static_cast<std::size_t>(form.in_bytes);
  const auto out_bytes = static_cast<std::size_t>(form.out_bytes);
  for (std::size_t i = 0; i < inputs.size() / in_bytes; ++i) {
    const std::string wrong = form.disagreement(inputs.data() + i * in_bytes, expected.data() + i * out_bytes,
                                                got.data() + i * out_bytes);
    if (wrong.empty()) continue;
    if (result.count++ < shown) result.text += "  " + wrong + "\n";
  }
  return result;
}

}  // namespace kgen::differential
