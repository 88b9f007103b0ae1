#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "kernel_bits/subjects.hpp"

namespace kgen::kernel_bits {

/// What a GPU wrote into one output: every element of a small one, else elements spread over a large one.
struct Captured {
  std::uint64_t inputs_hash = 0;
  /// Largest difference from the emulator when it was captured, of all elements, over the error that the
  /// judge allows there; 0: the same bits.
  double share = 0;
  std::string bytes;
};

/// A comment that names the device, then a line an output ("softmax/kernels/any_cols.cu bf16 y").
struct CapturedFile {
  std::string device;
  std::map<std::string, Captured> outputs;
  /// Ops and files ("softmax/kernels/any_cols.cu") that came after the capture, written in by hand ("# not
  /// captured yet: OP"); the next capture drops them.
  std::set<std::string> pending{};
};

/// tests/kernel_bits/expected.txt of the source tree, or of KGEN_SOURCE_DIR.
std::filesystem::path committed_file();

std::string to_text(const CapturedFile& file);
/// Errors: bad_input naming the line that is not one of to_text's.
Result<CapturedFile> parse_captured(const std::string& text);

/// Flat indices of the elements that are kept of an output of so many.
std::vector<std::size_t> kept_elements(std::size_t elements);

/// The kept elements' bytes.
std::string kept_bytes(const Output& output);

/// Two devices' elements of one output.
struct Difference {
  std::size_t elements = 0, differing = 0;  ///< bits; one NaN is as good as another
  double share = 0;                         ///< largest difference over what the judge allows
};

/// All elements of two executions' outputs.
Difference compare_all(const Output& a, const Output& b);
/// What was captured beside the same elements of an output here.
Difference compare_kept(const std::string& captured, const Output& here);

}  // namespace kgen::kernel_bits
