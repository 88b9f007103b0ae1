#include "harness/emulator/function_decoder.hpp"

#include <algorithm>
#include <cctype>

namespace kgen::emulator {

U64 bytes_of(const ptx::Variable& variable) {
  const I64 bytes = variable.bytes();
  if (bytes < 0 || bytes > (I64{1} << 28))
    throw BadPtx{variable.line, "variable " + variable.name + " is too large"};
  return static_cast<U64>(bytes);
}

void FunctionDecoder::place_variables() {
  for (const auto* list : {&function_.parameters, &function_.results}) {
    auto& places = list == &function_.parameters ? out_.parameters : out_.results;
    U64& end = function_.is_entry ? out_.parameter_bytes : out_.frame_bytes;
    for (const ptx::Variable& variable : *list) {
      const U64 at = aligned(end, variable.align);
      end = at + bytes_of(variable);
      places.push_back({at, bytes_of(variable)});
      parameters_[variable.name] = places.back();
    }
  }
  for (const ptx::Space space : {ptx::Space::param, ptx::Space::local}) {  // what overflows lies at the end
    for (const ptx::Variable& variable : function_.variables) {
      if (variable.space != space) continue;
      const U64 at = aligned(out_.frame_bytes, std::max<I64>(variable.align, 1));
      frame_offsets_[&variable] = at;
      out_.frame_bytes = at + bytes_of(variable);
      out_.locals.push_back({variable.name, at, bytes_of(variable)});
    }
  }
  out_.frame_bytes = aligned(out_.frame_bytes, 16);
}

const ptx::Variable* FunctionDecoder::find_variable(const std::string& name) const {
  for (int scope = ast_ == nullptr ? 0 : ast_->scope; scope >= 0;
       scope = function_.scopes[static_cast<std::size_t>(scope)].parent) {
    const auto& names = function_.scopes[static_cast<std::size_t>(scope)].variables;
    const auto found = names.find(name);
    if (found != names.end()) return &function_.variables[found->second];
  }
  return nullptr;
}

std::optional<Register> FunctionDecoder::find_register(const std::string& name) const {
  // %r12 is declared as %r<69>: the digits behind the longest name that is.
  std::size_t digits = name.size();
  while (digits > 1 && std::isdigit(static_cast<unsigned char>(name[digits - 1])) != 0) --digits;
  for (int scope = ast_ == nullptr ? 0 : ast_->scope; scope >= 0;
       scope = function_.scopes[static_cast<std::size_t>(scope)].parent) {
    const auto& names = function_.scopes[static_cast<std::size_t>(scope)].variables;
    auto found = names.find(name);
    const bool whole = found != names.end() && !function_.variables[found->second].is_range;
    for (std::size_t cut = name.size() - 1; !whole && cut >= digits && cut > 0; --cut) {
      found = names.find(name.substr(0, cut));
      if (found != names.end() && function_.variables[found->second].is_range) break;
      found = names.end();
    }
    if (found == names.end()) continue;
    const ptx::Variable& variable = function_.variables[found->second];
    if (variable.space != ptx::Space::reg) return std::nullopt;
    if (variable.is_range) {
      if (name.size() == variable.name.size()) return std::nullopt;
      const std::string number = name.substr(variable.name.size());
      if (number.size() > 7 || std::stoll(number) >= variable.count) return std::nullopt;
    }
    const auto key = std::make_pair(scope, name);
    const auto known = registers_.find(key);
    if (known != registers_.end()) return known->second;
    auto* const self = const_cast<FunctionDecoder*>(this);
    const bool is_predicate = variable.type.kind == ptx::Type::Kind::predicate;
    const auto bytes = is_predicate ? 0u : static_cast<U32>(std::max(2, variable.type.bytes));
    const Register made{self->shared_.allocate(bytes), bytes};
    self->out_.registers.push_back({made.slot, made.bytes});
    self->registers_[key] = made;
    return made;
  }
  return std::nullopt;
}

std::optional<KernelParameter> FunctionDecoder::frame_place(const std::string& name) const {
  if (const ptx::Variable* const variable = find_variable(name)) {
    const auto at = frame_offsets_.find(variable);
    if (at != frame_offsets_.end()) return KernelParameter{at->second, bytes_of(*variable)};
  }
  const auto parameter = parameters_.find(name);
  if (!function_.is_entry && parameter != parameters_.end()) return parameter->second;
  return std::nullopt;
}

std::optional<U64> FunctionDecoder::variable_address(const std::string& name, bool& from_frame) const {
  from_frame = false;
  if (const auto place = frame_place(name)) {
    from_frame = true;
    return place->offset;
  }
  if (const ptx::Variable* const variable = find_variable(name)) {
    const auto at = shared_.shared.find(variable);
    return at == shared_.shared.end() ? std::nullopt : std::optional(at->second);
  }
  if (const auto parameter = parameters_.find(name); parameter != parameters_.end())
    return parameter->second.offset;
  if (const auto at = shared_.own.find(name); at != shared_.own.end()) return shared_.shared.at(at->second);
  if (const auto at = shared_.symbols->find(name); at != shared_.symbols->end()) return at->second;
  return std::nullopt;
}

}  // namespace kgen::emulator
