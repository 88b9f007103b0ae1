#pragma once

#include <cstddef>

#include "harness/emulator/function_decoder.hpp"
#include "harness/emulator/warp.hpp"

namespace kgen::emulator {

/// Makes a group of the lanes' copies since the last.
void commit_copies(Warp& warp, U32 mask);
/// Does the lanes' copies of all groups but the newest `pending`.
void finish_copies(Warp& warp, U32 mask, std::size_t pending);
/// Whether a copy that nobody has waited for yet is to land in [offset, offset + bytes) of shared memory.
bool is_copy_due(const Block& block, U64 offset, U32 bytes);

/// cp.async.mbarrier.arrive (decode_mbarrier.cpp).
void decode_copy_arrival(FunctionDecoder& decoder);

}  // namespace kgen::emulator
