#include "prompt/reply_parser.hpp"

#include <algorithm>

#include "prompt/reply_text.hpp"

namespace kgen::prompt {
namespace {

using Blocks = std::vector<FencedBlock>;

constexpr std::string_view kWanted =
    "; reply with exactly one fenced code block: the whole CUDA file, with its launch plan /*kgen { ... } */ "
    "in front";

tl::unexpected<ReplyProblem> problem(std::string kind, const std::string& found) {
  return tl::unexpected(ReplyProblem{std::move(kind), found + std::string(kWanted)});
}

/// Position of a comment that begins with the word kgen, as the plan does, or npos.
std::size_t find_plan(std::string_view text) {
  for (std::size_t at = text.find("/*"); at != text.npos; at = text.find("/*", at + 2)) {
    const std::size_t word = text.find_first_not_of(kReplySpace, at + 2);
    if (word == text.npos) return text.npos;
    if (text.substr(word, 4) != "kgen") continue;
    const std::string_view behind = text.substr(word + 4, 1);
    if (behind.empty() || kReplySpace.find(behind[0]) != kReplySpace.npos || behind[0] == '{' ||
        behind[0] == '*')
      return at;
  }
  return text.npos;
}

template <class Keep>
Blocks filtered(const Blocks& blocks, Keep keep) {
  Blocks kept;
  std::copy_if(blocks.begin(), blocks.end(), std::back_inserter(kept), keep);
  return kept;
}

bool is_cuda(const FencedBlock& block) {
  return block.language.empty() || is_cuda_language(block.language);
}

tl::expected<ParsedReply, ReplyProblem> as_source(std::string text) {
  auto source = as_file_text(std::move(text));
  if (source) return ParsedReply{std::move(*source)};
  if (source.error() == TextFault::empty) return problem("no_code", "the code block is empty");
  return problem("not_text", "the code holds bytes that are no UTF-8 text");
}

tl::expected<ParsedReply, ReplyProblem> from_block(const FencedBlock& block) {
  if (!block.closed)
    return problem("cut_off", "the code block that begins on line " + std::to_string(block.line) +
                                  " of the reply is never closed (the reply may have been cut off)");
  return as_source(block.text);
}

tl::expected<ParsedReply, ReplyProblem> no_block(const std::string& text) {
  const std::size_t plan = find_plan(text);
  if (plan != text.npos)
    return problem("no_code", "the reply holds a launch plan among its prose, not in a fenced code block");
  return problem("no_code", "the reply holds no fenced code block");
}

}  // namespace

tl::expected<ParsedReply, ReplyProblem> parse_reply(std::string_view reply) {
  if (reply.size() > kMaxParsedBytes)
    return problem("too_long", "the reply has " + std::to_string(reply.size()) + " bytes, more than 1 MiB");
  const std::string text = with_unix_lines(reply);
  const std::size_t first = text.find_first_not_of(kReplySpace);
  if (first == text.npos) return problem("empty", "the reply is empty");
  if (find_plan(text) == first) return as_source(text.substr(first));

  const Blocks blocks = fenced_blocks(text);
  const Blocks planned =
      filtered(blocks, [](const FencedBlock& block) { return find_plan(block.text) != block.text.npos; });
  if (planned.size() == 1) return from_block(planned.front());
  if (planned.size() > 1)
    return problem("several_candidates", "the reply holds " + std::to_string(planned.size()) +
                                             " code blocks with a launch plan (" + line_list(planned) + ")");
  const Blocks cuda = filtered(blocks, is_cuda);
  if (cuda.size() == 1) return from_block(cuda.front());
  if (cuda.size() > 1)
    return problem("several_blocks", "the reply holds " + std::to_string(cuda.size()) + " code blocks (" +
                                         line_list(cuda) + "), none of them with a launch plan");
  if (!blocks.empty())
    return problem("no_code", "the reply's only code blocks are of another language (" +
                                  shown_language(blocks.front().language) + ")");
  return no_block(text);
}

}  // namespace kgen::prompt
