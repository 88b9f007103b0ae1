#pragma once

#include <memory>
#include <vector>

#include "core/task.hpp"
#include "selftest/adversarial_case.hpp"

namespace kgen::selftest {

/// One evaluation of the suite: a case with one of its dtypes.
struct Trial {
  std::shared_ptr<const AdversarialCase> subject;
  core::Task task;
  core::Task emulator_task;  ///< in place of `task` there

  /// "softmax/zeros bf16".
  std::string title() const;
};

/// The known-good kernels of every op in each dtype at the op's emulator shape, then the adversarial kernels.
/// Errors: bad_input (a defect in the build).
Result<std::vector<Trial>> suite();

/// Those whose title has every word of `filter` in it, and none that follows a '!': "attention/ !kernels/"
/// are attention's adversarial kernels without its known-good ones.
std::vector<Trial> trials_with(const std::vector<Trial>& trials, const std::string& filter);

/// The adversarial kernels alone, one entry a file.
Result<std::vector<AdversarialCase>> adversarial_cases();

}  // namespace kgen::selftest
