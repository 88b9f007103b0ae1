#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/judge/checks.hpp"
#include "harness/judge/open_workplace.hpp"

/// The catalogue's right kernels, whole, on a real GPU and on the emulator: what they write, bit for bit.
namespace kgen::kernel_bits {

/// Closes what the judge opened for one candidate, whatever happens.
struct Closing {
  judge::Session& session;
  ~Closing() { judge::close_candidate(session); }
};

/// A right kernel of the catalogue in one dtype, at the op's shape for the emulator.
struct Subject {
  std::string name;  ///< "softmax/kernels/any_cols.cu bf16"
  std::string source;
  core::Task task;
};

/// All of them, sorted by name. Throws std::runtime_error where the catalogue cannot be read.
std::vector<Subject> all_subjects();

/// What one output held after one execution on inputs that follow from the subject's name alone.
struct Output {
  std::string tensor;
  core::DType dtype = core::DType::f32;
  std::string bytes;            ///< of all elements
  std::vector<double> allowed;  ///< error that the judge allows at each element; 0: none
};

struct Execution {
  std::uint64_t inputs_hash = 0;
  std::vector<Output> outputs;
  std::string not_run;  ///< why there are none: `requires` excludes the task, or the emulator lacks something
};

/// One execution of the subject's kernel. Errors: a failing world, and a kernel that does not run to its end.
Result<Execution> execute(const judge::Workplace& workplace, const Subject& subject);

}  // namespace kgen::kernel_bits
