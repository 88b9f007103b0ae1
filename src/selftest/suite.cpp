#include "selftest/suite.hpp"

#include <span>
#include <sstream>

#include "reference_ops/builtin_ops.hpp"
#include "util/embedded.hpp"

namespace kgen::embedded {
std::span<const util::EmbeddedFile> selftest_kernels();
}

namespace kgen::selftest {
namespace {

constexpr std::string_view kAdversarial = "../../tests/adversarial/kernels/";
constexpr std::string_view kReferenceOps = "../../reference_ops/";

std::string without_extension(std::string_view name) {
  return std::string(name.substr(0, name.rfind(".cu")));
}

/// "softmax/kernels/any_cols.cu" as a case that must pass.
AdversarialCase known_good(std::string_view name, std::string_view source) {
  AdversarialCase out;
  out.name = without_extension(name);
  out.source = source;
  out.op = std::string(name.substr(0, name.find('/')));
  out.misbehaves = "Known good: must pass.";
  out.accept = {core::Verdict::correct};
  out.known_good = true;
  out.where = AdversarialCase::Where::any;
  return out;
}

Status add_trials(AdversarialCase subject, std::vector<Trial>& trials) {
  KGEN_TRY(const auto op, reference_ops::find_builtin_op(subject.op));
  if (subject.known_good) {
    subject.dtypes = op->dtypes;
    subject.dims = op->emulator_dims;
  }
  core::Dims emulator_dims = op->emulator_dims;
  for (const auto& [name, extent] : subject.on_emulator.dims) emulator_dims[name] = extent;
  const auto shared = std::make_shared<const AdversarialCase>(std::move(subject));
  for (const core::DType dtype : shared->dtypes) {
    KGEN_TRY(auto task, core::make_task(op, core::name_of(dtype), shared->dims, {}));
    KGEN_TRY(auto emulator_task, core::make_task(op, core::name_of(dtype), emulator_dims, {}));
    trials.push_back({shared, std::move(task), std::move(emulator_task)});
  }
  return {};
}

}  // namespace

std::string Trial::title() const {
  return subject->name + " " + std::string(core::name_of(task.dtype));
}

Result<std::vector<AdversarialCase>> adversarial_cases() {
  std::vector<AdversarialCase> cases;
  for (const auto& file : embedded::selftest_kernels()) {
    if (!file.name.starts_with(kAdversarial)) continue;
    KGEN_TRY(auto read, parse_case(without_extension(file.name.substr(kAdversarial.size())), file.text));
    cases.push_back(std::move(read));
  }
  return cases;
}

std::vector<Trial> trials_with(const std::vector<Trial>& trials, const std::string& filter) {
  std::istringstream words(filter);
  std::vector<Trial> chosen = trials;
  for (std::string word; words >> word;) {
    const bool is_wanted = !word.starts_with('!');
    const std::string_view part = std::string_view(word).substr(is_wanted ? 0 : 1);
    std::erase_if(chosen, [&](const Trial& trial) {
      return (trial.title().find(part) != std::string::npos) != is_wanted;
    });
  }
  return chosen;
}

Result<std::vector<Trial>> suite() {
  std::vector<Trial> trials;
  for (const auto& file : embedded::selftest_kernels()) {
    if (!file.name.starts_with(kReferenceOps)) continue;
    KGEN_CHECK(add_trials(known_good(file.name.substr(kReferenceOps.size()), file.text), trials));
  }
  KGEN_TRY(auto cases, adversarial_cases());
  for (auto& subject : cases) KGEN_CHECK(add_trials(std::move(subject), trials));
  return trials;
}

}  // namespace kgen::selftest
