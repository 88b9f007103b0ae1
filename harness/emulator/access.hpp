#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "harness/emulator/ptx_module.hpp"
#include "harness/emulator/warp.hpp"

namespace kgen::emulator {

enum class Use : U8 { read, write, atomic };

/// A write of shared memory by cp.async: none, the begin of one, which is looked at and changes nothing, or
/// its end.
enum class Landing : U8 { none, begins, ends };

/// What a load found that nothing has written.
struct UnwrittenBytes {
  U32 lanes = 0;
  U32 of_byte[16];  ///< lanes by byte; set where `lanes` is not 0

  void note(U32 lane, const U8* marks, U32 bytes) {
    if (lanes == 0) std::fill(std::begin(of_byte), std::end(of_byte), 0);
    lanes |= 1u << lane;
    for (U32 i = 0; i < bytes; ++i) of_byte[i] |= marks[i] == 0 ? 1u << lane : 0;
  }
};

/// What a memory instruction asks for.
struct Access {
  ptx::Space space = ptx::Space::generic;
  U32 bytes = 0;  ///< of a lane, a power of two up to 16
  Use use = Use::read;
  bool is_strong = false;
  bool is_counted = true;         ///< false: the instruction counts its requests itself
  bool is_first_look = false;     ///< a plain read in front of a compare-and-swap: no race with atomics
  bool is_volatile = false;       ///< of shared memory, where that alone is not strong
  bool may_be_unwritten = false;  ///< of shared memory: gives the poison (NaN) of bytes that nobody wrote
  UnwrittenBytes* unwritten = nullptr;  ///< not null: takes the bytes of shared and local memory that nobody
                                        ///< wrote, which are no stop
  Landing landing = Landing::none;
  bool is_cached = false;    ///< ld.global.nc: of what nobody writes while the kernel runs
  bool is_of_block = false;  ///< strong for the threads of its block alone (.cta)
};

/// Host addresses of the lanes' bytes, by lane.
using Places = std::byte* [kLanes];
using Addresses = U64[kLanes];

/// Bytes to be written, by lane.
struct LaneBytes {
  alignas(16) std::byte of[kLanes][16];
};
/// Where they stand: in LaneBytes, or in a register itself.
struct Values {
  const std::byte* first = nullptr;  ///< null: the instruction writes by itself, or not at all
  U32 stride = 0;

  Values() = default;
  Values(const void* of_lane_0, U32 bytes_apart)
      : first(static_cast<const std::byte*>(of_lane_0)), stride(bytes_apart) {}
  Values(const LaneBytes& bytes) : Values(bytes.of, sizeof bytes.of[0]) {}
  const std::byte* of(U32 lane) const { return first == nullptr ? nullptr : first + lane * stride; }
};

/// How the lanes' bytes lie to each other, where it is known.
enum class Layout : U8 { scattered, same, in_a_row };

/// Finds what each lane of the mask asks for; checks bounds, alignment, initialisation and races, and records
/// the access. For Use::write, `values` are stored as well. Generic addresses are told apart by lane.
/// Throws Stop.
Layout access_memory(Warp& warp, const Access& access, const Addresses& addresses, U32 mask, Places& places,
                     const Values& values = {});

/// The addresses that slot a plus imm give.
void addresses_of(Warp& warp, const Instr& instr, U32 mask, Addresses& addresses);

/// Memory of a lane's frame, grown to hold `bytes` a lane. Throws Stop where the stack is spent.
void reserve_local(Warp& warp, U64 bytes);

}  // namespace kgen::emulator
