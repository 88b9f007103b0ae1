#include <algorithm>
#include <bit>
#include <cstdlib>
#include <string>

#include "emulator_corpus/cases.hpp"
#include "emulator_corpus/expectation.hpp"
#include "emulator_corpus/values.hpp"

namespace kgen::corpus {
namespace {

using U32 = std::uint32_t;
using U64 = std::uint64_t;
using I64 = std::int64_t;
__extension__ using I128 = __int128;
__extension__ using U128 = unsigned __int128;

int first_set(U64 v) {
  return v == 0 ? 0 : std::countr_zero(v) + 1;
}
U32 reversed(U32 v) {
  U32 out = 0;
  for (int bit = 0; bit < 32; ++bit) out |= (v >> bit & 1u) << (31 - bit);
  return out;
}
/// Position of the n-th set bit from `base` upwards (n > 0) or downwards (n < 0), all ones where there is
/// none.
U32 nth_set(U32 mask, int base, int n) {
  int left = std::abs(n);
  for (int at = base; at >= 0 && at < 32; at += n < 0 ? -1 : 1) {
    if ((mask >> at & 1u) != 0 && --left == 0) return static_cast<U32>(at);
  }
  return ~U32{0};
}

Case bit_counts() {
  const int n = 100;
  const auto x = random_bits(n, 320);
  std::vector<int> want;
  for (int i = 0; i < n; ++i) {
    const U64 v = x[static_cast<std::size_t>(i)];
    const U32 low = static_cast<U32>(v);
    for (const int value :
         {std::popcount(v), std::countl_zero(v >> i % 64), first_set(v << i % 64), std::popcount(low),
          std::countl_zero(low >> i % 32), first_set(low << i % 32), static_cast<int>(reversed(low)),
          static_cast<int>(nth_set(low, i % 32, i % 2 != 0 ? 2 : -2))})
      want.push_back(value);
  }
  return {
      "bit_counts", "bits", {input("x", x), output("y", want)}, {{"bit_counts", {1}, {128}, {"x", "y", n}}}};
}

U32 permuted_bytes(U32 a, U32 b, U32 selector) {
  const U64 both = U64{b} << 32 | a;
  U32 out = 0;
  for (int i = 0; i < 4; ++i) out |= static_cast<U32>(both >> (selector >> 4 * i & 7) * 8 & 255) << 8 * i;
  return out;
}

Case byte_tricks() {
  const U32 n = 100;
  const auto a = converted<U32>(random_bits(n, 321)), b = converted<U32>(random_bits(n, 322));
  std::vector<U32> want;
  for (U32 i = 0; i < n; ++i) {
    const U64 both = U64{b[i]} << 32 | a[i], sum = U64{a[i]} + b[i];
    const I64 sa = static_cast<std::int32_t>(a[i]), sb = static_cast<std::int32_t>(b[i]);
    const auto low24 = [](I64 v) { return static_cast<std::int32_t>(static_cast<U32>(v) << 8) >> 8; };
    for (const U64 value :
         {U64{permuted_bytes(a[i], b[i], 0x7250 + (i & 7))}, both << i % 32 >> 32, both >> std::min(i, 32u),
          static_cast<U64>(std::abs(sa - sb) + 5), sum / 2, static_cast<U64>((sa + sb + 1) >> 1),
          static_cast<U64>(I64{low24(sa)} * low24(sb)), U64{std::rotr(a[i], static_cast<int>(b[i] & 31))}})
      want.push_back(static_cast<U32>(value));
  }
  return {"byte_tricks",
          "bits",
          {input("a", a), input("b", b), output("y", want)},
          {{"byte_tricks", {1}, {128}, {"a", "b", "y", int{n}}}}};
}

/// f of each lane of `bits` bits of two words, sign- or zero-extended.
template <class F>
U32 by_lane(U32 a, U32 b, int bits, bool is_signed, F f) {
  U32 out = 0;
  for (int at = 0; at < 32; at += bits) {
    const auto lane = [&](U32 v) {
      const int value = static_cast<int>(v >> at & ((1u << bits) - 1));
      return is_signed && (value >> (bits - 1)) != 0 ? value - (1 << bits) : value;
    };
    out |= (static_cast<U32>(f(lane(a), lane(b))) & ((1u << bits) - 1)) << at;
  }
  return out;
}

Case simd_words() {
  const U32 n = 90;
  const auto a = converted<U32>(random_bits(n, 323)), b = converted<U32>(random_bits(n, 324));
  std::vector<U32> want;
  for (U32 i = 0; i < n; ++i) {
    const auto lanes = [&](int bits, bool is_signed, auto f) {
      want.push_back(by_lane(a[i], b[i], bits, is_signed, f));
    };
    int differences = 0, dot = -7, dot2 = 11;
    by_lane(a[i], b[i], 8, false, [&](int u, int v) { return differences += std::abs(u - v); });
    by_lane(a[i], b[i], 8, true, [&](int u, int v) { return dot += u * v; });
    for (int k = 0; k < 2; ++k) dot2 += static_cast<int>((a[i] >> 16 * k & 0xffff) * (b[i] >> 8 * k & 0xff));
    lanes(8, false, [](int u, int v) { return u + v; });
    lanes(8, false, [](int u, int v) { return std::abs(u - v); });
    lanes(16, true, [](int u, int v) { return std::max(u, v); });
    lanes(8, false, [](int u, int v) { return u > v ? 255 : 0; });
    lanes(8, false, [](int u, int v) { return (u + v + 1) / 2; });
    lanes(16, true, [](int u, int v) { return std::clamp(u + v, -32768, 32767); });
    for (const int sum : {differences, dot, dot2}) want.push_back(static_cast<U32>(sum));
    lanes(16, true, [](int u, int v) { return std::min(u, v); });
  }
  return {"simd_words",
          "bits",
          {input("a", a), input("b", b), output("y", want)},
          {{"simd_words", {1}, {128}, {"a", "b", "y", int{n}}}}};
}

Case divisions() {
  const std::size_t n = 100;
  auto a = random_bits(n, 325), b = random_bits(n, 326);
  std::vector<I64> want;
  for (std::size_t i = 0; i < n; ++i) {
    b[i] = (b[i] >> i % 60) | 2;
    const I64 sa = static_cast<I64>(a[i]), sb = static_cast<I64>(b[i]);
    const I128 product = I128{sa} * sb;
    const U128 wide = U128{a[i]} * b[i];
    for (const I64 value : {sa / sb, sa % sb, static_cast<I64>(a[i] / b[i]), static_cast<I64>(a[i] % b[i]),
                            static_cast<I64>(product >> 64), static_cast<I64>(wide >> 64),
                            I64{static_cast<std::int32_t>(sa)} / (static_cast<std::int32_t>(sb) | 1),
                            I64{static_cast<U32>(a[i]) % 1000003u}, sa / 10 + sa % 1000000007,
                            I64{static_cast<std::int16_t>(sa) / 7 + static_cast<std::int8_t>(sb) % 5}})
      want.push_back(value);
  }
  return {"divisions",
          "bits",
          {input("a", a), input("b", b), output("y", want)},
          {{"divisions", {1}, {128}, {"a", "b", "y", int{n}}}}};
}

Case wide_products() {
  const std::size_t n = 64;
  const auto a = random_bits(n, 327), b = random_bits(n, 328);
  std::vector<U64> want;
  for (std::size_t i = 0; i < n; ++i) {
    const U128 product = U128{a[i]} * b[i], sum = product + a[i];
    want.push_back(static_cast<U64>(sum));
    want.push_back(static_cast<U64>(sum >> 64));
    want.push_back(static_cast<U64>(product % 0xffffffffu));
  }
  return {"wide_products",
          "bits",
          {input("a", a), input("b", b), output("y", want)},
          {{"wide_products", {1}, {64}, {"a", "b", "y", int{n}}}}};
}

Case carries_of_differences() {
  const std::size_t n = 64;
  auto a = converted<U32>(random_bits(n, 329)), b = converted<U32>(random_bits(n, 330));
  a[0] = b[0], a[1] = 0, b[1] = 1, a[2] = ~0u, b[2] = 0;
  std::vector<U32> want;
  for (std::size_t i = 0; i < n; ++i) {
    const U64 low = U64{a[i]} - b[i], high = U64{b[i]} - a[i] - (a[i] < b[i] ? 1 : 0);
    want.push_back(static_cast<U32>(low));
    want.push_back(static_cast<U32>(high));
    want.push_back(high >> 32 == 0 ? 8 : 7);
  }
  return {"carries_of_differences",
          "bits",
          {input("a", a), input("b", b), output("y", want)},
          {{"carries_of_differences", {1}, {64}, {"a", "b", "y", int{n}}}}};
}

struct Lines {
  std::string text = "abc";
  std::vector<int> starts{0, 0, 3};
  std::vector<unsigned char> bytes() const { return {text.begin(), text.end()}; }
  explicit Lines(const std::vector<std::string>& more) {
    for (const std::string& line : more) {
      text += line;
      starts.push_back(static_cast<int>(text.size()));
    }
  }
};

/// Published check values: the empty text, "abc", and the usual ones.
Case crc32_lines() {
  const Lines lines({"123456789", "The quick brown fox jumps over the lazy dog"});
  return {"crc32_lines",
          "bits",
          {input("text", lines.bytes()), input("starts", lines.starts),
           output("crc", std::vector<U32>{0, 0x352441c2, 0xcbf43926, 0x414fa339})},
          {{"crc32_lines", {1}, {32}, {"text", "starts", "crc", 4}}}};
}

/// FIPS 180-4 and its examples.
Case sha256() {
  const Lines lines({"The quick brown fox jumps over the lazy dog"});
  const std::vector<U32> want = {0xe3b0c442, 0x98fc1c14, 0x9afbf4c8, 0x996fb924, 0x27ae41e4, 0x649b934c,
                                 0xa495991b, 0x7852b855, 0xba7816bf, 0x8f01cfea, 0x414140de, 0x5dae2223,
                                 0xb00361a3, 0x96177a9c, 0xb410ff61, 0xf20015ad, 0xd7a8fbb3, 0x07d78094,
                                 0x69ca9abc, 0xb0082e4f, 0x8d5651e4, 0x6d3cdb76, 0x2d02d0bf, 0x37c9e592};
  return {"sha256",
          "bits",
          {input("text", lines.bytes()), input("starts", lines.starts), output("digests", want)},
          {{"sha256", {1}, {32}, {"text", "starts", "digests", 3}}}};
}

}  // namespace

std::vector<Case> bit_cases() {
  return {bit_counts(),  byte_tricks(), simd_words(), divisions(), wide_products(), carries_of_differences(),
          crc32_lines(), sha256()};
}

}  // namespace kgen::corpus
