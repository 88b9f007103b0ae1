#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/judge/host_kernels.hpp"

namespace kgen::judge {

/// What a wrong kernel might have left in an output.
struct OutputMutant {
  std::string name;       ///< "zeros", "last_dropped", ...
  bool is_gross = false;  ///< wrong nearly everywhere: no tolerance may let it pass
  std::vector<std::byte> bytes;
};

/// One output of one case as it should be.
struct RightOutput {
  const std::vector<double>& expected;
  const std::vector<double>& scale;  ///< may be empty
  const ToleranceParams& params;     ///< names the dtype
  /// Bytes of inputs of the output's dtype and number of elements, by name.
  const std::map<std::string, std::vector<std::byte>>& alike;
};

/// The expected values rounded to the output's dtype: what a perfect kernel writes.
std::vector<std::byte> perfect_output(const RightOutput& right);

/// What an output can show in one case.
struct OutputMutants {
  std::vector<OutputMutant> wrong;
  /// Those that hold the numbers of the perfect output and show nothing here. Not one_value of a single
  /// element; fewer_significant_bits only of dtypes of 16 bits and more.
  std::vector<std::string> right;
  std::optional<double> only_value;  ///< of all elements of the perfect output, where they are alike
};

/// What wrong kernels of any op leave: all zeros, the last element never computed, two neighbours swapped,
/// one value everywhere, values beyond their tolerance by four times as much, an input in place of the
/// result, a result of fewer significant bits.
OutputMutants output_mutants(const RightOutput& right);

}  // namespace kgen::judge
