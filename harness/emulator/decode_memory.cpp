#include <algorithm>
#include <cstring>
#include <mutex>

#include "harness/emulator/access.hpp"
#include "harness/emulator/block.hpp"
#include "harness/emulator/decode_table.hpp"
#include "harness/emulator/doubt.hpp"
#include "harness/emulator/lane_loops.hpp"
#include "harness/emulator/launch.hpp"
#include "harness/emulator/memory_operand.hpp"
#include "harness/emulator/ptx_variable.hpp"
#include "harness/emulator/shadow.hpp"

// Loads and stores (PTX ISA, "Data Movement and Conversion Instructions").
namespace kgen::emulator {
namespace {

using ptx::Space;
using ptx::Type;

/// Instr::choice of loads and stores.
enum Manner : U8 { kPlain, kVolatile, kUnwritten, kCached };

Access access_of(const Instr& instr, Use use) {
  Access out{static_cast<Space>(instr.space), static_cast<U32>(instr.bytes) * instr.count, use, instr.strong};
  out.is_first_look = instr.flag_returns;
  out.is_volatile = instr.choice == kVolatile;
  out.is_cached = instr.choice == kCached;
  out.is_of_block = instr.of_block;
  return out;
}

/// Elements of M at the lanes' places into registers of R (wider ones are extended).
template <class M, class R>
void copy_loaded(Warp& warp, const Instr& instr, U32 mask, const Places& places, Layout layout) {
  if (sizeof(M) == sizeof(R) && layout == Layout::in_a_row && instr.count == 1) {
    std::memcpy(warp.at<R>(warp.program->slots[instr.list]), places[0], sizeof(R) * kLanes);
    return;
  }
  const bool is_broadcast = layout == Layout::same && mask == kAllLanes;
  for (U32 i = 0; i < instr.count; ++i) {
    R* const to = warp.at<R>(warp.program->slots[instr.list + i]);
    const auto load = [&](U32 lane) {
      M value;
      std::memcpy(&value, places[lane] + i * sizeof(M), sizeof(M));
      to[lane] = static_cast<R>(value);  // NOLINT(bugprone-signed-char-misuse): a signed byte is extended
    };
    if (is_broadcast) {
      load(0);
      std::fill_n(to + 1, kLanes - 1, R{to[0]});
    } else if (mask == kAllLanes) {
      for (U32 lane = 0; lane < kLanes; ++lane) load(lane);
    } else {
      for_lanes(mask, load);
    }
  }
}

template <class M, class R>
void run_load(Warp& warp, const Instr& instr, U32 mask) {
  Addresses addresses;
  Places places;
  addresses_of(warp, instr, mask, addresses);
  Access access = access_of(instr, Use::read);
  UnwrittenBytes unwritten;
  if (instr.choice == kUnwritten) access.unwritten = &unwritten;
  const Layout layout = access_memory(warp, access, addresses, mask, places);
  copy_loaded<M, R>(warp, instr, mask, places, layout);
  if (unwritten.lanes != 0) take_doubt(warp, instr, unwritten);
  // Behind the copy: a flag that it found was raised behind a fence, whose time is then before the acquire's,
  // and before that what the fence follows. An acquire before the copy would be too old where another block's
  // thread of the host wrote, fenced and raised the flag in between. What is missed: a reader that found no
  // flag and goes on all the same, past a fence of the writer's; so it would with either order.
  if (instr.strong) note_acquire(warp, instr.of_block);
  // Another thread may change what was looked at: a loop around it may be a wait.
  if (instr.strong || instr.choice == kVolatile) warp.block->last_poll = warp.block->instructions + 1;
}

template <class M, class R>
void run_store(Warp& warp, const Instr& instr, U32 mask) {
  Addresses addresses;
  Places places;
  addresses_of(warp, instr, mask, addresses);
  // An atomic operation writes back what it read: a flag stored in between would be lost. A block's own
  // memory is its thread's alone.
  std::unique_lock lock(warp.block->launch->atomics, std::defer_lock);
  const auto space = static_cast<Space>(instr.space);
  if (instr.strong && space != Space::shared && space != Space::local) lock.lock();
  if (instr.strong || instr.choice == kVolatile) note_release(warp, instr.of_block);
  if (instr.count == 1) {  // the lower bytes of a register come first
    const Values values(warp.at<R>(warp.program->slots[instr.list]), sizeof(R));
    access_memory(warp, access_of(instr, Use::write), addresses, mask, places, values);
    return;
  }
  LaneBytes values;
  for (U32 i = 0; i < instr.count; ++i) {
    const R* const from = warp.at<R>(warp.program->slots[instr.list + i]);
    for_lanes(mask, [&](U32 lane) {
      const auto value = static_cast<M>(from[lane]);
      std::memcpy(values.of[lane] + i * sizeof(M), &value, sizeof(M));
    });
  }
  access_memory(warp, access_of(instr, Use::write), addresses, mask, places, values);
}

struct Width {
  U32 memory = 0, reg = 0;
  bool is_signed = false;
};

Handler load_handler(const Width& w) {
  switch (w.memory) {
    case 1:
      if (w.reg == 2) return w.is_signed ? run_load<I8, I16> : run_load<U8, U16>;
      if (w.reg == 4) return w.is_signed ? run_load<I8, I32> : run_load<U8, U32>;
      return w.is_signed ? run_load<I8, I64> : run_load<U8, U64>;
    case 2:
      if (w.reg == 2) return run_load<U16, U16>;
      if (w.reg == 4) return w.is_signed ? run_load<I16, I32> : run_load<U16, U32>;
      return w.is_signed ? run_load<I16, I64> : run_load<U16, U64>;
    case 4:
      if (w.reg == 4) return run_load<U32, U32>;
      if (w.reg == 8) return w.is_signed ? run_load<I32, I64> : run_load<U32, U64>;
      break;
    case 8:
      if (w.reg == 8) return run_load<U64, U64>;
      break;
    case 16:
      if (w.reg == 16) return run_load<unsigned __int128, unsigned __int128>;
      break;
    default:
      break;
  }
  throw NotEmulated{};
}

Handler store_handler(const Width& w) {
  switch (w.memory) {
    case 1:
      return w.reg == 2 ? run_store<U8, U16> : w.reg == 4 ? run_store<U8, U32> : run_store<U8, U64>;
    case 2:
      return w.reg == 2 ? run_store<U16, U16> : w.reg == 4 ? run_store<U16, U32> : run_store<U16, U64>;
    case 4:
      if (w.reg == 4) return run_store<U32, U32>;
      if (w.reg == 8) return run_store<U32, U64>;
      break;
    case 8:
      if (w.reg == 8) return run_store<U64, U64>;
      break;
    case 16:
      if (w.reg == 16) return run_store<unsigned __int128, unsigned __int128>;
      break;
    default:
      break;
  }
  throw NotEmulated{};
}

bool is_strong(const FunctionDecoder& d, Space space) {
  if (space != Space::global && space != Space::generic && space != Space::shared) return false;
  return (d.has("volatile") && space != Space::shared) || d.has("relaxed") || d.has("acquire") ||
         d.has("release") || d.has("mmio");
}

/// The register width that a value operand (or the parts of a vector) has; of numbers, that of the type.
U32 register_width(FunctionDecoder& d, const ptx::Operand& operand, U32 bytes) {
  const ptx::Operand* one = &operand;
  if (operand.kind == ptx::Operand::Kind::vector) {
    for (const auto& part : operand.parts) {
      one = &part;
      if (part.kind == ptx::Operand::Kind::name) break;
    }
  }
  const U32 least = std::max(bytes, 2u);
  if (one->kind != ptx::Operand::Kind::name) return least;
  const auto found = d.find_register(one->text);
  return found ? std::max(found->bytes, least) : least;
}

void decode_load(FunctionDecoder& d) {
  const Type type = d.type();
  if (type.bytes == 0) d.bad("a load without a type");
  const Space space = memory_space(d);
  const Width width{static_cast<U32>(type.bytes),
                    register_width(d, d.operand(0), static_cast<U32>(type.bytes)),
                    type.kind == Type::Kind::signed_int};
  Instr instr = d.instr(load_handler(width));
  instr.bytes = static_cast<U8>(type.bytes);
  instr.strong = is_strong(d, space);
  instr.of_block = d.has("cta");
  instr.choice = d.has("volatile")             ? kVolatile
                 : d.has("nc")                 ? kCached
                 : may_find_unwritten(d.ast()) ? kUnwritten
                                               : kPlain;
  // The first look of a loop around a compare-and-swap, which tells whether the value was still there: CUDA's
  // own atomics begin so (cuda_bf16.hpp), and its programming guide. No race with other atomics, and no
  // acquire.
  instr.flag_returns = instr.count == 1 && d.is_swapped(d.operand(1));
  d.address(d.operand(1), space, instr);
  d.target_list(d.operand(0), width.reg, width.is_signed, instr);
  if (U32{instr.bytes} * instr.count > 16) throw NotEmulated{};
  d.emit(instr);
}

void decode_store(FunctionDecoder& d) {
  const Type type = d.type();
  if (type.bytes == 0) d.bad("a store without a type");
  if (d.has("async")) throw NotEmulated{};
  const Space space = memory_space(d);
  const Width width{static_cast<U32>(type.bytes),
                    register_width(d, d.operand(1), static_cast<U32>(type.bytes)), false};
  Instr instr = d.instr(store_handler(width));
  instr.bytes = static_cast<U8>(type.bytes);
  instr.strong = is_strong(d, space);
  instr.of_block = d.has("cta");
  instr.choice = d.has("volatile") ? kVolatile : kPlain;
  if (d.has("release")) {
    emit_fence(d);
  }
  d.address(d.operand(0), space, instr);
  d.source_list(d.operand(1), width.reg, instr);
  if (U32{instr.bytes} * instr.count > 16) throw NotEmulated{};
  d.emit(instr);
}

/// Hints to caches: nothing to do. Their addresses are not looked at, as on the hardware.
void decode_hint(FunctionDecoder& d) {
  if (d.has("tensormap") || d.has("bulk")) throw NotEmulated{};
  d.emit(d.instr([](Warp&, const Instr&, U32) {}));
}

void decode_fence(FunctionDecoder& d) {
  if (d.has("proxy") && d.has("tensormap")) throw NotEmulated{};
  emit_fence(d);
}

/// createpolicy: any number will do, no cache looks at it.
void decode_policy(FunctionDecoder& d) {
  Instr instr = d.instr([](Warp& warp, const Instr& in, U32 mask) {
    for_lanes(mask, [&](U32 lane) { warp.at<U64>(in.d)[lane] = 0; });
  });
  instr.d = d.target(0, 8);
  d.emit(instr);
}

constexpr DecoderRow kMemoryRows[] = {
    {"ld", decode_load},       {"ldu", decode_load},       {"st", decode_store},
    {"prefetch", decode_hint}, {"prefetchu", decode_hint}, {"applypriority", decode_hint},
    {"membar", decode_fence},  {"fence", decode_fence},    {"createpolicy", decode_policy},
};

}  // namespace

ptx::Space memory_space(const FunctionDecoder& d) {
  for (std::size_t i = 1; i < d.ast().opcode.size(); ++i) {
    const std::string& part = d.ast().opcode[i];
    if (part == "shared::cluster") throw NotEmulated{};
    const Space space = ptx::parse_space(part);
    if (space != Space::none) return space;
  }
  return Space::generic;
}

void emit_fence(FunctionDecoder& d) {
  Instr instr = d.instr([](Warp& warp, const Instr& in, U32) { note_fence(warp, in.of_block); });
  instr.of_block = d.has("cta");
  d.emit(instr);
}

DecoderTable memory_decoders() {
  return {std::begin(kMemoryRows), std::end(kMemoryRows)};
}

}  // namespace kgen::emulator
