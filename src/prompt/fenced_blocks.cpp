#include "prompt/fenced_blocks.hpp"

#include <algorithm>
#include <cctype>
#include <optional>

#include "util/text.hpp"

namespace kgen::prompt {
namespace {

/// A line that may open or close a block.
struct Fence {
  char mark = '`';
  std::size_t length = 0;
  std::size_t indent = 0;
  std::string_view info;  ///< behind the marks, trimmed
};

/// Any indentation counts: models fence code inside lists.
std::optional<Fence> fence_of(std::string_view line) {
  Fence fence;
  fence.indent = std::min(line.find_first_not_of(" \t"), line.size());
  line.remove_prefix(fence.indent);
  if (line.empty() || (line[0] != '`' && line[0] != '~')) return std::nullopt;
  fence.mark = line[0];
  fence.length = std::min(line.find_first_not_of(fence.mark), line.size());
  if (fence.length < 3) return std::nullopt;
  fence.info = util::trimmed(line.substr(fence.length), " \t");
  if (fence.mark == '`' && fence.info.find('`') != fence.info.npos) return std::nullopt;
  return fence;
}

bool closes(const Fence& fence, const Fence& opening) {
  return fence.mark == opening.mark && fence.length >= opening.length && fence.info.empty();
}

std::string language_of(std::string_view info) {
  std::string word(info.substr(0, info.find_first_of(" \t{,:")));
  std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return std::tolower(c); });
  return word;
}

/// Whether a /* comment is open behind the lines seen so far.
class CommentTracker {
 public:
  void see(std::string_view line) {
    char quote = '\0';
    for (std::size_t i = 0; i < line.size(); ++i) {
      const std::string_view two = line.substr(i, 2);
      if (open_) {
        if (two == "*/") open_ = false, ++i;
      } else if (quote != '\0') {
        if (line[i] == '\\')
          ++i;
        else if (line[i] == quote)
          quote = '\0';
      } else if (two == "//") {
        return;
      } else if (two == "/*") {
        open_ = true, ++i;
      } else if (line[i] == '"') {
        quote = line[i];
      }
    }
  }
  bool open() const { return open_; }

 private:
  bool open_ = false;
};

/// Languages in which /* opens no comment: "kernels/*.cu" in op.toml or in a question.
bool has_block_comments(std::string_view language) {
  return language != "toml" && language != "questions";
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

struct Closing {
  std::optional<std::size_t> line;
  bool inside_comment = false;
};

/// The line that closes the block opened on line `first`.
Closing find_closing(const std::vector<std::string_view>& lines, std::size_t first, const Fence& opening,
                     bool comments_count) {
  CommentTracker comment;
  std::optional<std::size_t> inside_comment;
  for (std::size_t i = first + 1; i < lines.size(); ++i) {
    const auto fence = fence_of(lines[i]);
    if (fence && closes(*fence, opening)) {
      if (!comments_count || !comment.open()) return {i, false};
      if (!inside_comment) inside_comment = i;
    }
    comment.see(lines[i]);
  }
  return {inside_comment, inside_comment.has_value()};
}

std::string_view without_indent(std::string_view line, std::size_t indent) {
  const std::size_t spaces = std::min(line.find_first_not_of(" \t"), line.size());
  return line.substr(std::min(spaces, indent));
}

}  // namespace

std::vector<FencedBlock> fenced_blocks(std::string_view markdown) {
  const std::vector<std::string_view> lines = lines_of(markdown);
  std::vector<FencedBlock> blocks;
  bool comments_count = true;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto opening = fence_of(lines[i]);
    if (!opening) continue;
    const std::string language = language_of(opening->info);
    const Closing closing = find_closing(lines, i, *opening, comments_count && has_block_comments(language));
    if (closing.inside_comment) comments_count = false;
    const std::size_t end = closing.line.value_or(lines.size());
    FencedBlock block{language, "", i + 1, closing.line.has_value()};
    for (std::size_t k = i + 1; k < end; ++k)
      block.text.append(without_indent(lines[k], opening->indent)).append("\n");
    blocks.push_back(std::move(block));
    i = end;
  }
  return blocks;
}

}  // namespace kgen::prompt
