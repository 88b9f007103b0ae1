#include <algorithm>

#include "harness/emulator/doubt_flow.hpp"
#include "harness/emulator/function_decoder.hpp"

// What instructions do with values that nothing wrote (doubt.hpp).
namespace kgen::emulator {

/// Bytes 0 where the name is no register's.
DoubtRegister FunctionDecoder::find_doubt(const std::string& name) {
  const auto found = find_register(name);
  if (!found) return {};
  const auto [at, is_new] = doubts_.try_emplace(found->slot);
  if (is_new) {
    Program& program = shared_.program;
    const U32 masks = std::max(found->bytes, 1u);
    at->second = {program.doubt_masks, masks, program.doubt_registers++};
    program.doubt_masks += masks;
  }
  return {at->second, found->slot};
}

void FunctionDecoder::attach_doubt(std::size_t before) {
  if (!follows_doubt_) return;
  DoubtRule rule = doubt_rule(*ast_, [&](const std::string& name) { return find_doubt(name); });
  if (rule.guard.count == 0 && rule.stops.empty() && rule.flows.empty()) return;
  auto& code = shared_.program.code;
  const auto at = std::find_if(code.begin() + static_cast<std::ptrdiff_t>(before), code.end(),
                               [&](const Instr& one) { return one.guard == guard_; });
  if (at == code.end()) return;
  at->doubt = static_cast<U32>(shared_.program.doubt_rules.size());
  shared_.program.doubt_rules.push_back(std::move(rule));
}

}  // namespace kgen::emulator
