#include <array>
#include <bit>
#include <cstring>
#include <functional>
#include <vector>

#include "emulator_corpus/cases.hpp"
#include "emulator_corpus/expectation.hpp"
#include "emulator_corpus/values.hpp"

namespace kgen::corpus {
namespace {

Case function_pointers() {
  const int n = 100;
  const auto x = integers(n, 340, 0, 1000);
  static constexpr int (*kFunctions[])(int) = {[](int v) { return 2 * v; }, [](int v) { return v * v; },
                                               [](int v) { return -v; }};
  std::vector<int> want;
  for (int i = 0; i < n; ++i) {
    const int v = x[static_cast<std::size_t>(i)];
    want.push_back((kFunctions[v % 3](v) + 1) * 10 + kFunctions[(v + 1) % 3](i));
  }
  return {"function_pointers",
          "language",
          {input("x", x), output("y", want)},
          {{"function_pointers", {2}, {64}, {"x", "y", n}}}};
}

Case mutual_recursion() {
  const int n = 60;
  const auto x = integers(n, 348, 0, 25);
  std::vector<int> want;
  for (const int v : x) {
    int rests = 0;
    for (int depth = v / 2; depth > 0; --depth) rests += 10 * (depth % 3);
    want.push_back(rests + (v / 2 % 2 == (v & 1) ? 1 : 0));
  }
  return {"mutual_recursion",
          "language",
          {input("x", x), output("y", want)},
          {{"mutual_recursion", {1}, {64}, {"x", "y", n}}}};
}

Case virtual_calls() {
  const std::size_t n = 90;
  const auto x = converted<float>(integers(n, 341, 1, 50));
  std::vector<float> want;
  for (std::size_t i = 0; i < n; ++i) want.push_back(i % 3 == 1 ? 3 * x[i] * x[i] : 2 * x[i] + 4000);
  return {"virtual_calls",
          "language",
          {input("x", x), output("y", want)},
          {{"virtual_calls", {3}, {32}, {"x", "y", int{n}}}}};
}

int ackermann_of(int m, int n) {
  return m == 0 ? n + 1 : m == 1 ? n + 2 : 2 * n + 3;
}

Case recursion() {
  const std::size_t n = 50;
  const auto x = integers(n, 342, 0, 100);
  std::vector<int> want, moves;
  for (const int v : x) want.push_back(ackermann_of(v % 3, v % 5));
  want.push_back(31);
  // Move m of the towers goes from (m & m - 1) % 3 to ((m | m - 1) + 1) % 3; an odd number of discs ends on
  // peg 2.
  for (int m = 1; m < 32; ++m) moves.push_back((m & (m - 1)) % 3 * 10 + ((m | (m - 1)) + 1) % 3);
  return {"recursion",
          "language",
          {input("x", x), output("y", want), output("moves", moves)},
          {{"recursion", {1}, {64}, {"x", "y", "moves", int{n}}}}};
}

Case interpreter() {
  // r = 1; n = x % 7; do { r *= 2; n -= 1 } while (n > 0); r + x.
  const std::vector<unsigned char> code = {1, 1, 0, 8, 6, 1, 2, 3, 6, 1, 1, 4, 5, 7, 4, 6, 0, 2, 9};
  const std::size_t n = 80;
  const auto x = integers(n, 343, 0, 200);
  std::vector<int> want;
  for (const int v : x) want.push_back((1 << std::max(v % 7, 1)) + v);
  return {"interpreter",
          "language",
          {input("code", code), input("x", x), output("y", want)},
          {{"interpreter", {3}, {32}, {"code", static_cast<int>(code.size()), "x", "y", int{n}}}}};
}

Case modern() {
  const std::size_t n = 100;
  const auto x = integers(n, 344, 1, 100000);
  std::vector<double> want;
  for (const int v : x) {
    int factors = 0;
    for (int p = 2, count = 0; count < 32; ++p) {
      bool is_prime = true;
      for (int d = 2; d * d <= p; ++d) is_prime = is_prime && p % d != 0;
      count += is_prime ? 1 : 0;
      factors += is_prime && v % p == 0 ? 1 : 0;
    }
    const int quotient = v / 16;
    want.push_back(factors * 1000.0 + quotient + 0.5 * (v % 16) + 1 - 2);
  }
  return {
      "modern", "language", {input("x", x), output("y", want)}, {{"modern", {2}, {64}, {"x", "y", int{n}}}}};
}

struct alignas(8) Record {
  char tag, spare;
  short number;
  float weight;
};

Case layouts() {
  const std::size_t n = 64;
  const auto x = converted<unsigned>(random_bits(n, 345));
  const Record extra{3, 0, -7, 2.5f};
  std::vector<Record> records;
  for (std::size_t i = 0; i < n; ++i)
    records.push_back({static_cast<char>(x[i] & 31), 0, static_cast<short>(x[i] >> 5 & 2047),
                       i == 5 ? extra.weight : 1.0f});
  std::vector<int> want;
  for (std::size_t i = 0; i < n; ++i) {
    const auto at = [&](std::size_t j) { return records[(i + j * 17) % n]; };
    want.push_back(std::bit_cast<int>(at(x[i] % 4).weight) ^ at(3).tag);
    want.push_back((static_cast<int>(x[i]) >> 16) + at(1).number * extra.number + extra.tag);
  }
  return {"layouts",
          "language",
          {input("x", x), output("y", want)},
          {{"layouts", {1}, {64}, {"x", extra, "y", int{n}}}}};
}

Case memory_kinds() {
  const std::size_t n = 100, threads = 64;
  const auto x = reals(4 * n, 346);
  const auto d = doubles(n, 347);
  std::vector<float> want;
  std::vector<double> sums;
  for (std::size_t i = 0; i < n; ++i) {
    const auto part = [&](std::size_t ahead, std::size_t c) { return x[(i + ahead) % n * 4 + c]; };
    const std::size_t t = i % threads;
    for (const float value : {part(0, 0) + part(1, 0), part(1, 1) + part(2, 1), part(2, 2) + part(3, 2),
                              part(3, 3) + static_cast<float>((t ^ 1) * 3)})
      want.push_back(value);
    sums.push_back(d[i] + d[i - t + t / 2]);
  }
  return {"memory_kinds",
          "language",
          {input("x", x), input("d", d), output("y", want), output("out", sums)},
          {{"memory_kinds", {2}, {threads}, {"x", "d", "y", "out", int{n}}, threads * 12}}};
}

Case shared_in_functions() {
  const auto x = integers(64, 365, 0, 99);
  const auto mirrored = [](const std::vector<int>& v) {
    std::vector<int> out;
    for (std::size_t i = 0; i < 64; ++i) out.push_back(v[63 - i] * 100 + v[i % 8]);
    return out;
  };
  const auto once = mirrored(x);
  std::vector<int> rests;
  for (const int v : once) rests.push_back(v % 100);
  auto want = mirrored(rests);
  for (std::size_t i = 0; i < 64; ++i) want[i] += once[i];
  return {"shared_in_functions",
          "language",
          {input("x", x), output("y", want)},
          {{"shared_in_functions", {2}, {64}, {"x", "y"}}}};
}

Case flag_in_shared() {
  return {"flag_in_shared",
          "language",
          {input("x", std::vector<float>{4.5f}), output("y", std::vector<float>{4.5f})},
          {{"flag_in_shared", {1}, {64}, {"x", "y", 3}}}};
}

Case lock_of_lanes() {
  return {"lock_of_lanes",
          "language",
          {output("y", std::vector<int>(64, 63 * 32))},
          {{"lock_of_lanes", {2}, {64}, {"y"}}}};
}

Case printing() {
  Case out{"printing",
           "language",
           {input("x", std::vector<float>{1.5f, -2.25f, 1000.0f})},
           {{"printing", {1}, {32}, {"x", 3}}}};
  out.output =
      "0:   1.500|other |00000|0|a\n1:  -2.250|one   |00037|ff|b\n2:1000.000|other |00074|1fe|c\n"
      "[    42|7    ] 0x1234\n"
      "-5000000000 18446744073709551615 1.234568e+04 %\n";
  return out;
}

Case geometry() {
  const int limit = 100;
  std::vector<int> want;
  for (int i = 0; i < 3 * 2 * 2 * 60; ++i) {
    int steps = 0;
    for (int v = i + 1; v != 1 && steps < limit; ++steps) v = v % 2 != 0 ? 3 * v + 1 : v / 2;
    want.push_back(steps);
  }
  return {"geometry", "language", {output("y", want)}, {{"geometry", {3, 2, 2}, {5, 4, 3}, {"y", limit}}}};
}

}  // namespace

std::vector<Case> language_cases() {
  return {function_pointers(), mutual_recursion(), virtual_calls(),
          recursion(),         interpreter(),      modern(),
          layouts(),           memory_kinds(),     shared_in_functions(),
          flag_in_shared(),    lock_of_lanes(),    printing(),
          geometry()};
}

}  // namespace kgen::corpus
