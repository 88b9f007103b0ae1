#pragma once

#include <map>
#include <string>
#include <tuple>

#include "harness/emulator/ptx_cursor.hpp"

namespace kgen::emulator::ptx {

/// Follows .loc directives: which line of the candidate's file the code behind them comes from.
class SourceLines {
 public:
  /// `.file` indices of the candidate's own file. They stand at the end of the text, so they are looked for
  /// first.
  SourceLines(const std::vector<Token>& tokens, std::string_view source_file);

  /// Reads a .loc directive; the cursor stands behind the word.
  Status read(Cursor& cursor);
  int line() const { return line_; }
  void forget() { line_ = 0; }

 private:
  using Place = std::tuple<std::int64_t, std::int64_t, std::int64_t>;  ///< file, line, column
  bool is_own(const Place& place) const;

  std::vector<std::int64_t> own_files_;
  std::map<Place, Place> inlined_at_;
  int line_ = 0;
};

}  // namespace kgen::emulator::ptx
