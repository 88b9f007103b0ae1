#pragma once

#include <array>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "harness/emulator/arith_rounding.hpp"
#include "harness/emulator/doubt_rule.hpp"
#include "harness/emulator/lanes.hpp"
#include "harness/emulator/mma_run.hpp"
#include "harness/emulator/video_ops.hpp"

namespace kgen::emulator {

struct Warp;
struct Instr;

/// Does an instruction for the lanes of `mask` (never none).
using Handler = void (*)(Warp& warp, const Instr& instr, U32 mask);

/// What the warp's loop does besides calling the handler.
enum class Flow : U8 {
  plain,      ///< the handler alone
  warp_sync,  ///< waits until the lanes of the member mask (slot c) are there, then calls the handler
  branch,
  branch_indexed,
  call,
  ret,
  exit,
  barrier,       ///< a barrier of the block
  yield,         ///< calls the handler, then lets other warps run (nanosleep, a failed try_wait)
  not_emulated,  ///< stops the launch when a lane reaches it
};

inline constexpr U32 kNever = 0xffffffffu;  ///< no such place in the code
inline constexpr U32 kNoSlot = 0xffffffffu;

/// Modifiers that arithmetic takes.
struct Modifiers {
  Rounding rounding = Rounding::rn;
  bool ftz = false, sat = false, relu = false, nan = false, abs = false, xorsign = false;
};

/// A decoded instruction. d, a, b, c are byte offsets of operands in a warp's registers; numbers are
/// registers too, filled once. `list` is where further slots of vectors begin in Program::slots.
struct Instr {
  Handler run = nullptr;
  U32 d = kNoSlot, a = kNoSlot, b = kNoSlot, c = kNoSlot;
  I64 imm = 0;
  U32 list = 0;
  U32 target = kNever, reconverge = kNever;
  U32 guard = kNoSlot;
  Flow flow = Flow::plain;
  bool guard_negated = false;
  U8 count = 1;   ///< elements of a vector
  U8 bytes = 0;   ///< of one element in memory
  U8 space = 0;   ///< ptx::Space
  U8 choice = 0;  ///< what a handler chooses by: comparison, kind of barrier; 1: a volatile load,
                  ///< an ldmatrix that may find nothing written; 2: a load that may find nothing written;
                  ///< 3: ld.global.nc
  bool wide_address = true;  ///< slot a holds 64 bits
  bool strong = false;       ///< volatile, relaxed, acquire, release: no race with its like
  bool of_block = false;     ///< .cta: strong, a fence or an atomic for the threads of the block alone
  bool flag = false;  ///< of memory instructions: the address lies in the frame of the function at hand
  bool flag_returns = false;  ///< a second one: an atomic gives the old value back, mbarrier tests a parity,
                              ///< a barrier wants a warp together, a load is a swap's first look
  Modifiers modifiers;
  int line = 0;
  int name = 0;         ///< index in Program::names
  U32 doubt = kNoSlot;  ///< index in Program::doubt_rules
};

/// Where a variable lies in its space.
struct PlacedVariable {
  std::string name;
  U64 offset = 0, bytes = 0;
};

struct KernelParameter {
  U64 offset = 0, bytes = 0;
};

/// A value that stands in a register from the start.
struct ConstantSlot {
  U32 slot = 0;
  U32 bytes = 0;  ///< 2, 4, 8; 0: a predicate
  U64 bits = 0;
};

enum class Special : U8 {
  tid_x,
  tid_y,
  tid_z,
  ntid_x,
  ntid_y,
  ntid_z,
  ctaid_x,
  ctaid_y,
  ctaid_z,
  nctaid_x,
  nctaid_y,
  nctaid_z,
  laneid,
  warpid,
  nwarpid,
  smid,
  nsmid,
  gridid,
  lanemask_eq,
  lanemask_le,
  lanemask_lt,
  lanemask_ge,
  lanemask_gt,
  dynamic_shared,
  total_shared,
  grid_workspace_high,
  grid_workspace_low,
  one,
  zero,
};
struct SpecialSlot {
  U32 slot = 0;
  U32 bytes = 4;
  Special kind = Special::zero;
};

struct RegisterPlace {
  U32 slot = 0, bytes = 0;  ///< bytes of a lane; 0: a predicate
};

struct DecodedFunction {
  std::string name;
  U32 begin = kNever;   ///< first instruction
  U64 frame_bytes = 0;  ///< local memory of a lane: parameters, results, variables
  std::vector<KernelParameter> parameters, results;  ///< places in the frame; of an entry: in its parameters
  bool is_entry = false;
  U64 parameter_bytes = 0;
  std::vector<PlacedVariable> shared;  ///< static ones, also those of the module
  U64 shared_bytes = 0;                ///< with the gaps between them; dynamic shared memory begins here
  U64 declared_shared = 0;             ///< without
  U64 reserved_shared = 0;             ///< of the static ones the system's, which is zero at a block's begin
  U64 reserved_bytes = 0;
  std::vector<PlacedVariable> locals;
  std::array<I64, 3> required_threads{0, 0, 0}, most_threads{0, 0, 0};
  bool has_cluster = false;
  // Its own part of a warp's registers, saved when it recurs.
  U32 registers_begin = 0, registers_end = 0;
  U32 doubt_begin = 0, doubt_end = 0;  ///< of its registers: Program::doubt_masks
  std::vector<RegisterPlace> registers;
};

/// Copies of a call: from the caller's frame to the callee's and back.
struct CallSite {
  U32 callee = 0;                                   ///< index in Program::functions
  std::vector<KernelParameter> arguments, results;  ///< places in the caller's frame
};

/// A module, decoded once and run many times.
struct Program {
  std::vector<Instr> code;
  std::vector<U32> slots;
  std::vector<std::string> names;  ///< of instructions: "ld.global.u32"
  std::vector<DecodedFunction> functions;
  std::map<std::string, U32> entries;
  std::vector<CallSite> calls;
  std::vector<ConstantSlot> constants;
  std::vector<SpecialSlot> specials;
  std::vector<MmaPlan> mma_plans;
  std::vector<std::variant<ScalarVideo, VideoMad, SimdVideo>> video_forms;
  std::vector<DoubtRule> doubt_rules;
  U32 doubt_masks = 0, doubt_registers = 0;  ///< how many: WarpDoubt
  U32 register_bytes = 0;                    ///< of one warp
};

}  // namespace kgen::emulator
