#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kgen::prompt {

/// One fenced code block of a Markdown text.
struct FencedBlock {
  std::string language;  ///< first word behind the fence, in lower case; may be empty
  std::string text;      ///< its lines, each with a newline
  std::size_t line = 0;  ///< of the opening fence, from 1
  bool closed = false;
};

/// Blocks of `markdown` (LF line ends) in their order, as CommonMark 4.5 finds them, except that a fence
/// inside an open /* comment */ of the block closes it only where no other fence does (and from then on
/// always, which keeps the time linear). Blocks of toml and questions have no such comments.
std::vector<FencedBlock> fenced_blocks(std::string_view markdown);

}  // namespace kgen::prompt
