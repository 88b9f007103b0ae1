#include "util/sha256.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace kgen::util {
namespace {

constexpr std::size_t kBlock = 64;  // bytes
constexpr std::size_t kRounds = 64;

using State = std::array<std::uint32_t, 8>;

// FIPS 180-4, 4.2.2: the first 32 bits of the fractional parts of the cube roots of the first 64 primes.
constexpr std::array<std::uint32_t, kRounds> kConstants = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

std::uint32_t byte_at(std::string_view bytes, std::size_t at) {
  return static_cast<unsigned char>(bytes[at]);
}

/// 6.2.2, step 1.
std::array<std::uint32_t, kRounds> schedule_of(std::string_view block) {
  std::array<std::uint32_t, kRounds> w{};
  for (std::size_t t = 0; t < 16; ++t)
    w[t] = byte_at(block, 4 * t) << 24 | byte_at(block, 4 * t + 1) << 16 | byte_at(block, 4 * t + 2) << 8 |
           byte_at(block, 4 * t + 3);
  for (std::size_t t = 16; t < kRounds; ++t) {
    const std::uint32_t s0 = std::rotr(w[t - 15], 7) ^ std::rotr(w[t - 15], 18) ^ (w[t - 15] >> 3);
    const std::uint32_t s1 = std::rotr(w[t - 2], 17) ^ std::rotr(w[t - 2], 19) ^ (w[t - 2] >> 10);
    w[t] = w[t - 16] + s0 + w[t - 7] + s1;
  }
  return w;
}

/// 6.2.2, steps 2 to 4.
void add_block(State& hash, std::string_view block) {
  const auto w = schedule_of(block);
  State v = hash;  // a to h
  for (std::size_t t = 0; t < kRounds; ++t) {
    const std::uint32_t s1 = std::rotr(v[4], 6) ^ std::rotr(v[4], 11) ^ std::rotr(v[4], 25);
    const std::uint32_t choice = (v[4] & v[5]) ^ (~v[4] & v[6]);
    const std::uint32_t t1 = v[7] + s1 + choice + kConstants[t] + w[t];
    const std::uint32_t s0 = std::rotr(v[0], 2) ^ std::rotr(v[0], 13) ^ std::rotr(v[0], 22);
    const std::uint32_t t2 = s0 + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
    std::rotate(v.begin(), v.end() - 1, v.end());
    v[4] += t1;
    v[0] = t1 + t2;
  }
  for (std::size_t i = 0; i < hash.size(); ++i) hash[i] += v[i];
}

/// The rest of the message with its padding (5.1.1): a one bit, zeros, the length in bits.
std::string last_blocks(std::string_view rest, std::uint64_t bytes) {
  std::string padded(rest);
  padded += '\x80';
  padded.resize((padded.size() + 8 + kBlock - 1) / kBlock * kBlock - 8, '\0');
  for (int shift = 56; shift >= 0; shift -= 8) padded += static_cast<char>(bytes * 8 >> shift & 0xff);
  return padded;
}

}  // namespace

std::string sha256(std::string_view bytes) {
  State hash = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  const std::size_t whole = bytes.size() / kBlock * kBlock;
  for (std::size_t at = 0; at < whole; at += kBlock) add_block(hash, bytes.substr(at, kBlock));
  const std::string last = last_blocks(bytes.substr(whole), bytes.size());
  for (std::size_t at = 0; at < last.size(); at += kBlock)
    add_block(hash, std::string_view(last).substr(at, kBlock));
  std::string digest;
  for (const std::uint32_t word : hash)
    for (int shift = 24; shift >= 0; shift -= 8) digest += static_cast<char>(word >> shift & 0xff);
  return digest;
}

}  // namespace kgen::util
