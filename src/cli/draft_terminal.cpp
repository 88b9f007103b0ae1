#include "cli/draft_terminal.hpp"

#include <cstdio>
#include <iostream>

#include "util/interrupt.hpp"
#include "util/terminal.hpp"
#include "util/text.hpp"

namespace kgen::cli {
namespace {

/// The next line of stdin, trimmed. Nothing at its end, and where a signal came.
std::optional<std::string> next_line() {
  std::string line;
  if (!std::getline(std::cin, line) || util::interrupted()) return std::nullopt;
  return std::string(util::trimmed(line));
}

}  // namespace

bool someone_is_there() {
  return util::is_terminal(stdin) && util::is_terminal(stderr);
}

std::optional<std::vector<std::string>> ask_questions(const std::vector<std::string>& questions) {
  std::vector<std::string> answers;
  std::fputs("The model asks (an empty line: no preference):\n", stderr);
  for (const std::string& question : questions) {
    std::fprintf(stderr, "%s\n> ", util::printable(question).c_str());
    const auto answer = next_line();
    if (!answer) return std::nullopt;
    answers.push_back(*answer);
  }
  return answers;
}

DraftDecision ask_decision(const std::string& text) {
  std::fprintf(stderr, "%s\nAccept it? [y/N, or what to change] > ", text.c_str());
  const std::string said = next_line().value_or("");
  if (said == "y" || said == "Y" || said == "yes") return {true, ""};
  if (said == "n" || said == "N" || said == "no") return {};
  return {false, said};
}

}  // namespace kgen::cli
