#include "harness/emulator/function_decoder.hpp"

#include <algorithm>
#include <cctype>
#include <cstring>

#include "harness/emulator/special.hpp"

namespace kgen::emulator {

using ptx::Operand;

U32 ModuleDecoding::allocate(U32 bytes) {
  // A cache line at least, so that vectors of lanes are aligned; predicates share none.
  const U32 size = bytes == 0 ? 4 : bytes * kLanes;
  const U32 align = bytes == 0 ? 4 : 64;
  program.register_bytes = (program.register_bytes + align - 1) / align * align;
  const U32 slot = program.register_bytes;
  program.register_bytes += size;
  if (program.register_bytes > (1u << 26)) throw BadPtx{0, "too many registers"};
  return slot;
}

U32 ModuleDecoding::constant(U64 bits, U32 bytes) {
  const auto [at, is_new] = constants.try_emplace({bits, bytes}, 0);
  if (is_new) {
    at->second = allocate(bytes);
    program.constants.push_back({at->second, bytes, bits});
  }
  return at->second;
}

FunctionDecoder::FunctionDecoder(ModuleDecoding& shared, const ptx::Function& function, DecodedFunction& out)
    : shared_(shared), function_(function), out_(out) {}

void FunctionDecoder::bad(const std::string& what) const {
  throw BadPtx{ast_ == nullptr ? 0 : ast_->ptx_line, what};
}

void FunctionDecoder::run() {
  out_.registers_begin = shared_.program.register_bytes;
  place_variables();
  find_swaps();
  speculative_ = speculative_loads(function_);
  const std::size_t first_rule = shared_.program.doubt_rules.size();
  out_.begin = static_cast<U32>(shared_.program.code.size());
  for (const ptx::Instruction& ast : function_.code) {
    begins_.push_back(static_cast<U32>(shared_.program.code.size()));
    decode_one(ast);
  }
  begins_.push_back(static_cast<U32>(shared_.program.code.size()));
  Instr end;  // the end of the text is a return
  end.flow = Flow::ret;
  end.name = name_of("ret");
  shared_.program.code.push_back(end);
  resolve_branches();
  resolve_doubt(first_rule);
  out_.registers_end = shared_.program.register_bytes;
}

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

const Operand& FunctionDecoder::operand(std::size_t index) const {
  if (index >= ast_->operands.size()) bad("an operand is missing of " + ast_->name());
  return ast_->operands[index];
}

std::size_t FunctionDecoder::types() const {
  return static_cast<std::size_t>(
      std::count_if(ast_->opcode.begin() + 1, ast_->opcode.end(),
                    [](const auto& part) { return ptx::parse_type(part).kind != ptx::Type::Kind::none; }));
}

ptx::Type FunctionDecoder::type(std::size_t index) const {
  for (std::size_t i = 1; i < ast_->opcode.size(); ++i) {
    ptx::Type found = ptx::parse_type(ast_->opcode[i]);
    if (found.kind != ptx::Type::Kind::none && index-- == 0) return found;
  }
  return {};
}

Modifiers FunctionDecoder::modifiers() const {
  Modifiers out;
  for (std::size_t i = 1; i < ast_->opcode.size(); ++i) {
    const std::string& part = ast_->opcode[i];
    if (part == "rz" || part == "rzi") out.rounding = Rounding::rz;
    if (part == "rm" || part == "rmi") out.rounding = Rounding::rm;
    if (part == "rp" || part == "rpi") out.rounding = Rounding::rp;
    if (part == "rna") out.rounding = Rounding::rna;
    out.ftz = out.ftz || part == "ftz";
    out.sat = out.sat || part == "sat" || part == "satfinite";
    out.relu = out.relu || part == "relu";
    out.nan = out.nan || part == "NaN";
    out.abs = out.abs || part == "abs";
    out.xorsign = out.xorsign || part == "xorsign";
  }
  return out;
}

void FunctionDecoder::find_swaps() {
  std::map<std::string, std::string> moved;  // mov.u32 %r1, variable: both are its address
  for (const ptx::Instruction& ast : function_.code) {
    if (ast.opcode.front() == "mov" && ast.operands.size() == 2)
      moved[ast.operands[0].text] = ast.operands[1].text;
  }
  for (const ptx::Instruction& ast : function_.code) {
    if (!ast.has("cas")) continue;
    for (const Operand& operand : ast.operands) {
      if (operand.kind != Operand::Kind::address) continue;
      swapped_[{operand.text, operand.bits}] = ast.ptx_line;
      const auto variable = moved.find(operand.text);
      if (variable != moved.end()) swapped_[{variable->second, operand.bits}] = ast.ptx_line;
    }
  }
}

bool FunctionDecoder::is_swapped(const Operand& address) const {
  const auto swap = swapped_.find({address.text, address.bits});
  return swap != swapped_.end() && ast_->ptx_line < swap->second;
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

U32 FunctionDecoder::source(const Operand& operand, U32 bytes) {
  if (operand.minus) throw NotEmulated{};
  switch (operand.kind) {
    case Operand::Kind::integer:
      return shared_.constant(bytes == 0   ? (operand.bits != 0 ? 1 : 0)
                              : bytes >= 8 ? operand.bits
                                           : operand.bits & ((U64{1} << (bytes * 8)) - 1),
                              bytes);
    case Operand::Kind::float32:
      return shared_.constant(operand.bits, bytes);
    case Operand::Kind::float64: {
      if (bytes != 4) return shared_.constant(operand.bits, bytes);
      double value = 0;
      std::memcpy(&value, &operand.bits, 8);
      const auto narrow = static_cast<float>(value);
      U32 bits = 0;
      std::memcpy(&bits, &narrow, 4);
      return shared_.constant(bits, bytes);
    }
    case Operand::Kind::name:
      break;
    default:
      bad("an operand of another kind is expected in " + ast_->name());
  }
  std::optional<Register> found = find_register(operand.text);
  if (!found) {
    if (auto special = find_special(operand.text)) {
      const auto [at, is_new] = shared_.specials.try_emplace(operand.text, 0);
      if (is_new) {
        at->second = shared_.allocate(special->bytes);
        special->slot = at->second;
        shared_.program.specials.push_back(*special);
      }
      found = Register{at->second, special->bytes};
    }
  }
  if (found) {
    if (found->bytes == bytes) return found->slot;
    if ((found->bytes == 0) != (bytes == 0))
      bad("'" + operand.text + "' has another type in " + ast_->name());
    Instr resize;
    resize.run = resize_handler(found->bytes, bytes, false);
    if (resize.run == nullptr) bad("'" + operand.text + "' has another width in " + ast_->name());
    resize.a = found->slot;
    resize.d = shared_.allocate(bytes);
    const U32 slot = resize.d;
    resize.line = ast_->line;
    shared_.program.code.push_back(resize);
    return slot;
  }
  bool from_frame = false;
  const auto at = variable_address(operand.text, from_frame);
  if (!at || from_frame) {
    if (operand.text.starts_with("%")) throw NotEmulated{};
    bad("unknown name '" + operand.text + "' in " + ast_->name());
  }
  return shared_.constant(*at + operand.bits, bytes);
}

U32 FunctionDecoder::target(const Operand& operand, U32 bytes, bool is_signed) {
  if (operand.kind == Operand::Kind::sink) return shared_.allocate(bytes);
  const auto found = operand.kind == Operand::Kind::name ? find_register(operand.text) : std::nullopt;
  if (!found) bad("a register is expected to write to in " + ast_->name());
  if (found->bytes == bytes) return found->slot;
  Instr resize;
  resize.run = resize_handler(bytes, found->bytes, is_signed);
  if (resize.run == nullptr) bad("'" + operand.text + "' has another width in " + ast_->name());
  resize.a = shared_.allocate(bytes);
  resize.d = found->slot;
  widenings_.push_back(resize);
  return resize.a;
}

void FunctionDecoder::source_list(const Operand& operand, U32 bytes, Instr& instr) {
  std::vector<U32> slots;
  if (operand.kind == Operand::Kind::vector) {
    for (const Operand& part : operand.parts) slots.push_back(source(part, bytes));
  } else {
    slots.push_back(source(operand, bytes));
  }
  instr.list = static_cast<U32>(shared_.program.slots.size());
  instr.count = static_cast<U8>(slots.size());
  shared_.program.slots.insert(shared_.program.slots.end(), slots.begin(), slots.end());
}

void FunctionDecoder::target_list(const Operand& operand, U32 bytes, bool is_signed, Instr& instr) {
  std::vector<U32> slots;
  if (operand.kind == Operand::Kind::vector) {
    for (const Operand& part : operand.parts) slots.push_back(target(part, bytes, is_signed));
  } else {
    slots.push_back(target(operand, bytes, is_signed));
  }
  instr.list = static_cast<U32>(shared_.program.slots.size());
  instr.count = static_cast<U8>(slots.size());
  shared_.program.slots.insert(shared_.program.slots.end(), slots.begin(), slots.end());
}

void FunctionDecoder::address(const Operand& operand, ptx::Space space, Instr& instr) {
  if (operand.kind != Operand::Kind::address) bad("an address is expected in " + ast_->name());
  if (!operand.parts.empty()) throw NotEmulated{};
  instr.imm = static_cast<I64>(operand.bits);
  instr.space = static_cast<U8>(space);
  if (operand.text.empty()) return;
  if (const auto base = find_register(operand.text)) {
    if (base->bytes != 4 && base->bytes != 8) bad("an address needs 32 or 64 bits in " + ast_->name());
    instr.a = base->slot;
    instr.wide_address = base->bytes == 8;
    return;
  }
  bool from_frame = false;
  const auto at = variable_address(operand.text, from_frame);
  if (!at) bad("unknown variable '" + operand.text + "' in " + ast_->name());
  instr.imm += static_cast<I64>(*at);
  if (from_frame) {
    instr.flag = true;
    instr.space = static_cast<U8>(ptx::Space::local);
  }
}

U32 FunctionDecoder::carry() {
  if (carry_ == kNoSlot) {
    carry_ = shared_.allocate(0);
    out_.registers.push_back({carry_, 0});
  }
  return carry_;
}

Instr FunctionDecoder::instr(Handler handler) const {
  Instr out;
  out.run = handler;
  out.modifiers = modifiers();
  return out;
}

void FunctionDecoder::emit(Instr instr) {
  instr.guard = guard_;
  instr.guard_negated = ast_->guard_negated;
  instr.line = ast_->line;
  instr.name = name_;
  shared_.program.code.push_back(instr);
}

int FunctionDecoder::name_of(const std::string& text) {
  const auto [name, is_new] = shared_.names.try_emplace(text, static_cast<int>(shared_.program.names.size()));
  if (is_new) shared_.program.names.push_back(text);
  return name->second;
}

void FunctionDecoder::decode_one(const ptx::Instruction& ast) {
  ast_ = &ast;
  name_ = name_of(ast.name());
  guard_ = kNoSlot;
  if (!ast.guard.empty()) {
    const auto guard = find_register(ast.guard);
    if (!guard || guard->bytes != 0) bad("unknown predicate '" + ast.guard + "'");
    guard_ = guard->slot;
  }
  widenings_.clear();
  const std::size_t before = shared_.program.code.size();
  try {
    const InstructionDecoder decoder = find_decoder(ast.opcode.front());
    if (decoder == nullptr) throw NotEmulated{};
    decoder(*this);
    for (const Instr& widening : widenings_) emit(widening);
    attach_doubt(before);
  } catch (const NotEmulated&) {
    shared_.program.code.resize(before);
    if (ast.opcode.front() == "call" && !ast.operands.empty())
      name_ = name_of("call " + ast.operands[0].text);
    Instr stop;
    stop.flow = Flow::not_emulated;
    emit(stop);
  }
}

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
