#include "util/utf8.hpp"

#include <cstddef>

namespace kgen::util {
namespace {

struct Sequence {
  std::size_t length = 0;                 ///< 0: no sequence begins with this byte
  unsigned char low = 0x80, high = 0xbf;  ///< bounds of the second byte
};

Sequence sequence_of(unsigned char first) {
  if (first < 0x80) return {1};
  if (first < 0xc2 || first > 0xf4) return {0};
  if (first < 0xe0) return {2};
  if (first == 0xe0) return {3, 0xa0, 0xbf};  // shorter forms exist below
  if (first == 0xed) return {3, 0x80, 0x9f};  // surrogates above
  if (first < 0xf0) return {3};
  if (first == 0xf0) return {4, 0x90, 0xbf};
  return first == 0xf4 ? Sequence{4, 0x80, 0x8f} : Sequence{4};
}

}  // namespace

bool is_utf8(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  for (std::size_t i = 0; i < text.size();) {
    const Sequence sequence = sequence_of(byte(i));
    if (sequence.length == 0 || i + sequence.length > text.size()) return false;
    for (std::size_t k = 1; k < sequence.length; ++k) {
      const unsigned char low = k == 1 ? sequence.low : 0x80, high = k == 1 ? sequence.high : 0xbf;
      if (byte(i + k) < low || byte(i + k) > high) return false;
    }
    i += sequence.length;
  }
  return true;
}

}  // namespace kgen::util
