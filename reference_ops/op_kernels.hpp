#pragma once

#include <string>
#include <vector>

#include "util/error.hpp"

namespace kgen::reference_ops {

/// A kernel that goes with an op, in the candidate's format.
struct OpKernel {
  std::string file;  ///< "mutants/zeros.cu", below the op's folder
  std::string source;
  bool is_mutant = false;  ///< must be rejected; else it is known to be right and must pass
  /// Of a mutant: the check that must reject it, from its notes ("Rejected by: values."). Empty: any.
  std::string rejected_by;
};

/// A kernel of a file `mutants/NAME.cu` or `kernels/NAME.cu` of an op's folder.
OpKernel op_kernel(std::string file, std::string source);

/// Mutants and good kernels of a built-in op, sorted by name.
std::vector<OpKernel> builtin_kernels(const std::string& op);

}  // namespace kgen::reference_ops
