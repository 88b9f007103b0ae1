#include "prompt/prompt_library.hpp"

#include <span>
#include <system_error>

#include "util/embedded.hpp"
#include "util/file.hpp"
#include "util/text.hpp"

namespace kgen::embedded {
std::span<const util::EmbeddedFile> prompts();
}

namespace kgen::prompt {

namespace fs = std::filesystem;

Result<PromptLibrary> PromptLibrary::load(const fs::path& folder) {
  PromptLibrary library;
  for (const util::EmbeddedFile& file : embedded::prompts()) library.texts_.emplace(file.name, file.text);
  if (folder.empty()) return library;
  std::error_code error;
  for (const auto& entry : fs::recursive_directory_iterator(folder, error)) {
    if (!entry.is_regular_file()) continue;
    const std::string name = fs::relative(entry.path(), folder).generic_string();
    if (!library.has(name) && !name.starts_with("explore/") && !name.starts_with("knowledge/")) {
      std::string known;
      for (const auto& [text_name, text] : library.texts_) known += (known.empty() ? "" : ", ") + text_name;
      return fail(ErrorKind::bad_input, entry.path().string() + " replaces no prompt text",
                  "the texts are: " + known);
    }
    KGEN_TRY(library.texts_[name], util::read_file(entry.path()));
  }
  if (error) return fail(ErrorKind::bad_input, "prompts folder " + folder.string() + ": " + error.message());
  return library;
}

const std::string& PromptLibrary::text(std::string_view name) const {
  static const std::string kNone;
  const auto found = texts_.find(name);
  return found == texts_.end() ? kNone : found->second;
}

bool PromptLibrary::has(std::string_view name) const {
  return texts_.find(name) != texts_.end();
}

std::vector<std::string> PromptLibrary::names_in(std::string_view folder) const {
  std::vector<std::string> out;
  for (const auto& [name, text] : texts_) {
    if (name.starts_with(folder)) out.push_back(name);
  }
  return out;
}

std::vector<Advice> PromptLibrary::advice(std::string_view file) const {
  return sections_of(text(file));
}

std::vector<Advice> sections_of(std::string_view text) {
  std::vector<Advice> out;
  std::size_t at = text.starts_with("## ") ? 0 : text.find("\n## ");
  while (at != std::string_view::npos && at < text.size()) {
    if (text[at] == '\n') ++at;
    const std::size_t line_end = std::min(text.find('\n', at), text.size());
    const std::size_t next = text.find("\n## ", line_end);
    out.push_back({std::string(util::trimmed(text.substr(at + 3, line_end - at - 3))),
                   std::string(util::trimmed(
                       text.substr(line_end, next == std::string_view::npos ? next : next - line_end)))});
    at = next;
  }
  return out;
}

}  // namespace kgen::prompt
