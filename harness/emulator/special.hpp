#pragma once

#include <optional>
#include <string_view>

#include "harness/emulator/warp.hpp"

namespace kgen::emulator {

/// Fills the registers of a warp that hold numbers and special registers (%tid.x). `all` false: those alone
/// that differ between the blocks of a launch.
void fill_registers(Warp& warp, bool all);

/// The place of the part of shared memory that the system keeps for cooperative groups: no register, a
/// number.
inline constexpr std::string_view kReservedShared = "%reserved_smem_offset_1";

/// The special register of that name that stays the same while a warp runs, and its bytes.
std::optional<SpecialSlot> find_special(std::string_view name);

}  // namespace kgen::emulator
