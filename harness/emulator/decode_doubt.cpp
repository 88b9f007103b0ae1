#include <algorithm>

#include "harness/emulator/doubt.hpp"
#include "harness/emulator/function_decoder.hpp"
#include "harness/emulator/register_flow.hpp"

// What instructions do with values that nothing wrote (doubt.hpp).
namespace kgen::emulator {

U32 FunctionDecoder::doubt_slot(const std::string& name) {
  const auto [at, is_new] = doubt_slots_.try_emplace(name, 0);
  if (is_new) {
    at->second = shared_.allocate(0);
    out_.registers.push_back({at->second, 0});
    shared_.program.doubt_slots.push_back(at->second);
  }
  return at->second;
}

/// What makes the operand at `place` count, if another one can make it of no account.
void FunctionDecoder::weigh_doubt(const RegisterFlow& flow, std::size_t place, DoubtSource& source) {
  if (!may_be_thrown_away(*ast_, place)) return;
  const std::string& word = ast_->opcode.front();
  const bool is_logic = word == "and" || word == "or";
  const std::size_t other = is_logic ? 3 - place : 3;
  source.is_certain = false;
  source.when = this->source(other, 0);
  source.negated = ast_->operands[other].negated;
  if (word == "selp" ? place == 2 : ast_->has("or") || word == "or") source.negated = !source.negated;
  source.when_doubt = shared_.constant(0, 0);
  for (const RegisterFlow::Source& one : flow.sources) {
    if (one.place == other && speculative_.registers.contains(one.name))
      source.when_doubt = doubt_slot(one.name);
  }
}

void FunctionDecoder::attach_doubt(std::size_t before) {
  if (speculative_.registers.empty()) return;
  const RegisterFlow flow = flow_of(function_, *ast_);
  DoubtRule rule;
  for (const std::string& name : flow.results) {
    if (speculative_.registers.contains(name)) rule.to.push_back(doubt_slot(name));
  }
  for (const RegisterFlow::Source& one : flow.sources) {
    const auto known = speculative_.registers.find(one.name);
    if (known == speculative_.registers.end()) continue;
    DoubtSource& source = rule.from.emplace_back();
    source.doubt = doubt_slot(one.name);
    source.loads.assign(known->second.begin(), known->second.end());
    weigh_doubt(flow, one.place, source);
  }
  if (rule.to.empty() && rule.from.empty()) return;
  rule.stops = !speculative_.carriers.contains(ast_);
  auto& code = shared_.program.code;
  const auto at =
      std::find_if(code.begin() + static_cast<std::ptrdiff_t>(before), code.end(),
                   [&](const Instr& one) { return one.flow == Flow::plain && one.guard == guard_; });
  if (at == code.end()) return;  // what the emulator does not know stops the launch itself
  if (is_speculative()) load_places_[speculative_.loads.at(ast_)] = static_cast<U32>(at - code.begin());
  rule.run = at->run;
  at->run = run_with_doubt;
  at->doubt = static_cast<U32>(shared_.program.doubt_rules.size());
  shared_.program.doubt_rules.push_back(std::move(rule));
}

void FunctionDecoder::resolve_doubt(std::size_t first_rule) {
  auto& rules = shared_.program.doubt_rules;
  for (std::size_t i = first_rule; i < rules.size(); ++i) {
    for (DoubtSource& source : rules[i].from) {
      for (U32& load : source.loads) {
        const auto at = load_places_.find(load);
        load = at == load_places_.end() ? kNever : at->second;
      }
    }
  }
}

}  // namespace kgen::emulator
