#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "harness/emulator/ptx_lexer.hpp"

namespace kgen::emulator::ptx {

/// A place in a list of tokens, with what every parser of PTX does there.
class Cursor {
 public:
  explicit Cursor(const std::vector<Token>& tokens) : tokens_(tokens) {}

  const Token& peek(std::size_t ahead = 0) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
  }
  const Token& take() {
    const Token& token = peek();
    if (at_ + 1 < tokens_.size()) ++at_;
    return token;
  }
  bool at_end() const { return peek().kind == Token::Kind::end; }
  bool at_sign(char c, std::size_t ahead = 0) const {
    const Token& token = peek(ahead);
    return token.kind == Token::Kind::sign && token.text.front() == c;
  }
  bool at_word(std::string_view word) const {
    return peek().kind == Token::Kind::word && peek().text == word;
  }
  bool at_kind(Token::Kind kind) const { return peek().kind == kind; }
  /// Takes the sign if it is next.
  bool skip(char c) {
    if (!at_sign(c)) return false;
    take();
    return true;
  }
  bool skip_word(std::string_view word) {
    if (!at_word(word)) return false;
    take();
    return true;
  }
  tl::unexpected<Error> error(const std::string& what) const {
    const Token& token = peek();
    const std::string found = at_end() ? "the end of the text" : "'" + std::string(token.text) + "'";
    return fail(ErrorKind::bad_input,
                "PTX line " + std::to_string(token.line) + ": expected " + what + ", found " + found);
  }
  Status expect(char c) {
    if (skip(c)) return {};
    return error(std::string("'") + c + "'");
  }
  Result<std::string> word(const char* what) {
    if (!at_kind(Token::Kind::word)) return error(what);
    return std::string(take().text);
  }
  /// An integer with its sign.
  Result<std::int64_t> integer(const char* what) {
    const bool negative = skip('-');
    if (!at_kind(Token::Kind::integer)) return error(what);
    const std::uint64_t bits = take().bits;
    return static_cast<std::int64_t>(negative ? 0 - bits : bits);
  }

 private:
  const std::vector<Token>& tokens_;
  std::size_t at_ = 0;
};

}  // namespace kgen::emulator::ptx
