/// Captures what the GPU at hand gives for every instruction form:
///   emulator_capture FOLDER          writes FOLDER/THEME.txt (commit them as
///   tests/emulator_differential/expected) emulator_capture --ptx FOLDER    writes the PTX of each theme;
///   needs no GPU
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "emulator_differential/compare_outputs.hpp"
#include "emulator_differential/device_forms.hpp"
#include "emulator_differential/expected_file.hpp"
#include "harness/cuda/device_query.hpp"

namespace kgen::differential {
namespace {

int write_ptx(const std::filesystem::path& folder) {
  for (const Theme& theme : all_themes()) {
    std::ofstream(folder / (theme.name + ".ptx")) << ptx_module(theme.forms);
    std::printf("%s: %zu forms\n", theme.name.c_str(), theme.forms.size());
  }
  return 0;
}

/// One form's outputs; disagreements with the emulator are printed, as they are why one captures.
Result<Expected> capture(const Form& form, const DeviceForms& device, std::size_t index) {
  const std::vector<std::byte> inputs = case_inputs(form, form.cases, kCommittedSeed);
  Expected expected;
  expected.inputs_hash = hash_of(inputs);
  KGEN_TRY(expected.outputs, device.run(index, inputs));
  const Disagreements wrong = compare_outputs(form, inputs, expected.outputs, emulated(form, inputs));
  if (wrong.count > 0)
    std::printf("%s: %zu of %d disagree\n%s", form.name.c_str(), wrong.count, form.cases, wrong.text.c_str());
  if (!form.exhaustive) return expected;
  const std::vector<std::byte> all = exhaustive_inputs(form);
  KGEN_TRY(const std::vector<std::byte> outputs, device.run(index, all));
  expected.exhaustive_hash = hash_of(outputs);
  const Disagreements more = compare_outputs(form, all, outputs, emulated(form, all));
  if (more.count > 0)
    std::printf("%s: %zu of all operands disagree\n%s", form.name.c_str(), more.count, more.text.c_str());
  return expected;
}

Status capture_all(const std::filesystem::path& folder) {
  KGEN_TRY(const cuda::Context context, cuda::Context::retain(0));
  KGEN_TRY(const auto facts, cuda::query_device(0));
  for (const Theme& theme : all_themes()) {
    KGEN_TRY(const DeviceForms device, DeviceForms::load(theme.forms));
    ExpectedFile file;
    file.device = facts.name + ", driver " + facts.driver_version;
    for (std::size_t i = 0; i < theme.forms.size(); ++i) {
      KGEN_TRY(file.forms[theme.forms[i].name], capture(theme.forms[i], device, i));
    }
    std::ofstream out(folder / (theme.name + ".txt"));
    out << to_text(file);
    if (!out.flush()) return fail(ErrorKind::missing, "cannot write into " + folder.string());
    std::printf("%s: %zu forms captured\n", theme.name.c_str(), theme.forms.size());
  }
  return {};
}

}  // namespace
}  // namespace kgen::differential

int main(int argc, char** argv) {
  const bool ptx = argc == 3 && std::string(argv[1]) == "--ptx";
  if (argc != 2 && !ptx) {
    std::fprintf(stderr, "usage: emulator_capture [--ptx] FOLDER\n");
    return 2;
  }
  const std::filesystem::path folder = argv[argc - 1];
  std::filesystem::create_directories(folder);
  if (ptx) return kgen::differential::write_ptx(folder);
  const auto status = kgen::differential::capture_all(folder);
  if (!status) std::fprintf(stderr, "%s\n", status.error().text().c_str());
  return status ? 0 : 1;
}
