#include "harness/emulator/system_calls.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <mutex>

#include "harness/emulator/access.hpp"
#include "harness/emulator/block.hpp"
#include "harness/emulator/launch.hpp"

namespace kgen::emulator {
namespace {

constexpr std::size_t kMostOutput = std::size_t{64} << 10;
constexpr std::size_t kMostText = 4096;
constexpr I32 kMostWidth = 500;                            ///< of `*`
constexpr const char* kBetween = "0123456789.+-# hlzjt*";  ///< what may stand between % and the type

/// A parameter of the call at hand, out of the caller's frame.
template <class T>
T parameter(const Warp& warp, U32 lane, const KernelParameter& place) {
  T value{};
  std::memcpy(&value, &warp.local[lane * warp.local_bytes + warp.frame_base + place.offset],
              std::min<U64>(sizeof(T), place.bytes));
  return value;
}

/// One value at a generic address of a lane.
template <class T>
T read_value(Warp& warp, U32 lane, U64 address) {
  Addresses addresses;
  Places places;
  addresses[lane] = address;
  access_memory(warp, {ptx::Space::generic, sizeof(T), Use::read, false}, addresses, 1u << lane, places);
  T value;
  std::memcpy(&value, places[lane], sizeof(T));
  return value;
}

std::string read_text(Warp& warp, U32 lane, U64 address) {
  std::string out;
  while (out.size() < kMostText) {
    const char c = read_value<char>(warp, lane, address + out.size());
    if (c == '\0') break;
    out += c;
  }
  return out;
}

/// Formats one conversion with a value of its own kind, in a bounded buffer.
template <class T>
std::string format_one(const std::string& conversion, T value) {
  char text[512] = "";  // stays so where the width is more than snprintf() can count
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  std::snprintf(text, sizeof text, conversion.c_str(), value);
#pragma GCC diagnostic pop
  return text;
}

/// How many values a pattern asks for: what printf returns on the device (CUDA C++ Programming Guide,
/// "Formatted Output").
U32 count_values(const std::string& pattern) {
  U32 count = 0;
  for (std::size_t i = 0; i + 1 < pattern.size(); ++i) {
    if (pattern[i] != '%') continue;
    ++i;  // "%%" asks for none
    if (pattern[i] == '%') continue;
    ++count;
    for (; i < pattern.size() && std::strchr(kBetween, pattern[i]) != nullptr; ++i)
      count += pattern[i] == '*';
  }
  return count;
}

/// printf as the driver does it: values lie one after the other, each aligned to its size, floats as doubles.
std::string format(Warp& warp, U32 lane, const std::string& pattern, U64 values) {
  std::string out;
  U64 at = values;
  const auto next = [&](U64 bytes) {
    at = (at + bytes - 1) / bytes * bytes;
    const U64 here = at;
    at += bytes;
    return here;
  };
  for (std::size_t i = 0; i < pattern.size() && out.size() < kMostText; ++i) {
    if (pattern[i] != '%') {
      out += pattern[i];
      continue;
    }
    std::string conversion = "%";
    std::size_t longs = 0;
    for (++i; i < pattern.size() && std::strchr(kBetween, pattern[i]) != nullptr; ++i) {
      if (pattern[i] == '*') {
        const I32 given = read_value<I32>(warp, lane, next(4));
        conversion += std::to_string(std::clamp(given, -kMostWidth, kMostWidth));
        continue;
      }
      if (pattern[i] == 'l' || pattern[i] == 'z' || pattern[i] == 'j' || pattern[i] == 't') ++longs;
      if (std::strchr("hlzjt", pattern[i]) == nullptr && conversion.size() < 16) conversion += pattern[i];
    }
    const char kind = i < pattern.size() ? pattern[i] : '%';
    if (kind == '%') {
      out += '%';
    } else if (kind == 's') {
      const U64 address = read_value<U64>(warp, lane, next(8));
      out += format_one(conversion + "s", read_text(warp, lane, address).c_str());
    } else if (std::strchr("eEfFgGaA", kind) != nullptr) {
      out += format_one(conversion + kind, read_value<double>(warp, lane, next(8)));
    } else if (kind == 'p') {
      const U64 address = read_value<U64>(warp, lane, next(8));
      out += format_one(conversion + "p", reinterpret_cast<const void*>(address));
    } else if (std::strchr("dioxXuc", kind) == nullptr) {
      out += "?";
    } else if (longs > 0) {
      out +=
          format_one(conversion + "ll" + kind, static_cast<long long>(read_value<I64>(warp, lane, next(8))));
    } else {
      out += format_one(conversion + kind, read_value<I32>(warp, lane, next(4)));
    }
  }
  return out;
}

/// Adds the lane's text to the launch's output, as far as there is room: a flood is not even formatted.
void print(Warp& warp, U32 lane, const std::string& pattern, U64 values) {
  Launch& launch = *warp.block->launch;
  {
    const std::lock_guard lock(launch.output_lock);
    if (launch.output.size() >= kMostOutput) return;
  }
  const std::string text = format(warp, lane, pattern, values);
  const std::lock_guard lock(launch.output_lock);
  if (launch.output.size() < kMostOutput) launch.output += text.substr(0, kMostOutput - launch.output.size());
}

void run_printf(Warp& warp, const Instr& instr, U32 mask) {
  const CallSite& site = warp.program->calls[static_cast<std::size_t>(instr.imm)];
  U64 known = 0;
  std::string pattern;
  for_lanes(mask, [&](U32 lane) {
    const auto address = parameter<U64>(warp, lane, site.arguments[0]);
    if (address != known) pattern = read_text(warp, lane, address);
    known = address;
    print(warp, lane, pattern, parameter<U64>(warp, lane, site.arguments[1]));
    if (!site.results.empty()) {
      const U64 to = lane * warp.local_bytes + warp.frame_base + site.results[0].offset;
      const U32 values = count_values(pattern);
      std::memcpy(&warp.local[to], &values, 4);
      std::memset(&warp.local_written[to], 1, 4);
    }
  });
}

[[noreturn]] void run_assert(Warp& warp, const Instr& instr, U32 mask) {
  const CallSite& site = warp.program->calls[static_cast<std::size_t>(instr.imm)];
  const U32 lane = first_lane(mask);
  std::string text = "an assertion fails";
  if (!site.arguments.empty())
    text += ": " + read_text(warp, lane, parameter<U64>(warp, lane, site.arguments[0]));
  stop_at(warp, lane, Diagnosis::Kind::fault, "assert", text);
}

}  // namespace

bool decode_system_call(FunctionDecoder& d, const std::string& name, const CallSite& site) {
  const bool prints = name == "vprintf" && site.arguments.size() == 2;
  if (!prints && name != "__assertfail") return false;
  Instr instr =
      d.instr(prints ? Handler{run_printf}
                     : Handler{[](Warp& w, const Instr& in, U32 mask) { run_assert(w, in, mask); }});
  instr.imm = static_cast<I64>(d.shared().program.calls.size());
  d.shared().program.calls.push_back(site);
  d.emit(instr);
  return true;
}

}  // namespace kgen::emulator
