#include "harness/compile/source_scan.hpp"

#include <algorithm>
#include <cctype>
#include <span>

#include "harness/compile/ambiguous_characters.hpp"
#include "harness/compile/header_name.hpp"
#include "harness/compile/source_text.hpp"

namespace kgen::compile {
namespace {

constexpr std::size_t kMostRefused = 50;

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
}

std::string_view word_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_word(text[end])) ++end;
  return text.substr(at, end - at);
}

std::size_t skip_blanks(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of(" \t", at), text.size());
}

/// Whether `word` has `piece`, in any case of letters.
bool holds(std::string_view word, std::string_view piece) {
  return std::search(word.begin(), word.end(), piece.begin(), piece.end(), [](char a, char b) {
           return std::tolower(static_cast<unsigned char>(a)) == b;
         }) != word.end();
}

/// Whether one of the names begins with the word, which has so many letters at least: a piece such as __has_
/// of which ## could make it.
bool begins_one_of(std::span<const std::string_view> names, std::string_view word, std::size_t least) {
  return word.size() >= least &&
         std::ranges::any_of(names, [&](auto name) { return name.starts_with(word); });
}

/// Whether ## could make __has_include or __has_embed of it.
bool begins_has_include(std::string_view word, bool pastes) {
  constexpr std::string_view kNames[] = {"__has_include_next", "__has_embed"};
  return begins_one_of(kNames, word, pastes ? 1 : 3);
}

/// Whether the word is a macro of the time of compiling, or ## could make one of it.
bool tells_time(std::string_view word, bool pastes) {
  constexpr std::string_view kNames[] = {"__DATE__", "__TIME__", "__TIMESTAMP__"};
  return std::ranges::find(kNames, word) != std::end(kNames) || (pastes && begins_one_of(kNames, word, 3));
}

class Scanner {
 public:
  explicit Scanner(std::string_view source)
      : logical_(logical_text(source)),
        text_(logical_.text),
        pastes_(text_.find("##") != std::string_view::npos || text_.find("%:%:") != std::string_view::npos) {
    for (AmbiguousCharacters& ambiguous : ambiguous_characters(source, kMostRefused)) {
      refuse_line(ambiguous.line, std::move(ambiguous.message));
    }
  }

  SourceScan scan() {
    for (std::size_t at = 0; at < text_.size() && result_.refused.size() < kMostRefused;) {
      if (is_word(text_[at])) {
        const std::string_view word = word_at(text_, at);
        check_word(at, word);
        at += word.size();
        continue;
      }
      if (text_[at] == '#') check_directive(at, at + 1);
      if (text_.substr(at).starts_with("%:")) check_directive(at, at + 2);
      ++at;
    }
    return std::move(result_);
  }

 private:
  void refuse_line(int line, std::string message) {
    core::Diagnostic diagnostic;
    diagnostic.severity = "error";
    diagnostic.line = line;
    diagnostic.message = std::move(message);
    result_.refused.push_back(std::move(diagnostic));
  }
  void refuse(std::size_t at, std::string message) { refuse_line(logical_.line_of(at), std::move(message)); }

  bool comment_at(std::size_t at) const {
    return text_.substr(at).starts_with("/*") || text_.substr(at).starts_with("//");
  }

  /// Position behind the header's name at `at`, of the directive or operator `what` that begins at `start`;
  /// npos where it was refused.
  std::size_t check_operand(std::size_t start, std::size_t at, const std::string& what, bool is_include) {
    const std::size_t open = skip_blanks(text_, at);
    const std::optional<HeaderName> found = header_name(text_, open);
    if (!found) {
      refuse(start,
             "write the header's name right behind " + what + " as <name>; " +
                 (comment_at(open) ? "comments" : "macros") +
                 " are not accepted there, and comments and strings are read as code is: do not name " +
                 what + " in one without a header");
      return std::string_view::npos;
    }
    if (logical_.line_of(start) != logical_.line_of(found->end - 1)) {
      refuse(start, "write " + what + " and the header's name on one line, without a backslash");
      return std::string_view::npos;
    }
    if (const std::string why = why_header_refused(found->name); !why.empty()) {
      refuse(start, what + " of \"" + printable_utf8(found->name.substr(0, 100)) + "\" is refused: " + why);
      return std::string_view::npos;
    }
    if (is_include) result_.includes.push_back({found->name, logical_.line_of(start)});
    return found->end;
  }

  /// A '#' at `hash`; `at` is behind it.
  void check_directive(std::size_t hash, std::size_t at) {
    const std::size_t start = skip_blanks(text_, at);
    const std::string_view word = word_at(text_, start);
    const std::size_t behind = start + word.size(), next = skip_blanks(text_, behind);
    const bool digits = !word.empty() && std::all_of(word.begin(), word.end(),
                                                     [](unsigned char c) { return std::isdigit(c) != 0; });
    const bool comment = text_.substr(next).starts_with("/*");
    const bool names_file = comment || (next < text_.size() && text_[next] == '"');
    if (word.empty() && comment) {
      refuse(hash, "a comment right behind # is not accepted: put it on a line of its own");
    } else if (word == "include") {
      check_operand(hash, behind, "#include", true);
    } else if (word == "include_next" || word == "import" || word == "embed" || word == "using") {
      refuse(hash, "#" + std::string(word) + " is not accepted: only #include <name> is");
    } else if (word == "line" && (names_file || !word_at(text_, next).empty())) {
      refuse(hash, "#line is not accepted: diagnostics name the file's own lines");
    } else if (digits && names_file) {
      refuse(hash, "line directives are not accepted: diagnostics name the file's own lines");
    }
  }

  /// Whether a directive may begin at `at`: at the line's begin or behind a comment.
  bool begins_line(std::size_t at) const {
    const std::size_t before = text_.substr(0, at).find_last_not_of(" \t");
    return before == std::string_view::npos || text_[before] == '\n' ||
           (before > 0 && text_.substr(before - 1, 2) == "*/");
  }

  /// Whether the name at `at` is the operand of `defined`, which no macro can replace, or of #ifdef, #ifndef.
  bool asks_if_defined(std::size_t at) const {
    std::string_view front = text_.substr(0, at);
    const auto trim = [&front] { front = front.substr(0, front.find_last_not_of(" \t") + 1); };
    const auto take_word = [&front, &trim] {
      std::size_t begin = front.size();
      while (begin > 0 && is_word(front[begin - 1])) --begin;
      const std::string_view word = front.substr(begin);
      front = front.substr(0, begin);
      trim();
      return word;
    };
    trim();
    const bool parenthesis = front.ends_with('(');
    if (parenthesis) front.remove_suffix(1);
    trim();
    const std::string_view word = take_word();
    if (word == "defined") return true;
    return !parenthesis && (word == "ifdef" || word == "ifndef") &&
           (front.ends_with('#') || front.ends_with("%:"));
  }

  void check_word(std::size_t at, std::string_view word) {
    if (holds(word, "has_include") || holds(word, "has_embed")) {
      check_has_include(at, word);
    } else if (begins_has_include(word, pastes_)) {
      refuse(at, "the name " + std::string(word) +
                     " is not accepted, since it could be pasted into __has_include: choose another one");
    } else if (tells_time(word, pastes_)) {
      refuse(at, "the name " + std::string(word) +
                     " is not accepted: what a kernel computes may not depend on when it is compiled");
    } else if (word == "import" && (begins_line(at) || follows_export(at))) {
      refuse(at, "import is not accepted at a line's begin: include headers instead");
    }
  }

  bool follows_export(std::size_t at) const {
    const std::string_view front = text_.substr(0, at);
    return front.substr(0, front.find_last_not_of(" \t\n") + 1).ends_with("export");
  }

  void check_has_include(std::size_t at, std::string_view word) {
    if (asks_if_defined(at)) return;
    const std::string what(word.substr(0, 60));
    const std::size_t open = skip_blanks(text_, at + word.size());
    if (open >= text_.size() || text_[open] != '(') {
      return refuse(at, "write " + what + "(<name>); no other use of that name is accepted");
    }
    const std::size_t end = check_operand(at, open + 1, what, false);
    if (end == std::string_view::npos) return;
    const std::size_t close = skip_blanks(text_, end);
    if (close >= text_.size() || text_[close] != ')') {
      refuse(at, "write " + what + "(<name>), with nothing behind the header's name");
    }
  }

  LogicalText logical_;
  std::string_view text_;
  bool pastes_;
  SourceScan result_;
};

}  // namespace

SourceScan scan_source(std::string_view source) {
  return Scanner(source).scan();
}

}  // namespace kgen::compile
