#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace kgen::prompt {

/// The candidate file out of a reply: LF line ends, no byte order mark, one newline at its end.
struct ParsedReply {
  std::string source;
};

/// Why a reply holds no candidate (verdict reply_invalid), in words that tell the model what to send instead.
struct ReplyProblem {
  std::string kind;     ///< empty, too_long, no_code, cut_off, several_candidates, several_blocks, not_text
  std::string message;  ///< what was found; what is wanted
  std::string text() const { return message; }
};

/// Finds the candidate in a model's reply. Taken is, in this order: the whole reply where it begins with the
/// plan comment itself; the one fenced block with a plan comment, whatever else is fenced beside it; the only
/// fenced block of CUDA or C++ or of no language. Fences are CommonMark's (section 4.5), save that none
/// closes inside a block comment.
tl::expected<ParsedReply, ReplyProblem> parse_reply(std::string_view reply);

}  // namespace kgen::prompt
