#include "prompt/knowledge_text.hpp"

#include "prompt/format.hpp"

namespace kgen::prompt {
namespace {

/// A list item: the lines after the first are indented.
std::string as_item(const std::string& text) {
  std::string out = "- ";
  for (const char c : without_last_newlines(text)) {
    out += c;
    if (c == '\n') out += "  ";
  }
  return out + "\n";
}

Result<std::string> fact_text(const PromptLibrary& library, const Fact& fact, const Values& values) {
  KGEN_TRY(std::string text, render("fact " + fact.id, fact.text, values));
  text = as_item(text);
  if (fact.code.empty()) return text;
  if (!library.has(fact.code)) {
    return fail(ErrorKind::bad_input, "fact " + fact.id + ": there is no prompt text '" + fact.code + "'");
  }
  return text + "\n```\n" + without_last_newlines(library.text(fact.code)) + "\n```\n\n";
}

}  // namespace

Result<std::vector<KnowledgeFile>> read_knowledge(const PromptLibrary& library) {
  std::vector<KnowledgeFile> out;
  for (const std::string& name : library.names_in("knowledge/")) {
    KGEN_TRY(KnowledgeFile file, parse_knowledge(library.text(name), name));
    out.push_back(std::move(file));
  }
  return out;
}

Result<std::string> knowledge_text(const PromptLibrary& library, const core::DeviceFacts& device,
                                   const core::Task& task, const Values& values) {
  KGEN_TRY(const std::vector<KnowledgeFile> files, read_knowledge(library));
  std::string text;
  for (const KnowledgeFile& file : select_knowledge(files, device, task)) {
    text += (text.empty() ? "## " : "\n## ") + file.title + "\n\n";
    for (const Fact& fact : file.facts) {
      KGEN_TRY(const std::string item, fact_text(library, fact, values));
      text += item;
    }
  }
  return without_last_newlines(text);
}

}  // namespace kgen::prompt
