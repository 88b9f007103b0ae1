#include <algorithm>

#include "harness/emulator/access.hpp"
#include "harness/emulator/block.hpp"
#include "harness/emulator/decode_table.hpp"
#include "harness/emulator/lane_loops.hpp"
#include "harness/emulator/launch.hpp"

// mov, cvta, isspacep and what only looks like a computation.
namespace kgen::emulator {

namespace {

using ptx::Operand;
using ptx::Type;

template <class D, class A>
void run_resize(Warp& warp, const Instr& instr, U32 mask) {
  D* const d = warp.at<D>(instr.d);
  const A* const a = warp.at<A>(instr.a);
  for_lanes(mask, [&](U32 lane) { d[lane] = static_cast<D>(a[lane]); });
}

template <class T>
void run_copy(Warp& warp, const Instr& instr, U32 mask) {
  T* const d = warp.at<T>(instr.d);
  const T* const a = warp.at<T>(instr.a);
  if (mask == kAllLanes) {
    KGEN_INDEPENDENT_LANES
    for (U32 lane = 0; lane < kLanes; ++lane) d[lane] = a[lane];
  } else {
    for_lanes(mask, [&](U32 lane) { d[lane] = a[lane]; });
  }
}

void copy_predicate(Warp& warp, const Instr& instr, U32 mask) {
  set_predicate(warp, instr.d, mask, warp.predicate(instr.a));
}

Handler copy_handler(U32 bytes) {
  switch (bytes) {
    case 0:
      return copy_predicate;
    case 2:
      return run_copy<U16>;
    case 4:
      return run_copy<U32>;
    case 8:
      return run_copy<U64>;
    case 16:
      return run_copy<unsigned __int128>;
    default:
      throw NotEmulated{};
  }
}

/// %clock and %globaltimer: the block's instructions so far behind a time that each launch draws from its
/// seed, so that a run repeats and nothing can rely on what the clock says. imm: bits to leave out (32: the
/// upper half).
template <class T>
void run_clock(Warp& warp, const Instr& instr, U32 mask) {
  const U64 now = (warp.block->launch->clock_base + warp.block->instructions) >> instr.imm;
  for_lanes(mask, [&](U32 lane) { warp.at<T>(instr.d)[lane] = static_cast<T>(now); });
}

/// Address of a variable in the frame of the function at hand.
template <class T>
void run_frame_address(Warp& warp, const Instr& instr, U32 mask) {
  const U64 address = warp.frame_base + static_cast<U64>(instr.imm);
  for_lanes(mask, [&](U32 lane) { warp.at<T>(instr.d)[lane] = static_cast<T>(address); });
}

/// Elements of `wide` bytes cut into parts, or parts put together, the lowest first.
template <class Part, class Whole>
void run_unpack(Warp& warp, const Instr& instr, U32 mask) {
  Whole values[kLanes];
  std::copy_n(warp.at<Whole>(instr.a), kLanes, values);
  for (U32 i = 0; i < instr.count; ++i) {
    Part* const to = warp.at<Part>(warp.program->slots[instr.list + i]);
    for_lanes(mask, [&](U32 lane) { to[lane] = static_cast<Part>(values[lane] >> (i * sizeof(Part) * 8)); });
  }
}
template <class Part, class Whole>
void run_pack(Warp& warp, const Instr& instr, U32 mask) {
  Whole values[kLanes] = {};
  for (U32 i = 0; i < instr.count; ++i) {
    const Part* const from = warp.at<Part>(warp.program->slots[instr.list + i]);
    for (U32 lane = 0; lane < kLanes; ++lane)
      values[lane] = static_cast<Whole>(
          values[lane] | static_cast<Whole>(static_cast<Whole>(from[lane]) << (i * sizeof(Part) * 8)));
  }
  Whole* const d = warp.at<Whole>(instr.d);
  for_lanes(mask, [&](U32 lane) { d[lane] = values[lane]; });
}

Handler pack_handler(U32 part, U32 whole, bool pack) {
  using U128 = unsigned __int128;
  if (part == 2 && whole == 4) return pack ? run_pack<U16, U32> : run_unpack<U16, U32>;
  if (part == 2 && whole == 8) return pack ? run_pack<U16, U64> : run_unpack<U16, U64>;
  if (part == 4 && whole == 8) return pack ? run_pack<U32, U64> : run_unpack<U32, U64>;
  if (part == 8 && whole == 16) return pack ? run_pack<U64, U128> : run_unpack<U64, U128>;
  if (part == 4 && whole == 16) return pack ? run_pack<U32, U128> : run_unpack<U32, U128>;
  throw NotEmulated{};
}

void decode_mov(FunctionDecoder& d) {
  const Type type = d.type();
  if (type.kind == Type::Kind::none) d.bad("mov without a type");
  const auto bytes = static_cast<U32>(type.bytes);
  const Operand &to = d.operand(0), &from = d.operand(1);
  if (from.kind == Operand::Kind::vector) {
    const auto part = static_cast<U32>(bytes / std::max<std::size_t>(1, from.parts.size()));
    Instr instr = d.instr(pack_handler(part, bytes, true));
    d.source_list(from, part, instr);
    instr.d = d.target(to, bytes);
    return d.emit(instr);
  }
  if (to.kind == Operand::Kind::vector) {
    const auto part = static_cast<U32>(bytes / std::max<std::size_t>(1, to.parts.size()));
    Instr instr = d.instr(pack_handler(part, bytes, false));
    instr.a = d.source(from, bytes);
    d.target_list(to, part, false, instr);
    return d.emit(instr);
  }
  if (from.kind == Operand::Kind::name) {
    const std::string& name = from.text;
    if (name == "%clock" || name == "%clock64" || name == "%globaltimer" || name == "%globaltimer_lo" ||
        name == "%clock_hi" || name == "%globaltimer_hi") {
      Instr instr = d.instr(bytes == 8 ? run_clock<U64> : run_clock<U32>);
      instr.imm = name.ends_with("_hi") ? 32 : 0;
      instr.d = d.target(to, bytes);
      return d.emit(instr);
    }
    if (const auto place = d.frame_place(name)) {
      Instr instr = d.instr(bytes == 8 ? run_frame_address<U64> : run_frame_address<U32>);
      instr.imm = static_cast<I64>(place->offset + from.bits);
      instr.d = d.target(to, bytes);
      return d.emit(instr);
    }
    if (name.starts_with("%envreg") && name != "%envreg1" && name != "%envreg2") throw NotEmulated{name};
  }
  Instr instr = d.instr(copy_handler(bytes));
  instr.a = d.source(from, bytes);
  instr.d = d.target(to, bytes);
  d.emit(instr);
}

U64 window_of(FunctionDecoder& d) {
  for (std::size_t i = 1; i < d.ast().opcode.size(); ++i) {
    const std::string& part = d.ast().opcode[i];
    if (part == "shared" || part == "shared::cta") return kSharedWindow;
    if (part == "local") return kLocalWindow;
    if (part == "param" || part == "param::entry") return kParamWindow;
    if (part == "global" || part == "const") return 0;
    if (part == "shared::cluster") throw NotEmulated{};
  }
  throw NotEmulated{};
}

/// Generic addresses are global ones; those of other spaces lie in windows.
void decode_cvta(FunctionDecoder& d) {
  const U64 window = window_of(d);
  const auto bytes = static_cast<U32>(d.type().bytes);
  const bool to_space = d.has("to");
  Instr instr;
  if (bytes == 8) {
    instr = d.instr(to_space ? Handler{[](Warp& warp, const Instr& in, U32 mask) {
      for_lanes(mask, [&](U32 lane) {
        warp.at<U64>(in.d)[lane] = warp.at<U64>(in.a)[lane] - static_cast<U64>(in.imm);
      });
    }}
                             : Handler{[](Warp& warp, const Instr& in, U32 mask) {
                                 for_lanes(mask, [&](U32 lane) {
                                   warp.at<U64>(in.d)[lane] =
                                       warp.at<U64>(in.a)[lane] + static_cast<U64>(in.imm);
                                 });
                               }});
  } else {
    throw NotEmulated{};
  }
  const Operand& from = d.operand(1);
  if (from.kind == Operand::Kind::name && d.frame_place(from.text)) {
    Instr address = d.instr(run_frame_address<U64>);
    address.imm = static_cast<I64>(d.frame_place(from.text)->offset + from.bits);
    address.d = d.scratch(8);
    d.emit(address);
    instr.a = address.d;
  } else {
    instr.a = d.source(from, bytes);
  }
  instr.imm = static_cast<I64>(window);
  instr.d = d.target(0, bytes);
  d.emit(instr);
}

void decode_isspacep(FunctionDecoder& d) {
  const U64 window = window_of(d);
  Instr instr = d.instr([](Warp& warp, const Instr& in, U32 mask) {
    const U64 slot = slot_of(static_cast<U64>(in.imm));
    U32 bits = 0;
    for_lanes(mask, [&](U32 lane) {
      const U64 at = slot_of(warp.at<U64>(in.a)[lane]);
      const bool inside = slot != 0 ? at == slot : at >= kFirstSlot;
      bits |= inside ? 1u << lane : 0;
    });
    set_predicate(warp, in.d, mask, bits);
  });
  instr.a = d.source(1, 8);
  instr.imm = static_cast<I64>(window);
  instr.d = d.target(0, 0);
  d.emit(instr);
}

constexpr DecoderRow kMoveRows[] = {
    {"mov", decode_mov}, {"cvta", decode_cvta}, {"isspacep", decode_isspacep}};

}  // namespace

Handler resize_handler(U32 from, U32 to, bool is_signed) {
  struct Row {
    U32 from, to;
    bool is_signed;
    Handler handler;
  };
  static constexpr Row kHandlers[] = {
      {2, 4, false, run_resize<U32, U16>}, {2, 8, false, run_resize<U64, U16>},
      {4, 8, false, run_resize<U64, U32>}, {2, 4, true, run_resize<I32, I16>},
      {2, 8, true, run_resize<I64, I16>},  {4, 8, true, run_resize<I64, I32>},
      {4, 2, false, run_resize<U16, U32>}, {8, 2, false, run_resize<U16, U64>},
      {8, 4, false, run_resize<U32, U64>}, {4, 2, true, run_resize<U16, U32>},
      {8, 2, true, run_resize<U16, U64>},  {8, 4, true, run_resize<U32, U64>},
  };
  for (const Row& row : kHandlers) {
    if (row.from == from && row.to == to && row.is_signed == is_signed) return row.handler;
  }
  return nullptr;
}

DecoderTable move_decoders() {
  return {std::begin(kMoveRows), std::end(kMoveRows)};
}

}  // namespace kgen::emulator
