#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <variant>
#include <vector>

#include "prompt/reply_parser.hpp"

namespace kgen::prompt {

/// A specification as a model drafts it: the texts of op.toml and reference.cu, LF line ends, one newline at
/// the end of each.
struct DraftFiles {
  std::string op_toml;
  std::string reference_cu;
};

/// What the model has to know before it can write one.
struct DraftQuestions {
  std::vector<std::string> questions;  ///< 1 to kMaxQuestions, each one line of at most kMaxQuestionBytes
};

using DraftReply = std::variant<DraftFiles, DraftQuestions>;

inline constexpr std::size_t kMaxQuestions = 10;
inline constexpr std::size_t kMaxQuestionBytes = 1000;

/// Reads a model's reply to a draft's prompt: either one fenced block `questions` with a question a line (a
/// further, indented line goes on with the one above; numbers and list marks are left out), or one block
/// `toml` (op.toml) and one of CUDA (reference.cu). Questions win over files that stand beside them: those
/// were guessed. Other blocks are passed over. Problems tell the model what to send instead; their kinds:
/// empty, too_long, no_draft, cut_off, several_blocks, not_text, bad_questions.
tl::expected<DraftReply, ReplyProblem> parse_draft_reply(std::string_view reply);

}  // namespace kgen::prompt
