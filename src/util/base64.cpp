#include "util/base64.hpp"

#include <array>
#include <cstdint>
#include <stdexcept>

namespace kgen::util {
namespace {

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::array<std::int8_t, 256> make_values() {
  std::array<std::int8_t, 256> values{};
  for (auto& value : values) value = -1;
  for (std::size_t i = 0; i < kAlphabet.size(); ++i)
    values[static_cast<unsigned char>(kAlphabet[i])] = static_cast<std::int8_t>(i);
  return values;
}
constexpr std::array<std::int8_t, 256> kValues = make_values();

}  // namespace

std::string base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t count = bytes.size() - at < 3 ? bytes.size() - at : 3;
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      group = group << 8 | (i < count ? static_cast<unsigned char>(bytes[at + i]) : 0u);
    }
    for (std::size_t i = 0; i < 4; ++i)
      text.push_back(i <= count ? kAlphabet[group >> (18 - 6 * i) & 63] : '=');
  }
  return text;
}

std::string from_base64(std::string_view text) {
  if (text.size() % 4 != 0) throw std::invalid_argument("base64 of a length that is no multiple of 4");
  const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with("=") ? 1 : 0;
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  for (std::size_t at = 0; at < text.size(); at += 4) {
    const bool last = at + 4 == text.size();
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const std::int8_t value = kValues[static_cast<unsigned char>(text[at + i])];
      const bool padded = last && i >= 4 - padding;
      if (value < 0 && !padded) throw std::invalid_argument("a character that is not base64");
      group = group << 6 | static_cast<std::uint32_t>(padded ? 0 : value);
    }
    const std::size_t count = last ? 3 - padding : 3;
    for (std::size_t i = 0; i < count; ++i) bytes.push_back(static_cast<char>(group >> (16 - 8 * i) & 255));
  }
  return bytes;
}

}  // namespace kgen::util
