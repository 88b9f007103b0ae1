#pragma once

#include <optional>
#include <string_view>

#include "harness/compile/compiler_log.hpp"

namespace kgen::compile {

/// Reads the lines that ptxas -v prints: resources by function, and messages that cost speed.
class PtxasReader {
 public:
  PtxasReader(std::map<std::string, PtxasFacts>& functions, std::vector<std::string>& performance_warnings)
      : functions_(functions), performance_warnings_(performance_warnings) {}

  /// True where the line is one of ptxas's informative ones (it is taken in and need not be shown).
  bool read(std::string_view line);

 private:
  std::map<std::string, PtxasFacts>& functions_;
  std::vector<std::string>& performance_warnings_;
  std::string entry_;     ///< "Compiling entry function"
  std::string function_;  ///< "Function properties for"
};

/// "ptxas application ptx input, line 21; fatal : …", "ptxas error : …", "ptxas warning : …".
std::optional<LogMessage> read_ptxas_message(std::string_view line);

}  // namespace kgen::compile
