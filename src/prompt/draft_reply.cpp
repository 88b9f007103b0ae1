#include "prompt/draft_reply.hpp"

#include <algorithm>
#include <utility>

#include "prompt/reply_text.hpp"
#include "util/error.hpp"
#include "util/text.hpp"

namespace kgen::prompt {
namespace {

using DraftProblem = tl::unexpected<ReplyProblem>;

constexpr std::size_t kMaxFileBytes = std::size_t{128} << 10;
constexpr std::string_view kDraftWanted =
    "; reply with one ```toml block (the whole op.toml) and one ```cuda block (the whole reference.cu), or "
    "with one ```questions block alone";

DraftProblem draft_problem(std::string kind, const std::string& found) {
  return DraftProblem(ReplyProblem{std::move(kind), found + std::string(kDraftWanted)});
}

/// The blocks that count, by what they are for.
struct SortedBlocks {
  std::vector<FencedBlock> questions, toml, cuda;
};

SortedBlocks sorted(std::vector<FencedBlock> blocks) {
  SortedBlocks out;
  for (FencedBlock& block : blocks) {
    if (block.language == "questions" || block.language == "question")
      out.questions.push_back(std::move(block));
    else if (block.language == "toml")
      out.toml.push_back(std::move(block));
    else if (is_cuda_language(block.language))
      out.cuda.push_back(std::move(block));
  }
  return out;
}

/// The one block of a kind as a file's text. `what` names it in messages.
tl::expected<std::string, ReplyProblem> only_file(const std::vector<FencedBlock>& blocks,
                                                  const std::string& what) {
  if (blocks.empty()) return draft_problem("no_draft", "the reply holds no block of " + what);
  if (blocks.size() > 1)
    return draft_problem("several_blocks", "the reply holds " + std::to_string(blocks.size()) +
                                               " blocks of " + what + " (" + line_list(blocks) + ")");
  const FencedBlock& block = blocks.front();
  if (!block.closed)
    return draft_problem("cut_off", "the block of " + what + " that begins on line " +
                                        std::to_string(block.line) +
                                        " is never closed (the reply may have been cut off: be shorter)");
  if (block.text.size() > kMaxFileBytes)
    return draft_problem("too_long", "the block of " + what + " has more than " +
                                         std::to_string(kMaxFileBytes >> 10) + " KiB");
  auto text = as_file_text(block.text);
  if (text) return std::move(*text);
  if (text.error() == TextFault::empty)
    return draft_problem("no_draft", "the block of " + what + " is empty");
  return draft_problem("not_text", "the block of " + what + " holds bytes that are no UTF-8 text");
}

/// `line` without the mark of a list in front: "1. ", "2) ", "- ", "* ".
std::string_view without_list_mark(std::string_view line) {
  const std::size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
  std::size_t mark = 0;
  if (digits > 0 && digits <= 3 && digits < line.size() && (line[digits] == '.' || line[digits] == ')'))
    mark = digits + 1;
  else if (line.starts_with('-') || line.starts_with('*'))
    mark = 1;
  const bool stands_alone = mark > 0 && (mark == line.size() || line[mark] == ' ' || line[mark] == '\t');
  return stands_alone ? util::trimmed(line.substr(mark)) : line;
}

/// The questions of a block: one a line; an indented line goes on with the one above it.
std::vector<std::string> question_lines(std::string_view text) {
  std::vector<std::string> questions;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::string_view words = util::trimmed(line);
    if (words.empty()) continue;
    const std::string_view question = without_list_mark(words);
    const bool indented = line.front() == ' ' || line.front() == '\t';
    if (indented && question.size() == words.size() && !questions.empty())
      questions.back().append(" ").append(words);
    else if (!question.empty())
      questions.emplace_back(question);
  }
  return questions;
}

tl::expected<DraftReply, ReplyProblem> read_questions(const std::vector<FencedBlock>& blocks) {
  KGEN_TRY(const std::string text, only_file(blocks, "questions"));
  DraftQuestions found{question_lines(text)};
  if (found.questions.empty())
    return draft_problem("bad_questions", "the block of questions holds no question");
  if (found.questions.size() > kMaxQuestions)
    return draft_problem("bad_questions", "the reply asks " + std::to_string(found.questions.size()) +
                                              " questions; ask at most " + std::to_string(kMaxQuestions) +
                                              ", those whose answers change what is computed");
  const auto is_long = [](const std::string& question) { return question.size() > kMaxQuestionBytes; };
  if (std::any_of(found.questions.begin(), found.questions.end(), is_long))
    return draft_problem("bad_questions", "a question has more than " + std::to_string(kMaxQuestionBytes) +
                                              " bytes; ask one thing a line, in a sentence or two");
  return DraftReply{std::move(found)};
}

}  // namespace

tl::expected<DraftReply, ReplyProblem> parse_draft_reply(std::string_view reply) {
  if (reply.size() > kMaxParsedBytes)
    return draft_problem("too_long",
                         "the reply has " + std::to_string(reply.size()) + " bytes, more than 1 MiB");
  const std::string text = with_unix_lines(reply);
  if (text.find_first_not_of(kReplySpace) == text.npos) return draft_problem("empty", "the reply is empty");
  const SortedBlocks blocks = sorted(fenced_blocks(text));
  if (!blocks.questions.empty()) return read_questions(blocks.questions);
  if (blocks.toml.empty() && blocks.cuda.empty())
    return draft_problem("no_draft", "the reply holds no block of toml, cuda or questions");
  DraftFiles files;
  KGEN_TRY(files.op_toml, only_file(blocks.toml, "toml (op.toml)"));
  KGEN_TRY(files.reference_cu, only_file(blocks.cuda, "cuda (reference.cu)"));
  return DraftReply{std::move(files)};
}

}  // namespace kgen::prompt
