#include <gtest/gtest.h>

#include "emulator_differential/compare_outputs.hpp"
#include "emulator_differential/device_forms.hpp"

namespace kgen::differential {
namespace {

class Live : public testing::TestWithParam<Theme> {};

/// Operands other than the committed ones, and more of them.
TEST_P(Live, TheEmulatorAgreesWithTheGpuOnFreshOperands) {
  const Theme& theme = GetParam();
  const auto context = cuda::Context::retain(0);
  ASSERT_TRUE(context) << context.error().text();
  const auto device = DeviceForms::load(theme.forms);
  ASSERT_TRUE(device) << device.error().text();
  for (std::size_t i = 0; i < theme.forms.size(); ++i) {
    const Form& form = theme.forms[i];
    for (const std::uint64_t seed : {1ull, 2ull}) {
      const std::vector<std::byte> inputs = case_inputs(form, 16 * form.cases, seed);
      const auto outputs = device->run(i, inputs);
      ASSERT_TRUE(outputs) << form.name << ": " << outputs.error().text();
      const Disagreements wrong = compare_outputs(form, inputs, *outputs, emulated(form, inputs));
      EXPECT_EQ(wrong.count, 0u) << form.name << "\n" << wrong.text;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Themes, Live, testing::ValuesIn(all_themes()),
                         [](const auto& chosen) { return chosen.param.name; });

}  // namespace
}  // namespace kgen::differential
