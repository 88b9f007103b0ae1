#pragma once

#include <string>
#include <vector>

#include "prompt/knowledge.hpp"
#include "prompt/prompt_library.hpp"
#include "prompt/template.hpp"

namespace kgen::prompt {

/// The library's files of knowledge, in the order of their names. Errors: bad_input, naming file and field.
Result<std::vector<KnowledgeFile>> read_knowledge(const PromptLibrary& library);

/// What a prompt says of making kernels fast: the knowledge that holds for a task on a device, as Markdown.
/// `values` are what the facts' texts may name. Errors: bad_input, naming the file or the fact.
Result<std::string> knowledge_text(const PromptLibrary& library, const core::DeviceFacts& device,
                                   const core::Task& task, const Values& values);

}  // namespace kgen::prompt
