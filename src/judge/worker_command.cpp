#include "judge/worker_command.hpp"

#include <unistd.h>

#include "util/file.hpp"

namespace kgen::judge {
namespace {

constexpr const char* kWorkerName = "kgen-worker";

/// State of the splitter: the words so far and the one being read.
struct Words {
  std::vector<std::string> done;
  std::string word;
  bool open = false;  ///< a word has begun (it may still be empty: '')

  void add(char c) {
    word += c;
    open = true;
  }
  void end() {
    if (open) done.push_back(std::move(word));
    word.clear();
    open = false;
  }
};

/// Reads a quoted part that begins at text[at]; leaves `at` on the closing quote. False where it is not
/// closed.
bool read_quoted(std::string_view text, std::size_t& at, Words& words) {
  const char quote = text[at];
  words.open = true;
  for (++at; at < text.size() && text[at] != quote; ++at) {
    const bool escaped = quote == '"' && text[at] == '\\' && at + 1 < text.size() &&
                         (text[at + 1] == '"' || text[at + 1] == '\\');
    if (escaped) ++at;
    words.add(text[at]);
  }
  return at < text.size();
}

tl::unexpected<Error> cannot_split(std::string_view text, const std::string& why) {
  return fail(ErrorKind::bad_input, "worker command \"" + std::string(text) + "\": " + why,
              "give a command as for a shell, e.g. --worker 'ssh gpubox kgen-worker'");
}

}  // namespace

Result<std::vector<std::string>> split_command(std::string_view text) {
  Words words;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == ' ' || c == '\t' || c == '\n') {
      words.end();
    } else if (c == '\'' || c == '"') {
      if (!read_quoted(text, at, words)) return cannot_split(text, std::string("no closing ") + c);
    } else if (c == '\\') {
      if (++at == text.size()) return cannot_split(text, "a backslash stands at the end");
      words.add(text[at]);
    } else {
      words.add(c);
    }
  }
  words.end();
  if (words.done.empty()) return cannot_split(text, "it has no words");
  return std::move(words.done);
}

Result<std::vector<std::string>> worker_command(std::string_view configured) {
  if (!configured.empty()) return split_command(configured);
  const std::filesystem::path own = util::program_folder();
  for (const auto& folder : {own, own / ".." / ".." / "harness"}) {
    const auto candidate = (folder / kWorkerName).lexically_normal();
    if (access(candidate.c_str(), X_OK) == 0) return std::vector<std::string>{candidate.string()};
  }
  if (const auto found = util::find_program(kWorkerName)) return std::vector<std::string>{found->string()};
  return fail(ErrorKind::missing,
              std::string("no ") + kWorkerName + " in " + own.string() + ", its build tree or $PATH",
              "build it (it needs the CUDA toolkit's headers), or name one with --worker CMD");
}

}  // namespace kgen::judge
