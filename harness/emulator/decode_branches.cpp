#include "harness/emulator/function_decoder.hpp"

namespace kgen::emulator {

std::size_t FunctionDecoder::find_label(const std::string& name) const {
  if (const auto place = ptx::place_of_label(function_, ast_->scope, name)) return *place;
  bad("unknown label '" + name + "'");
}

void FunctionDecoder::branch_to(const std::string& label, Instr instr) {
  branches_.push_back({shared_.program.code.size(), 0, {find_label(label)}, false});
  emit(instr);
}

void FunctionDecoder::branch_table(const std::string& name, Instr instr) {
  const std::vector<std::string>* targets = nullptr;
  for (int scope = ast_->scope; scope >= 0;
       scope = function_.scopes[static_cast<std::size_t>(scope)].parent) {
    const auto& tables = function_.scopes[static_cast<std::size_t>(scope)].branch_targets;
    const auto found = tables.find(name);
    if (found != tables.end()) targets = &found->second;
  }
  if (targets == nullptr) bad("unknown list of branch targets '" + name + "'");
  PendingBranch pending{shared_.program.code.size(), shared_.program.slots.size(), {}, true};
  for (const auto& label : *targets) pending.labels.push_back(find_label(label));
  instr.list = static_cast<U32>(pending.list);
  instr.imm = static_cast<I64>(targets->size());
  shared_.program.slots.resize(pending.list + targets->size());
  branches_.push_back(std::move(pending));
  emit(instr);
}

void FunctionDecoder::resolve_branches() {
  for (const PendingBranch& pending : branches_) {
    if (!pending.is_table) {
      shared_.program.code[pending.instr].target = begins_[pending.labels.front()];
      continue;
    }
    for (std::size_t i = 0; i < pending.labels.size(); ++i)
      shared_.program.slots[pending.list + i] = begins_[pending.labels[i]];
  }
}

}  // namespace kgen::emulator
