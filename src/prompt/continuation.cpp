#include "prompt/prompt_builder.hpp"
#include "prompt/template.hpp"

namespace kgen::prompt {

Result<Messages> continuation_prompt(const PromptLibrary& library, const Messages& messages,
                                     const std::string& reply_so_far) {
  Values values;
  values.texts = {{"user", messages.user}, {"reply_so_far", reply_so_far}};
  KGEN_TRY(std::string user, render("continue.mustache", library.text("continue.mustache"), values));
  return Messages{messages.system, std::move(user)};
}

std::string join_continuation(const std::string& first, const std::string& second) {
  // Models often open the block anew although told not to: a fence as the very first thing is not part of the
  // file where the first part ended inside a block.
  std::size_t fences = 0;
  for (std::size_t at = first.find("```"); at != std::string::npos; at = first.find("```", at + 3)) ++fences;
  const std::size_t begin = second.find_first_not_of(" \t\r\n");
  if (fences % 2 == 1 && begin != std::string::npos && second.compare(begin, 3, "```") == 0) {
    const std::size_t line_end = second.find('\n', begin);
    const bool opens =
        line_end != std::string::npos && second.find_first_not_of(" \t\r\n", begin + 3) < line_end;
    if (opens) return first + second.substr(line_end + 1);
  }
  return first + second;
}

}  // namespace kgen::prompt
