#include "harness/emulator/access.hpp"
#include "harness/emulator/barrier_kind.hpp"
#include "harness/emulator/block.hpp"
#include "harness/emulator/decode_table.hpp"
#include "harness/emulator/launch.hpp"

// Branches, calls, ends and barriers (PTX ISA, "Control Flow Instructions", "Parallel Synchronization ...").
namespace kgen::emulator {
namespace {

using ptx::Operand;

void decode_branch(FunctionDecoder& d) {
  Instr instr;
  instr.flow = Flow::branch;
  if (d.operand(0).kind != Operand::Kind::name) d.bad("a label is expected");
  d.branch_to(d.operand(0).text, instr);
}

void decode_indexed_branch(FunctionDecoder& d) {
  Instr instr;
  instr.flow = Flow::branch_indexed;
  instr.a = d.source(0, 4);
  d.branch_table(d.operand(1).text, instr);
}

void decode_end(FunctionDecoder& d) {
  Instr instr;
  instr.flow = d.ast().opcode.front() == "ret" ? Flow::ret : Flow::exit;
  d.emit(instr);
}

void decode_trap(FunctionDecoder& d) {
  d.emit(d.instr([](Warp& warp, const Instr&, U32 mask) {
    stop_at(warp, first_lane(mask), Diagnosis::Kind::fault, "trap", "the kernel ends itself by trap");
  }));
}

void decode_nothing(FunctionDecoder& d) {
  d.emit(d.instr([](Warp&, const Instr&, U32) {}));
}

void decode_sleep(FunctionDecoder& d) {
  Instr instr = d.instr([](Warp& warp, const Instr&, U32) { warp.wants_yield = true; });
  instr.flow = Flow::yield;
  d.emit(instr);
}

/// bar{.cta}.sync a{, b}; bar.arrive a, b; bar.red.op d, a{, b}, p; barrier likewise; bar.warp.sync m.
void decode_barrier(FunctionDecoder& d) {
  if (d.has("cluster")) throw NotEmulated{};
  Instr instr;
  instr.flow = Flow::barrier;
  instr.flag_returns = d.ast().opcode.front() == "bar" || d.has("aligned");
  std::size_t next = 0;
  if (d.has("red")) {
    const BarrierKind kind = d.has("popc")  ? BarrierKind::popc
                             : d.has("and") ? BarrierKind::all
                                            : BarrierKind::any;
    instr.choice = static_cast<U8>(kind);
    instr.d = d.target(next++, kind == BarrierKind::popc ? 4 : 0);
  } else {
    instr.choice = static_cast<U8>(d.has("arrive") ? BarrierKind::arrive : BarrierKind::sync);
  }
  instr.a = d.source(next++, 4);
  if (d.has("red")) {
    const Operand& predicate = d.operand(d.operands() - 1);
    instr.c = d.source(predicate, 0);
    instr.flag = predicate.negated;
  }
  const std::size_t last = d.operands() - (d.has("red") ? 1 : 0);
  if (next < last) instr.b = d.source(next, 4);
  d.emit(instr);
}

constexpr DecoderRow kControlRows[] = {
    {"bra", decode_branch},
    {"brx", decode_indexed_branch},
    {"ret", decode_end},
    {"exit", decode_end},
    {"trap", decode_trap},
    {"brkpt", decode_trap},
    {"pmevent", decode_nothing},
    {"griddepcontrol", decode_nothing},
    {"setmaxnreg", decode_nothing},
    {"nanosleep", decode_sleep},
    {"call", decode_call},
    {"barrier", decode_barrier},
};

}  // namespace

void decode_block_barrier(FunctionDecoder& d) {
  decode_barrier(d);
}

DecoderTable control_decoders() {
  return {std::begin(kControlRows), std::end(kControlRows)};
}

}  // namespace kgen::emulator
