#pragma once

#include <cstring>

#include "harness/emulator/lanes.hpp"

/// Marks of initialised bytes: 0 or 1, one a byte.
namespace kgen::emulator {

/// Bits in which the marks of four bytes differ from those of written ones.
inline U32 unwritten_bits(const U8* marks) {
  U32 word = 0;
  std::memcpy(&word, marks, 4);
  return word ^ 0x01010101u;
}

inline bool all_written(const U8* marks, U32 bytes) {
  if (bytes == 4) return unwritten_bits(marks) == 0;
  return std::memchr(marks, 0, bytes) == nullptr;
}

/// The first byte without a mark; `bytes` where all have one.
inline U32 first_unwritten(const U8* marks, U32 bytes) {
  const void* const found = std::memchr(marks, 0, bytes);
  return found == nullptr ? bytes : static_cast<U32>(static_cast<const U8*>(found) - marks);
}

inline void mark_written(U8* marks, U32 bytes) {
  if (bytes == 4) {
    const U32 word = 0x01010101u;
    std::memcpy(marks, &word, 4);
  } else {
    std::memset(marks, 1, bytes);
  }
}

/// Writes a lane's bytes; false: they were there already.
inline bool store_changed(std::byte* place, const std::byte* value, U32 bytes) {
  if (bytes == 4) {
    U32 old = 0, now = 0;
    std::memcpy(&old, place, 4);
    std::memcpy(&now, value, 4);
    std::memcpy(place, &now, 4);
    return old != now;
  }
  if (std::memcmp(place, value, bytes) == 0) return false;
  std::memcpy(place, value, bytes);
  return true;
}

}  // namespace kgen::emulator
