#pragma once

#include <cstddef>

#include "harness/emulator/function_decoder.hpp"
#include "harness/emulator/warp.hpp"

namespace kgen::emulator {

/// Makes a group of the lanes' copies since the last.
void commit_copies(Warp& warp, U32 mask);
/// Does the lanes' copies of all groups but the newest `pending`.
void finish_copies(Warp& warp, U32 mask, std::size_t pending);
/// A copy that nobody has waited for yet and that is to land in [offset, offset + bytes) of shared memory,
/// but none that brings what stands at `same` (null: any); null: there is none.
const AsyncCopy* find_pending(const Block& block, U64 offset, U32 bytes, const std::byte* same = nullptr);

/// cp.async.mbarrier.arrive (decode_mbarrier.cpp).
void decode_copy_arrival(FunctionDecoder& decoder);

}  // namespace kgen::emulator
