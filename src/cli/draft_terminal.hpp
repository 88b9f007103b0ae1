#pragma once

#include <optional>
#include <string>
#include <vector>

namespace kgen::cli {

/// Whether somebody sits there to be asked: stdin and stderr are terminals.
bool someone_is_there();

/// Asks each question on stderr and reads a line for each from stdin; an empty one is no preference. Nothing
/// where the input ended or was interrupted before the last.
std::optional<std::vector<std::string>> ask_questions(const std::vector<std::string>& questions);

/// What a person wants done with a draft that passed its checks.
struct DraftDecision {
  bool accepted = false;
  std::string change;  ///< what they want changed; empty: nothing, it is left as it is
};
/// Shows `text` on stderr and reads the decision: "y" accepts, an empty line or "n" leaves it, anything else
/// is a change. The end of the input leaves it.
DraftDecision ask_decision(const std::string& text);

}  // namespace kgen::cli
