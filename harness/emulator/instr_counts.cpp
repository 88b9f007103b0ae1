#include "harness/emulator/instr_counts.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace kgen::emulator {
namespace {

constexpr U64 kSectorBytes = 32, kBanks = 32, kWordBytes = 4;

/// Different values of f(address) among the lanes.
template <class F>
U64 count_different(const U64 (&addresses)[kLanes], U32 mask, F f) {
  std::array<U64, kLanes> values;
  std::size_t count = 0;
  for_lanes(mask, [&](U32 lane) { values[count++] = f(addresses[lane]); });
  std::sort(values.begin(), values.begin() + count);
  return static_cast<U64>(std::unique(values.begin(), values.begin() + count) - values.begin());
}

/// Wavefronts of lanes that go together: the most different words that one bank is asked for.
U64 wavefronts(const U64 (&addresses)[kLanes], U32 mask, U32 bytes) {
  std::array<U64, kLanes * 4> words;
  std::size_t count = 0;
  for_lanes(mask, [&](U32 lane) {
    for (U64 byte = 0; byte < bytes; byte += kWordBytes)
      words[count++] = (addresses[lane] + byte) / kWordBytes;
  });
  std::sort(words.begin(), words.begin() + count);
  const auto end = std::unique(words.begin(), words.begin() + count);
  std::array<U64, kBanks> asked{};
  for (auto word = words.begin(); word != end; ++word) ++asked[*word % kBanks];
  return *std::max_element(asked.begin(), asked.end());
}

void add(RequestCounts& a, const RequestCounts& b) {
  a.requests += b.requests;
  a.bytes += b.bytes;
  a.units += b.units;
  a.ideal += b.ideal;
}

}  // namespace

void add_counts(CodeCounts& a, const CodeCounts& b) {
  a.resize(std::max(a.size(), b.size()));
  for (std::size_t i = 0; i < b.size(); ++i) {
    a[i].warps += b[i].warps;
    a[i].lanes += b[i].lanes;
    a[i].active += b[i].active;
    a[i].divergent += b[i].divergent;
    add(a[i].global, b[i].global);
    add(a[i].shared, b[i].shared);
  }
}

void count_global(InstrCounts& counts, const U64 (&addresses)[kLanes], U32 mask, U32 bytes) {
  RequestCounts& global = counts.global;
  ++global.requests;
  global.bytes += U64{bytes} * static_cast<U64>(std::popcount(mask));
  // An access is aligned to its size, which divides a sector: it lies in one.
  global.units += count_different(addresses, mask, [](U64 address) { return address / kSectorBytes; });
  const U64 different = count_different(addresses, mask, [](U64 address) { return address; });
  global.ideal += (different * bytes + kSectorBytes - 1) / kSectorBytes;
}

void count_shared(InstrCounts& counts, const U64 (&addresses)[kLanes], U32 mask, U32 bytes) {
  RequestCounts& shared = counts.shared;
  ++shared.requests;
  shared.bytes += U64{bytes} * static_cast<U64>(std::popcount(mask));
  const U32 together = bytes <= kWordBytes ? kLanes : kLanes * static_cast<U32>(kWordBytes) / bytes;
  for (U32 first = 0; first < kLanes; first += together) {
    const U32 lanes = together == kLanes ? mask : mask & (((1u << together) - 1) << first);
    if (lanes == 0) continue;
    shared.units += wavefronts(addresses, lanes, bytes);
    ++shared.ideal;
  }
}

}  // namespace kgen::emulator
