#include "prompt/reply_text.hpp"

#include <algorithm>
#include <array>

#include "util/utf8.hpp"

namespace kgen::prompt {
namespace {

constexpr std::array<std::string_view, 11> kCudaLanguages{"cuda", "cu",  "cuh", "cpp", "c++",     "cc",
                                                          "cxx",  "hpp", "h",   "c",   "cuda-cpp"};

}  // namespace

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

bool is_cuda_language(std::string_view language) {
  return std::find(kCudaLanguages.begin(), kCudaLanguages.end(), language) != kCudaLanguages.end();
}

std::string line_list(const std::vector<FencedBlock>& blocks) {
  constexpr std::size_t kShown = 8;
  std::string text = "lines ";
  for (std::size_t i = 0; i < std::min(blocks.size(), kShown); ++i)
    text += (i == 0 ? "" : i + 1 == blocks.size() ? " and " : ", ") + std::to_string(blocks[i].line);
  return blocks.size() > kShown ? text + ", ..." : text;
}

std::string shown_language(const std::string& language) {
  constexpr std::size_t kLongest = 40;
  if (language.empty()) return "none named";
  return language.size() <= kLongest && util::is_utf8(language) ? language : "a name that is no word";
}

tl::expected<std::string, TextFault> as_file_text(std::string text) {
  const std::size_t last = text.find_last_not_of(kReplySpace);
  if (last == text.npos) return tl::unexpected(TextFault::empty);
  text.resize(last + 1);
  text += '\n';
  if (text.find('\0') != text.npos || !util::is_utf8(text)) return tl::unexpected(TextFault::not_text);
  return text;
}

}  // namespace kgen::prompt
