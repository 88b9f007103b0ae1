#include "harness/emulator/function_decoder.hpp"

#include <algorithm>

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
  follows_doubt_ = std::ranges::any_of(function_.code, may_find_unwritten);
  out_.doubt_begin = shared_.program.doubt_masks;
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
  out_.registers_end = shared_.program.register_bytes;
  out_.doubt_end = shared_.program.doubt_masks;
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
  } catch (const NotEmulated& unknown) {
    shared_.program.code.resize(before);
    if (!unknown.operand.empty()) name_ = name_of(ast.name() + " " + unknown.operand);
    if (ast.opcode.front() == "call" && !ast.operands.empty())
      name_ = name_of("call " + ast.operands[0].text);
    Instr stop;
    stop.flow = Flow::not_emulated;
    emit(stop);
  }
}

}  // namespace kgen::emulator
