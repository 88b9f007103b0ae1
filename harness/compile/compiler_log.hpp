#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/evaluation.hpp"

namespace kgen::compile {

/// Names that the lines in front of the candidate give to parts of the text (see translation_unit.hpp).
inline constexpr std::string_view kCandidateFile = "kernel.cu";
inline constexpr std::string_view kPreambleFile = "kgen-preamble";
inline constexpr std::string_view kProbeFilePrefix = "kgen-kernel-";  ///< followed by the kernel's index

/// One message of NVRTC or ptxas, with where it was.
struct LogMessage {
  std::string file;  ///< empty: none given (ptxas, options)
  int line = 0;
  std::string severity;  ///< "error", "warning", "note"
  std::string message;
  int candidate_line = 0;  ///< of the candidate: the line itself, or the one that the instantiation came from
  int ptx_line = 0;        ///< "ptxas application ptx input, line N"
  std::string text;        ///< the whole group as logged
};

/// ptxas -v about one function.
struct PtxasFacts {
  std::int64_t registers = -1, stack_bytes = -1, spill_store_bytes = -1, spill_load_bytes = -1;
  std::int64_t static_shared_bytes = -1, constant_bytes = -1, barriers = -1;
};

struct CompilerLog {
  std::vector<LogMessage> messages;
  std::map<std::string, PtxasFacts> functions;  ///< by lowered name
  std::vector<std::string> performance_warnings;
  std::string
      text;  ///< what may be shown: groups about files that `may_show` refuses are replaced by one line
};

/// Reads the compiler's log. `may_show` tells whether a file's content may appear (the candidate, kgen's and
/// the toolkit's headers). Headers are shown by their name below the include folder: `short_name` gives it.
CompilerLog parse_compiler_log(std::string_view log,
                               const std::function<bool(const std::string& file)>& may_show,
                               const std::function<std::string(const std::string& file)>& short_name);

/// Cuts `text` to `most` bytes at a line's end and says how much is missing.
std::string bounded_log(std::string_view text, std::size_t most);

}  // namespace kgen::compile
