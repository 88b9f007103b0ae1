#include "util/clock.hpp"

#include <sys/random.h>

#include <cerrno>
#include <cstdio>
#include <ctime>
#include <stdexcept>

namespace kgen::util {
namespace {

std::string formatted(const char* format, const std::tm& time) {
  char text[64];
  return std::string(text, std::strftime(text, sizeof text, format, &time));
}

}  // namespace

std::string utc_now_text() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  return formatted("%Y-%m-%dT%H:%M:%SZ", parts);
}

std::string compact_now_text() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::localtime_r(&now, &parts);
  return formatted("%Y%m%d-%H%M%S", parts);
}

std::uint64_t random_seed() {
  std::uint64_t seed = 0;
  ssize_t count = 0;
  do count = ::getrandom(&seed, sizeof seed, 0);
  while (count < 0 && errno == EINTR);
  if (count != static_cast<ssize_t>(sizeof seed)) throw std::runtime_error("getrandom gave no random bytes");
  return seed;
}

std::uint64_t derived_seed(std::uint64_t seed, std::uint64_t place) {
  std::uint64_t z = seed + 0x9e3779b97f4a7c15u * place;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

}  // namespace kgen::util
