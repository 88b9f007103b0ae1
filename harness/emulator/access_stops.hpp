#pragma once

#include <string>

#include "harness/emulator/access.hpp"
#include "harness/emulator/diagnosis.hpp"

/// What is wrong with one lane's access, in words. All of these throw Stop.
namespace kgen::emulator {

[[noreturn]] void stop_access(const Warp& warp, U32 lane, Diagnosis::Kind kind, std::string fine, U64 address,
                              const std::string& name, const std::string& what);
/// "reads 4 bytes 16 bytes past the end of `y` (4096 bytes)"
[[noreturn]] void stop_bounds(const Warp& warp, U32 lane, const Access& access, const char* space,
                              U64 address, I64 offset, U64 bytes, const std::string& name,
                              const std::string& behind = "");
[[noreturn]] void stop_wild(const Warp& warp, U32 lane, const Access& access, U64 address);
struct UnwrittenPlace {
  U64 address = 0;  ///< of the access
  I64 offset = 0;   ///< of the access in what it touches
  U32 first = 0;    ///< the first of its bytes that nothing has written
};
/// "reads 16 bytes of `part` at byte 32; nothing has written byte 40"
[[noreturn]] void stop_unwritten(const Warp& warp, U32 lane, const Access& access,
                                 const UnwrittenPlace& place, const std::string& name, const char* space);
/// Only where the address is not aligned to the access.
void check_alignment(const Warp& warp, U32 lane, const Access& access, U64 address, const std::string& name);

}  // namespace kgen::emulator
