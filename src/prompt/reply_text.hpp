#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "prompt/fenced_blocks.hpp"

/// What the parsers of replies share (reply_parser, draft_reply).
namespace kgen::prompt {

/// Of a reply that is read at all.
inline constexpr std::size_t kMaxParsedBytes = std::size_t{1} << 20;
inline constexpr std::string_view kReplySpace = " \t\r\n\v\f";

/// `reply` with LF line ends and without a byte order mark.
std::string with_unix_lines(std::string_view reply);

/// Whether a fence names CUDA, C++ or C. No language is not among them.
bool is_cuda_language(std::string_view language);

/// "lines 3 and 40", "lines 3, 9 and 40": where the blocks begin; the first eight.
std::string line_list(const std::vector<FencedBlock>& blocks);

/// What a fence names, where that is a word and no bytes of another sort.
std::string shown_language(const std::string& language);

/// Why a text is no file's.
enum class TextFault { empty, not_text };

/// `text` as a file: without blanks at its end, one newline there. Faults: nothing but blanks; bytes that are
/// no UTF-8, or a NUL.
tl::expected<std::string, TextFault> as_file_text(std::string text);

}  // namespace kgen::prompt
