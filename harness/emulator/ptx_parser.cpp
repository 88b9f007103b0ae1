#include "harness/emulator/ptx_parser.hpp"

#include "harness/emulator/ptx_lines.hpp"
#include "harness/emulator/ptx_statement.hpp"
#include "harness/emulator/ptx_variable.hpp"

namespace kgen::emulator::ptx {
namespace {

constexpr std::size_t kMostInstructions = 1'000'000;

class Parser {
 public:
  Parser(const std::vector<Token>& tokens, std::string_view source_file)
      : cursor_(tokens), lines_(tokens, source_file) {}

  Result<Module> run() {
    while (!cursor_.at_end()) KGEN_CHECK(parse_top());
    if (module_.target.empty()) return cursor_.error("a .target directive");
    return std::move(module_);
  }

 private:
  Status parse_top() {
    if (cursor_.skip(';')) return {};
    if (!cursor_.at_kind(Token::Kind::word)) return cursor_.error("a directive");
    const std::string_view word = cursor_.peek().text;
    if (word == ".version") return take_words(module_.version);
    if (word == ".target") return take_words(module_.target);
    if (word == ".address_size") return skip_tokens(2);
    if (word == ".file") return skip_file();
    if (word == ".section") return skip_section();
    if (word == ".loc") return skip_location();
    if (word == ".pragma" || word == ".alias") return skip_statement();
    const bool external = skip_linkage();
    if (cursor_.at_word(".entry") || cursor_.at_word(".func")) return parse_function();
    KGEN_TRY(auto variables, parse_variables(cursor_));
    for (Variable& variable : variables) {
      variable.external = external;
      module_.variables.push_back(std::move(variable));
    }
    return cursor_.expect(';');
  }

  /// .visible, .extern, .weak, .common, .internal; true for .extern.
  bool skip_linkage() {
    bool external = false;
    while (true) {
      if (cursor_.skip_word(".extern")) {
        external = true;
      } else if (!cursor_.skip_word(".visible") && !cursor_.skip_word(".weak") &&
                 !cursor_.skip_word(".common") && !cursor_.skip_word(".internal")) {
        return external;
      }
    }
  }

  /// ".version 9.0": the number was cut as a float, so only the line matters.
  Status take_words(std::string& to) {
    const int line = cursor_.take().line;
    to = "?";
    while (!cursor_.at_end() && cursor_.peek().line == line) {
      if (cursor_.at_kind(Token::Kind::word) && to == "?") to = std::string(cursor_.peek().text);
      cursor_.take();
    }
    return {};
  }
  Status skip_tokens(int count) {
    for (int i = 0; i < count; ++i) cursor_.take();
    return {};
  }
  Status skip_statement() {
    while (!cursor_.at_end() && !cursor_.at_sign(';')) cursor_.take();
    return cursor_.expect(';');
  }
  Status skip_location() {
    cursor_.take();
    return lines_.read(cursor_);
  }
  /// .file 1 "name" [, time, size]
  Status skip_file() {
    skip_tokens(3);
    while (cursor_.skip(',')) cursor_.take();
    return {};
  }
  Status skip_section() {
    while (!cursor_.at_end() && !cursor_.at_sign('{')) cursor_.take();
    while (!cursor_.at_end() && !cursor_.at_sign('}')) cursor_.take();
    return cursor_.expect('}');
  }

  Status parse_function() {
    Function function;
    function.is_entry = cursor_.take().text == ".entry";
    if (!function.is_entry && cursor_.at_sign('(')) {
      KGEN_TRY(function.results, parse_parameters(cursor_));
    }
    KGEN_TRY(function.name, cursor_.word("a function's name"));
    if (cursor_.at_sign('(')) {
      KGEN_TRY(function.parameters, parse_parameters(cursor_));
    }
    KGEN_CHECK(parse_attributes(function));
    if (cursor_.skip('{')) {
      function.is_defined = true;
      lines_.forget();
      KGEN_CHECK(parse_body(function));
    } else {
      KGEN_CHECK(cursor_.expect(';'));
    }
    module_.functions.push_back(std::move(function));
    return {};
  }

  /// Performance directives between the parameters and the body.
  Status parse_attributes(Function& function) {
    while (!cursor_.at_end() && !cursor_.at_sign('{') && !cursor_.at_sign(';')) {
      KGEN_TRY(const std::string word, cursor_.word("a directive or '{'"));
      if (word == ".maxntid" || word == ".reqntid") {
        KGEN_CHECK(parse_extents(word == ".maxntid" ? function.most_threads : function.required_threads));
      } else if (word == ".reqnctapercluster" || word == ".explicitcluster") {
        function.has_cluster = true;
      } else if (word == ".pragma") {
        return skip_statement();
      }
      while (cursor_.at_kind(Token::Kind::integer) || cursor_.at_sign(',')) cursor_.take();
    }
    return {};
  }

  Status parse_extents(std::array<std::int64_t, 3>& extents) {
    extents = {1, 1, 1};
    for (std::size_t i = 0; i < 3; ++i) {
      KGEN_TRY(extents[i], cursor_.integer("a number of threads"));
      if (extents[i] < 1 || extents[i] > 1024) return cursor_.error("1 to 1024 threads");
      if (!cursor_.skip(',')) return {};
    }
    return {};
  }

  Status parse_body(Function& function) {
    function.scopes.emplace_back();
    std::vector<int> open{0};
    while (!open.empty()) {
      if (cursor_.at_end()) return cursor_.error("'}'");
      if (cursor_.skip('}')) {
        open.pop_back();
      } else if (cursor_.skip('{')) {
        if (open.size() > 64) return cursor_.error("less deep nesting");
        function.scopes.push_back({open.back(), {}, {}, {}});
        open.push_back(static_cast<int>(function.scopes.size()) - 1);
      } else {
        KGEN_CHECK(parse_statement(function, open.back()));
      }
    }
    return {};
  }

  Status parse_statement(Function& function, int scope) {
    if (cursor_.skip(';')) return {};
    const Token& token = cursor_.peek();
    Scope& names = function.scopes[static_cast<std::size_t>(scope)];
    if (token.kind == Token::Kind::word && cursor_.at_sign(':', 1)) {
      skip_tokens(2);
      if (cursor_.at_word(".branchtargets")) return parse_branch_targets(names, std::string(token.text));
      if (cursor_.at_word(".callprototype") || cursor_.at_word(".calltargets")) return skip_statement();
      if (!names.labels.emplace(token.text, function.code.size()).second)
        return cursor_.error("a label of another name before this");
      return {};
    }
    if (token.kind == Token::Kind::word && token.text.front() == '.') return parse_directive(function, names);
    if (function.code.size() >= kMostInstructions) return cursor_.error("at most a million instructions");
    KGEN_TRY(auto instruction, parse_instruction(cursor_));
    instruction.scope = scope;
    instruction.line = lines_.line();
    function.code.push_back(std::move(instruction));
    return {};
  }

  Status parse_branch_targets(Scope& names, const std::string& name) {
    cursor_.take();
    std::vector<std::string> targets;
    do {
      KGEN_TRY(targets.emplace_back(), cursor_.word("a label"));
    } while (cursor_.skip(','));
    names.branch_targets[name] = std::move(targets);
    return cursor_.expect(';');
  }

  Status parse_directive(Function& function, Scope& names) {
    const std::string_view word = cursor_.peek().text;
    if (word == ".loc") return skip_location();
    if (word == ".file") return skip_file();
    if (word == ".section") return skip_section();
    if (word == ".pragma") return skip_statement();
    skip_linkage();
    KGEN_TRY(auto variables, parse_variables(cursor_));
    for (Variable& variable : variables) {
      names.variables[variable.name] = function.variables.size();
      function.variables.push_back(std::move(variable));
    }
    return cursor_.expect(';');
  }

  Cursor cursor_;
  SourceLines lines_;
  Module module_;
};

}  // namespace

Result<Module> parse_module(std::string_view ptx, std::string_view source_file) {
  KGEN_TRY(const auto tokens, lex(ptx));
  return Parser(tokens, source_file).run();
}

std::optional<std::size_t> place_of_label(const Function& function, int scope, const std::string& label) {
  for (; scope >= 0; scope = function.scopes[static_cast<std::size_t>(scope)].parent) {
    const auto& labels = function.scopes[static_cast<std::size_t>(scope)].labels;
    if (const auto found = labels.find(label); found != labels.end()) return found->second;
  }
  return std::nullopt;
}

}  // namespace kgen::emulator::ptx
