#include <cstring>
#include <mutex>

#include "harness/emulator/access.hpp"
#include "harness/emulator/atomic_ops.hpp"
#include "harness/emulator/block.hpp"
#include "harness/emulator/decode_table.hpp"
#include "harness/emulator/launch.hpp"
#include "harness/emulator/memory_operand.hpp"
#include "harness/emulator/scalar_names.hpp"
#include "harness/emulator/shadow.hpp"

// atom and red (PTX ISA, "atom", "red"). Lanes are done in order, each a whole step.
namespace kgen::emulator {
namespace {

using ptx::Type;

/// T: the width in memory and in registers. `list`: slots of the results, of b, and of c (cas); `reconverge`
/// holds the type, which no branch needs here.
template <class T>
void run_atomic(Warp& warp, const Instr& instr, U32 mask) {
  Addresses addresses;
  Places places;
  Block& block = *warp.block;
  const auto op = static_cast<AtomicOp>(instr.choice);
  const auto type = static_cast<ScalarType>(instr.reconverge);
  addresses_of(warp, instr, mask, addresses);
  const std::unique_lock lock(block.launch->atomics);
  Access access{static_cast<ptx::Space>(instr.space), U32{instr.bytes} * instr.count, Use::atomic, true};
  access.is_of_block = instr.of_block;
  note_release(warp, instr.of_block);
  access_memory(warp, access, addresses, mask, places);
  const U32* const slots = &warp.program->slots[instr.list];
  const bool returns = instr.flag_returns;
  bool changed = false;
  for (U32 i = 0; i < instr.count; ++i) {
    const T* const b = warp.at<T>(slots[instr.count + i]);
    const T* const c = op == AtomicOp::cas ? warp.at<T>(slots[2 * instr.count + i]) : b;
    T old_values[kLanes];
    for_lanes(mask, [&](U32 lane) {
      T old;
      std::byte* const place = places[lane] + i * sizeof(T);
      std::memcpy(&old, place, sizeof(T));
      const auto now = static_cast<T>(atomic_result(op, type, old, b[lane], c[lane], instr.modifiers.ftz));
      std::memcpy(place, &now, sizeof(T));
      old_values[lane] = old;
      changed = changed || now != old;
    });
    if (!returns) continue;
    T* const d = warp.at<T>(slots[i]);
    for_lanes(mask, [&](U32 lane) { d[lane] = old_values[lane]; });
  }
  if (changed) {
    block.last_change = block.instructions + 1;
    block.launch->changes.fetch_add(1, std::memory_order_relaxed);
  } else {
    block.last_poll = block.instructions + 1;
  }
  note_acquire(warp, instr.of_block);
}

struct OpRow {
  std::string_view name;
  AtomicOp op;
};
constexpr OpRow kOps[] = {
    {"add", AtomicOp::add},       {"inc", AtomicOp::inc},         {"dec", AtomicOp::dec},
    {"min", AtomicOp::min},       {"max", AtomicOp::max},         {"and", AtomicOp::logical_and},
    {"or", AtomicOp::logical_or}, {"xor", AtomicOp::logical_xor}, {"exch", AtomicOp::exch},
    {"cas", AtomicOp::cas},
};

std::vector<ptx::Operand> parts_of(const ptx::Operand& operand) {
  if (operand.kind == ptx::Operand::Kind::vector) return operand.parts;
  return {operand};
}

void decode_atomic(FunctionDecoder& d) {
  const bool returns = d.ast().opcode.front() == "atom";
  const Type type = d.type();
  const auto scalar = scalar_of(type.name);
  const OpRow* found = nullptr;
  for (const OpRow& row : kOps) {
    if (d.has(row.name)) found = &row;
  }
  if (found == nullptr || !scalar || d.has("async") || type.bytes == 16) throw NotEmulated{};
  const auto bytes = static_cast<U32>(type.bytes);
  Instr instr = d.instr(bytes == 2 ? run_atomic<U16> : bytes == 4 ? run_atomic<U32> : run_atomic<U64>);
  if (bytes != 2 && bytes != 4 && bytes != 8) throw NotEmulated{};
  instr.choice = static_cast<U8>(found->op);
  instr.reconverge = static_cast<U32>(*scalar);
  instr.bytes = static_cast<U8>(bytes);
  instr.of_block = d.has("cta");
  instr.flag_returns = returns && d.operand(0).kind != ptx::Operand::Kind::sink;
  const auto space = memory_space(d);
  instr.modifiers.ftz = type.name == "f32" && space != ptx::Space::shared;
  if (d.has("acq_rel") || d.has("release")) emit_fence(d);
  const std::size_t at = returns ? 1 : 0;
  d.address(d.operand(at), space, instr);
  std::vector<U32> slots;
  const auto values = parts_of(d.operand(at + 1));
  if (instr.flag_returns) {
    for (const auto& part : parts_of(d.operand(0))) slots.push_back(d.target(part, bytes));
  }
  slots.resize(values.size(), kNoSlot);
  for (const auto& part : values) slots.push_back(d.source(part, bytes));
  if (found->op == AtomicOp::cas) slots.push_back(d.source(at + 2, bytes));
  instr.count = static_cast<U8>(values.size());
  auto& all = d.shared().program.slots;
  instr.list = static_cast<U32>(all.size());
  all.insert(all.end(), slots.begin(), slots.end());
  if (U32{instr.bytes} * instr.count > 16) throw NotEmulated{};
  d.emit(instr);
}

constexpr DecoderRow kAtomicRows[] = {{"atom", decode_atomic}, {"red", decode_atomic}};

}  // namespace

DecoderTable atomic_decoders() {
  return {std::begin(kAtomicRows), std::end(kAtomicRows)};
}

}  // namespace kgen::emulator
