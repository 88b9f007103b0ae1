#include <gtest/gtest.h>

#include <cstring>

#include "emulator_differential/compare_outputs.hpp"
#include "harness/emulator/launch.hpp"
#include "harness/emulator/loaded_module.hpp"

namespace kgen::differential {
namespace {

using emulator::Diagnosis;

/// A theme's kernels, parsed and decoded by the emulator.
class EngineForms {
 public:
  explicit EngineForms(const std::vector<Form>& forms) : forms_(forms) {
    auto loaded = emulator::LoadedModule::load(ptx_module(forms), "form.cu", memory_);
    if (loaded) {
      module_ = std::move(*loaded);
    } else {
      error_ = loaded.error().text();
    }
  }
  const std::string& error() const { return error_; }

  /// Runs form number `index`; where the engine stopped, why, else nothing and the outputs.
  std::optional<Diagnosis> run(std::size_t index, const std::vector<std::byte>& inputs,
                               std::vector<std::byte>& outputs) {
    const Form& form = forms_[index];
    const auto cases = static_cast<std::uint32_t>(inputs.size() / static_cast<std::size_t>(form.in_bytes));
    emulator::Allocation& in = memory_.allocate("inputs", inputs.size());
    std::memcpy(in.data.get(), inputs.data(), inputs.size());
    outputs.assign(cases * static_cast<std::size_t>(form.out_bytes), std::byte{0});
    emulator::Allocation& out = memory_.allocate("outputs", outputs.size());
    const std::uint64_t addresses[] = {in.base, out.base};
    std::vector<std::byte> parameters(20);
    std::memcpy(parameters.data(), addresses, sizeof addresses);
    std::memcpy(parameters.data() + 16, &cases, sizeof cases);
    emulator::LaunchSettings settings;
    settings.block = {form.warp ? 32u : 128u, 1, 1};
    settings.grid = {form.warp ? cases : (cases + 127) / 128, 1, 1};
    emulator::LaunchCounts counts;
    std::string printed;
    auto stopped = emulator::run_launch(module_->program(), "form_" + std::to_string(index), memory_,
                                        settings, std::move(parameters), counts, printed);
    std::memcpy(outputs.data(), out.data.get(), outputs.size());
    memory_.release(in.base);
    memory_.release(out.base);
    return stopped;
  }

 private:
  const std::vector<Form>& forms_;
  emulator::Memory memory_;
  std::unique_ptr<emulator::LoadedModule> module_;
  std::string error_;
};

class Engine : public testing::TestWithParam<Theme> {};

/// The engine's decoder reaches the right function with the right modifiers for every form: its results are
/// those of the functions themselves, bit for bit.
TEST_P(Engine, DecodesEveryFormToItsFunction) {
  const Theme& theme = GetParam();
  EngineForms engine(theme.forms);
  ASSERT_EQ(engine.error(), "");
  for (std::size_t i = 0; i < theme.forms.size(); ++i) {
    const Form& form = theme.forms[i];
    const std::vector<std::byte> inputs = case_inputs(form, form.cases, 3);
    std::vector<std::byte> outputs;
    const std::optional<Diagnosis> stopped = engine.run(i, inputs, outputs);
    if (stopped) {
      ADD_FAILURE() << form.name << ": " << stopped->message;
      continue;
    }
    const std::vector<std::byte> expected = emulated(form, inputs);
    if (outputs == expected) continue;
    const Disagreements wrong = compare_outputs(form, inputs, expected, outputs);
    ADD_FAILURE() << form.name << ": the engine (second) and the function (first) differ\n" << wrong.text;
  }
}

INSTANTIATE_TEST_SUITE_P(Themes, Engine, testing::ValuesIn(all_themes()),
                         [](const auto& chosen) { return chosen.param.name; });

/// Forms of which a GPU does something else than the ISA's text says, by no rule that is known.
TEST(Engine, RefusesVideoFormsOfNoKnownRule) {
  const char* const texts[] = {
      "vshl.u32.u32.u32.sat.clamp $d, $0, $1;", "vmad.u32.u32.u32.sat $d, $0, $1, $2;",
      "vmad.u32.u32.u32.shr7 $d, $0.h0, $1.h0, $2;", "vadd.s32.s32.s32.sat $d.h1, $0.h0, $1.h0, $2;",
      "vadd.s32.s32.s32.sat $d.b2, $0, $1, $2;"};
  for (const char* const text : texts) {
    const std::vector<Form> forms{scalar_form(text, text, {ScalarType::b32, ScalarType::b32, ScalarType::b32},
                                              ScalarType::b32, kExact, [](const Operands&) { return 0u; })};
    EngineForms engine(forms);
    ASSERT_EQ(engine.error(), "");
    std::vector<std::byte> outputs;
    const auto stopped = engine.run(0, case_inputs(forms[0], 1, 1), outputs);
    ASSERT_TRUE(stopped) << text;
    EXPECT_EQ(stopped->kind, Diagnosis::Kind::not_emulated) << text;
  }
}

}  // namespace
}  // namespace kgen::differential
