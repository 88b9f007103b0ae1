#include "harness/emulator/ptx_lexer.hpp"

#include <charconv>
#include <cstring>
#include <optional>

#include "harness/emulator/lanes.hpp"

namespace kgen::emulator::ptx {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_word_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '%' || c == '.';
}
bool is_word(char c) {
  return is_word_start(c) || is_digit(c);
}

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Result<std::vector<Token>> run() {
    std::vector<Token> out;
    while (true) {
      KGEN_CHECK(skip_blanks());
      if (at_ >= text_.size()) break;
      KGEN_TRY(out.emplace_back(), next());
    }
    out.push_back({Token::Kind::end, {}, 0, line_});
    return out;
  }

 private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  Error error(const std::string& what) const {
    return {ErrorKind::bad_input, "PTX line " + std::to_string(line_) + ": " + what, ""};
  }

  Status skip_blanks() {
    while (at_ < text_.size()) {
      const char c = peek();
      if (c == '\n') ++line_;
      if (c == '/' && peek(1) == '/') {
        while (at_ < text_.size() && peek() != '\n') ++at_;
      } else if (c == '/' && peek(1) == '*') {
        KGEN_CHECK(skip_comment());
      } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
        ++at_;
      } else {
        return {};
      }
    }
    return {};
  }

  Status skip_comment() {
    const std::size_t end = text_.find("*/", at_ + 2);
    if (end == std::string_view::npos) return tl::unexpected(error("a comment has no end"));
    for (; at_ < end + 2; ++at_) line_ += text_[at_] == '\n' ? 1 : 0;
    return {};
  }

  Result<Token> next() {
    const char c = peek();
    // A dot before a digit begins no directive; such floats are not PTX.
    if (is_digit(c)) return number();
    if (is_word_start(c)) return word();
    if (c == '"') return quoted();
    constexpr std::string_view kSigns = ",;:{}[]()@!+-|<>=*&~?/^";
    if (kSigns.find(c) == std::string_view::npos) {
      return tl::unexpected(error("unexpected character with code " +
                                  std::to_string(static_cast<int>(static_cast<unsigned char>(c)))));
    }
    return Token{Token::Kind::sign, text_.substr(at_++, 1), 0, line_};
  }

  Result<Token> word() {
    const std::size_t begin = at_;
    const bool is_directive = peek() == '.';  // ".reg.b16" is two words, "ld.global" is one
    while (is_word(peek()) || (peek() == ':' && peek(1) == ':' && is_word(peek(2)))) {
      if (is_directive && peek() == '.' && at_ > begin) break;
      at_ += peek() == ':' ? 2 : 1;
    }
    const std::string_view text = text_.substr(begin, at_ - begin);
    if (text == "WARP_SZ") return Token{Token::Kind::integer, text, kLanes, line_};
    return Token{Token::Kind::word, text, 0, line_};
  }

  Result<Token> quoted() {
    const std::size_t begin = ++at_;
    while (at_ < text_.size() && peek() != '"' && peek() != '\n') ++at_;
    if (peek() != '"') return tl::unexpected(error("a text has no closing quote"));
    return Token{Token::Kind::text, text_.substr(begin, at_++ - begin), 0, line_};
  }

  Result<Token> hex_float(std::size_t digits, Token::Kind kind) {
    std::uint64_t bits = 0;
    const char* const first = text_.data() + at_ + 2;
    if (at_ + 2 + digits > text_.size()) return tl::unexpected(error("a number is cut off"));
    const auto [end, code] = std::from_chars(first, first + digits, bits, 16);
    if (code != std::errc{} || end != first + digits) return tl::unexpected(error("not a number"));
    const Token token{kind, text_.substr(at_, digits + 2), bits, line_};
    at_ += digits + 2;
    return token;
  }

  Result<Token> number() {
    const char second = peek(1);
    if (peek() == '0' && (second == 'f' || second == 'F')) return hex_float(8, Token::Kind::float32);
    if (peek() == '0' && (second == 'd' || second == 'D')) return hex_float(16, Token::Kind::float64);
    int base = 10;
    std::size_t begin = at_;
    if (peek() == '0' && (second == 'x' || second == 'X')) {
      base = 16;
      begin += 2;
    } else if (peek() == '0' && (second == 'b' || second == 'B')) {
      base = 2;
      begin += 2;
    } else if (peek() == '0' && is_digit(second)) {
      base = 8;
    } else if (const auto real = decimal_float()) {
      return *real;
    }
    std::uint64_t bits = 0;
    const auto [end, code] = std::from_chars(text_.data() + begin, text_.data() + text_.size(), bits, base);
    if (code != std::errc{}) return tl::unexpected(error("not a number of at most 64 bits"));
    const Token token{Token::Kind::integer, text_.substr(at_, 1), bits, line_};
    at_ = static_cast<std::size_t>(end - text_.data());
    if (peek() == 'U') ++at_;
    return token;
  }

  /// 1.5, 1e3: taken where a point or an exponent follows the digits.
  std::optional<Token> decimal_float() {
    std::size_t end = at_;
    while (end < text_.size() && is_digit(text_[end])) ++end;
    const char mark = end < text_.size() ? text_[end] : '\0';
    if (mark != '.' && mark != 'e' && mark != 'E') return std::nullopt;
    double value = 0;
    const auto [stop, code] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (code != std::errc{}) return std::nullopt;
    Token token{Token::Kind::float64, {}, 0, line_};
    std::memcpy(&token.bits, &value, sizeof value);
    at_ = static_cast<std::size_t>(stop - text_.data());
    return token;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
};

}  // namespace

Result<std::vector<Token>> lex(std::string_view ptx) {
  return Lexer(ptx).run();
}

}  // namespace kgen::emulator::ptx
