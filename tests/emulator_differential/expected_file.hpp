#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace kgen::differential {

/// What a device gave for one form.
struct Expected {
  std::uint64_t inputs_hash = 0;  ///< of the operands it was given: a changed generator is found out
  std::uint64_t exhaustive_hash =
      0;  ///< of the outputs for all 65536 operands; 0 where the form is not exhaustive
  std::vector<std::byte> outputs;
};

/// A theme's file: a comment that names the device, then a line a form (name, hashes, outputs in base64).
struct ExpectedFile {
  std::string device;
  std::map<std::string, Expected> forms;
};

/// tests/emulator_differential/expected/THEME.txt of the source tree.
std::filesystem::path committed_file(const std::string& theme);

std::string to_text(const ExpectedFile& file);
/// Throws std::runtime_error, saying which line, where the text is not one of to_text's.
ExpectedFile parse_expected(const std::string& text);

}  // namespace kgen::differential
