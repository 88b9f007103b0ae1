#include "harness/compile/source_rules.hpp"

#include <algorithm>
#include <cctype>
#include <regex>

#include "harness/compile/source_text.hpp"

namespace kgen::compile {
namespace {

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
}

/// Position after blanks and comments that starts at `at`; newlines count only inside block comments.
std::size_t skip_blanks(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    if (text[at] == ' ' || text[at] == '\t' || text[at] == '\v' || text[at] == '\f' || text[at] == '\r') {
      ++at;
    } else if (text.substr(at).starts_with("/*")) {
      const std::size_t end = text.find("*/", at + 2);
      at = end == std::string_view::npos ? text.size() : end + 2;
    } else {
      break;
    }
  }
  return at;
}

std::string_view word_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_word(text[end])) ++end;
  return text.substr(at, end - at);
}

/// The header's name behind <, " or nothing where it is neither or does not end on its line.
std::optional<std::string> header_name(std::string_view text, std::size_t at) {
  if (at >= text.size() || (text[at] != '<' && text[at] != '"')) return std::nullopt;
  const char close = text[at] == '<' ? '>' : '"';
  const std::size_t end =
      text.find_first_of(close == '>' ? std::string_view(">\n") : std::string_view("\"\n"), at + 1);
  if (end == std::string_view::npos || text[end] != close) return std::nullopt;
  return std::string(text.substr(at + 1, end - at - 1));
}

/// Why a header of this name is not opened, or an empty text.
std::string why_refused(const std::string& name) {
  if (name.empty()) return "the name is empty";
  if (name.front() == '/') return "absolute paths are not accepted";
  if (name.find("..") != std::string::npos) return "paths with '..' are not accepted";
  const bool plain = std::all_of(name.begin(), name.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.' || c == '/' ||
           c == '+';
  });
  return plain ? "" : "only letters, digits and _ - . / + are accepted in a header's name";
}

struct Scanner {
  const LogicalText& logical;
  std::string_view text;
  SourceScan result;

  void refuse(std::size_t at, const std::string& message) {
    core::Diagnostic diagnostic;
    diagnostic.severity = "error";
    diagnostic.line = logical.line_of(at);
    diagnostic.message = message;
    result.refused.push_back(std::move(diagnostic));
  }

  /// `at` is behind the word `directive`: the operand of an include or of __has_include.
  void check_operand(std::size_t at, std::string_view directive, bool is_include) {
    const std::optional<std::string> name = header_name(text, skip_blanks(text, at));
    if (!name) {
      refuse(at, "write the header's name behind " + std::string(directive) +
                     " as <name>; macros are not accepted there");
    } else if (const std::string why = why_refused(*name); !why.empty()) {
      refuse(at, std::string(directive) + " of a file outside the include folders: " + why);
    } else if (is_include) {
      result.includes.push_back({*name, logical.line_of(at)});
    }
  }

  /// `at` is behind a '#' or its digraph.
  void check_directive(std::size_t at) {
    const std::size_t start = skip_blanks(text, at);
    const std::string_view word = word_at(text, start);
    const std::size_t behind = start + word.size();
    if (word == "include") {
      check_operand(behind, "#include", true);
    } else if (word == "include_next" || word == "import" || word == "embed") {
      refuse(start, "#" + std::string(word) + " is not accepted");
    } else if (word == "line" && behind < text.size() && !is_word(text[behind])) {
      check_line_directive(behind, start);
    } else if (!word.empty() &&
               std::all_of(word.begin(), word.end(), [](unsigned char c) { return std::isdigit(c); })) {
      const std::size_t next = skip_blanks(text, behind);
      if (next < text.size() && text[next] == '"') refuse(start, "line directives are not accepted");
    }
  }

  void check_line_directive(std::size_t behind, std::size_t start) {
    const std::size_t next = skip_blanks(text, behind);
    if (next < text.size() && (is_word(text[next]) || text[next] == '"')) {
      refuse(start, "#line is not accepted: diagnostics name the file's own lines");
    }
  }

  void check_has_include(std::size_t at, std::string_view word) {
    std::size_t open = skip_blanks(text, at + word.size());
    if (open < text.size() && text[open] == '(') check_operand(open + 1, word, false);
  }

  void scan() {
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (text[at] == '#') check_directive(at + 1);
      if (text.substr(at).starts_with("%:")) check_directive(at + 2);
      if (text.substr(at).starts_with("__has_")) {
        const std::string_view word = word_at(text, at);
        if (word == "__has_include" || word == "__has_embed" || word == "__has_include_next")
          check_has_include(at, word);
      }
    }
  }
};

}  // namespace

SourceScan scan_source(std::string_view source) {
  const LogicalText logical = logical_text(source);
  Scanner scanner{logical, logical.text, {}};
  scanner.scan();
  if (const std::size_t zero = source.find('\0'); zero != std::string_view::npos) {
    scanner.refuse(0, "the file has a NUL character at byte " + std::to_string(zero));
  }
  return std::move(scanner.result);
}

std::vector<std::string> global_functions(std::string_view source) {
  const std::string text = without_comments(source);
  static const std::regex kLaunchBounds(
      R"(__(launch_bounds|cluster_dims|block_size|maxnreg)__\s*\([^()]*(\([^()]*\)[^()]*)*\))");
  const std::string plain = std::regex_replace(text, kLaunchBounds, " ");
  static const std::regex kGlobal(R"(__global__[\s\w:]*?\b([A-Za-z_]\w*)\s*\()");
  std::vector<std::string> names;
  for (std::sregex_iterator match(plain.begin(), plain.end(), kGlobal), end; match != end; ++match) {
    std::string name = (*match)[1];
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  }
  return names;
}

bool is_kernel_expression(std::string_view expression) {
  if (expression.empty() || expression.size() > 512) return false;
  const char first = expression.front();
  if (std::isalpha(static_cast<unsigned char>(first)) == 0 && first != '_' && first != ':') return false;
  constexpr std::string_view kOthers = "_:<>,()+-*/%&|!=~^?. ";
  const bool plain = std::all_of(expression.begin(), expression.end(), [&](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || kOthers.find(c) != std::string_view::npos;
  });
  return plain && expression.find("//") == std::string_view::npos &&
         expression.find("/*") == std::string_view::npos && expression.find('\\') == std::string_view::npos;
}

}  // namespace kgen::compile
