#pragma once

#include <cstddef>
#include <vector>

#include "emulator_differential/form.hpp"
#include "harness/cuda/handles.hpp"
#include "util/error.hpp"

namespace kgen::differential {

/// The forms of a theme, loaded on a GPU.
class DeviceForms {
 public:
  /// Compiles all of them with the driver. Errors: the driver's, with what it says of the PTX.
  static Result<DeviceForms> load(const std::vector<Form>& forms);
  /// Outputs of form number `index` for inputs of any number of cases. The device must be the current
  /// context's.
  Result<std::vector<std::byte>> run(std::size_t index, const std::vector<std::byte>& inputs) const;

 private:
  const std::vector<Form>* forms_ = nullptr;
  cuda::Module module_;
};

}  // namespace kgen::differential
