#include "harness/emulator/access_stops.hpp"

#include "harness/emulator/launch.hpp"

namespace kgen::emulator {
namespace {

using Kind = Diagnosis::Kind;

std::string hex(U64 value) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (; value != 0 || out.empty(); value >>= 4) out.insert(out.begin(), kDigits[value & 15]);
  return "0x" + out;
}

std::string verb_and_bytes(const Access& access) {
  const char* const verb = access.use == Use::read    ? "reads "
                           : access.use == Use::write ? "writes "
                                                      : "changes (atomically) ";
  return verb + std::to_string(access.bytes) + " bytes ";
}

std::string bounds_text(const Access& access, I64 offset, U64 bytes, const std::string& name) {
  const std::string what = "`" + name + "` (" + std::to_string(bytes) + " bytes)";
  if (offset < 0)
    return verb_and_bytes(access) + std::to_string(-offset) + " bytes before the start of " + what;
  const I64 past = offset - static_cast<I64>(bytes);
  if (past < 0) {
    return verb_and_bytes(access) + "of which " + std::to_string(past + access.bytes) +
           " lie past the end of " + what;
  }
  if (past == 0) return verb_and_bytes(access) + "right past the end of " + what;
  return verb_and_bytes(access) + std::to_string(past) + " bytes past the end of " + what;
}

}  // namespace

void stop_access(const Warp& warp, U32 lane, Kind kind, std::string fine, U64 address,
                 const std::string& name, const std::string& what) {
  Diagnosis out = diagnosis_at(warp, lane, kind, std::move(fine));
  out.address = address;
  out.allocation = name;
  out.message += what;
  throw Stop{std::move(out)};
}

void stop_bounds(const Warp& warp, U32 lane, const Access& access, const char* space, U64 address, I64 offset,
                 U64 bytes, const std::string& name, const std::string& behind) {
  stop_access(warp, lane, Kind::out_of_bounds, space, address, name,
              bounds_text(access, offset, bytes, name) + behind);
}

void stop_wild(const Warp& warp, U32 lane, const Access& access, U64 address) {
  const std::string what = address < kSharedWindow ? "a null pointer" : "an address of no allocation";
  stop_access(warp, lane, Kind::fault, "illegal_address", address, "",
              verb_and_bytes(access) + "at " + hex(address) + ", " + what);
}

void check_alignment(const Warp& warp, U32 lane, const Access& access, U64 address, const std::string& name) {
  if ((address & (access.bytes - 1)) == 0) return;
  stop_access(warp, lane, Kind::fault, "misaligned", address, name,
              verb_and_bytes(access) + "of `" + name + "` at " + hex(address) +
                  ", which is not a multiple of " + std::to_string(access.bytes));
}

void stop_unwritten(const Warp& warp, U32 lane, const Access& access, const UnwrittenPlace& place,
                    const std::string& name, const char* space) {
  const std::string at = std::to_string(place.offset), byte = std::to_string(place.offset + place.first);
  stop_access(warp, lane, Kind::uninitialised_read, space, place.address + place.first, name,
              "reads " + std::to_string(access.bytes) + " bytes of `" + name + "` at byte " + at +
                  (place.first == 0 ? " that nothing has written" : "; nothing has written byte " + byte));
}

}  // namespace kgen::emulator
