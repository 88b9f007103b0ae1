#include "harness/emulator/function_decoder.hpp"

#include <cstring>

#include "harness/emulator/special.hpp"

namespace kgen::emulator {

using ptx::Operand;

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
    if (operand.text == kReservedShared && shared_.reserved_shared)
      return shared_.constant(*shared_.reserved_shared, bytes);
    if (operand.text.starts_with("%")) throw NotEmulated{operand.text};
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

}  // namespace kgen::emulator
