#include "prompt/reply_parser.hpp"

#include <algorithm>
#include <array>

#include "prompt/fenced_blocks.hpp"
#include "util/utf8.hpp"

namespace kgen::prompt {
namespace {

using Blocks = std::vector<FencedBlock>;

constexpr std::size_t kMaxReplyBytes = std::size_t{1} << 20;
constexpr std::string_view kSpace = " \t\r\n\v\f";
constexpr std::string_view kWanted =
    "; reply with exactly one fenced code block: the whole CUDA file, with its launch plan /*kgen { ... } */ "
    "in front";

constexpr std::array<std::string_view, 12> kCudaLanguages{"",   "cuda", "cu",  "cuh", "cpp", "c++",
                                                          "cc", "cxx",  "hpp", "h",   "c",   "cuda-cpp"};

tl::unexpected<ReplyProblem> problem(std::string kind, const std::string& found) {
  return tl::unexpected(ReplyProblem{std::move(kind), found + std::string(kWanted)});
}

/// Position of a comment that begins with the word kgen, as the plan does, or npos.
std::size_t find_plan(std::string_view text) {
  for (std::size_t at = text.find("/*"); at != text.npos; at = text.find("/*", at + 2)) {
    const std::size_t word = text.find_first_not_of(kSpace, at + 2);
    if (word == text.npos) return text.npos;
    if (text.substr(word, 4) != "kgen") continue;
    const std::string_view behind = text.substr(word + 4, 1);
    if (behind.empty() || kSpace.find(behind[0]) != kSpace.npos || behind[0] == '{' || behind[0] == '*')
      return at;
  }
  return text.npos;
}

std::string with_unix_lines(std::string_view reply) {
  if (reply.starts_with("\xef\xbb\xbf")) reply.remove_prefix(3);
  std::string text;
  text.reserve(reply.size());
  for (std::size_t i = 0; i < reply.size(); ++i) {
    if (reply[i] == '\r' && reply.substr(i + 1, 1) == "\n") continue;
    text += reply[i];
  }
  return text;
}

/// "lines 3 and 40", "lines 3, 9 and 40".
std::string lines_of(const Blocks& blocks) {
  constexpr std::size_t kShown = 8;
  std::string text = "lines ";
  for (std::size_t i = 0; i < std::min(blocks.size(), kShown); ++i)
    text += (i == 0 ? "" : i + 1 == blocks.size() ? " and " : ", ") + std::to_string(blocks[i].line);
  return blocks.size() > kShown ? text + ", ..." : text;
}

template <class Keep>
Blocks filtered(const Blocks& blocks, Keep keep) {
  Blocks kept;
  std::copy_if(blocks.begin(), blocks.end(), std::back_inserter(kept), keep);
  return kept;
}

bool is_cuda(const FencedBlock& block) {
  return std::find(kCudaLanguages.begin(), kCudaLanguages.end(), block.language) != kCudaLanguages.end();
}

tl::expected<ParsedReply, ReplyProblem> as_source(std::string text) {
  const std::size_t last = text.find_last_not_of(kSpace);
  if (last == text.npos) return problem("no_code", "the code block is empty");
  text.resize(last + 1);
  text += '\n';
  if (text.find('\0') != text.npos || !util::is_utf8(text))
    return problem("not_text", "the code holds bytes that are no UTF-8 text");
  return ParsedReply{std::move(text)};
}

tl::expected<ParsedReply, ReplyProblem> from_block(const FencedBlock& block) {
  if (!block.closed)
    return problem("cut_off", "the code block that begins on line " + std::to_string(block.line) +
                                  " of the reply is never closed (the reply may have been cut off)");
  return as_source(block.text);
}

/// What a fence names, where that is a word and no bytes of another sort.
std::string shown_language(const std::string& language) {
  constexpr std::size_t kLongest = 40;
  if (language.empty()) return "none named";
  return language.size() <= kLongest && util::is_utf8(language) ? language : "a name that is no word";
}

tl::expected<ParsedReply, ReplyProblem> no_block(const std::string& text) {
  const std::size_t plan = find_plan(text);
  if (plan != text.npos)
    return problem("no_code", "the reply holds a launch plan among its prose, not in a fenced code block");
  return problem("no_code", "the reply holds no fenced code block");
}

}  // namespace

tl::expected<ParsedReply, ReplyProblem> parse_reply(std::string_view reply) {
  if (reply.size() > kMaxReplyBytes)
    return problem("too_long", "the reply has " + std::to_string(reply.size()) + " bytes, more than 1 MiB");
  const std::string text = with_unix_lines(reply);
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == text.npos) return problem("empty", "the reply is empty");
  if (find_plan(text) == first) return as_source(text.substr(first));

  const Blocks blocks = fenced_blocks(text);
  const Blocks planned =
      filtered(blocks, [](const FencedBlock& block) { return find_plan(block.text) != block.text.npos; });
  if (planned.size() == 1) return from_block(planned.front());
  if (planned.size() > 1)
    return problem("several_candidates", "the reply holds " + std::to_string(planned.size()) +
                                             " code blocks with a launch plan (" + lines_of(planned) + ")");
  const Blocks cuda = filtered(blocks, is_cuda);
  if (cuda.size() == 1) return from_block(cuda.front());
  if (cuda.size() > 1)
    return problem("several_blocks", "the reply holds " + std::to_string(cuda.size()) + " code blocks (" +
                                         lines_of(cuda) + "), none of them with a launch plan");
  if (!blocks.empty())
    return problem("no_code", "the reply's only code blocks are of another language (" +
                                  shown_language(blocks.front().language) + ")");
  return no_block(text);
}

}  // namespace kgen::prompt
