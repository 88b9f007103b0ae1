#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <cmath>

#include "emulator_corpus/cases.hpp"
#include "emulator_corpus/expectation.hpp"
#include "emulator_corpus/values.hpp"

namespace kgen::corpus {
namespace {

std::size_t at(int row, std::size_t cols, std::size_t col) {
  return static_cast<std::size_t>(row) * cols + col;
}

Case embedding() {
  const std::size_t cols = 80;
  const auto table = converted<__nv_bfloat16>(reals(30 * cols, 60));
  const auto tokens = integers(12, 61, 0, 29);
  std::vector<__nv_bfloat16> want;
  for (const int token : tokens)
    want.insert(want.end(), &table[at(token, cols, 0)], &table[at(token, cols, 0)] + cols);
  return {"embedding",
          "gathers",
          {input("table", table), input("tokens", tokens), output("y", want)},
          {{"embedding", {12}, {32}, {"table", "tokens", "y", 40}}}};
}

Case embedding_bag() {
  const std::size_t cols = 40;
  const auto table = reals(20 * cols, 62);
  const auto indices = integers<long long>(15, 63, 0, 19);
  const std::vector<int> offsets = {0, 4, 4, 9, 15};
  std::vector<float> want(4 * cols);
  for (std::size_t bag = 0; bag < 4; ++bag) {
    const int first = offsets[bag], last = offsets[bag + 1];
    for (std::size_t c = 0; c < cols; ++c) {
      double sum = 0;
      for (int i = first; i < last; ++i)
        sum += number_of(table[at(static_cast<int>(indices[static_cast<std::size_t>(i)]), cols, c)]);
      want[bag * cols + c] = first == last ? 0.0f : static_cast<float>(sum / (last - first));
    }
  }
  return {"embedding_bag",
          "gathers",
          {input("table", table), input("indices", indices), input("offsets", offsets),
           output("y", want, {3e-7, 0})},
          {{"embedding_bag", {4}, {32}, {"table", "indices", "offsets", "y", int{cols}}}}};
}

Case gather_rows() {
  const std::size_t rows = 9, cols = 11, n = 6 * cols;
  const auto x = doubles(rows * cols, 64);
  const auto index = integers(n, 65, -9, 8);
  std::vector<double> want;
  for (std::size_t i = 0; i < n; ++i) want.push_back(x[at((index[i] + 9) % 9, cols, i % cols)]);
  return {"gather_rows",
          "gathers",
          {input("x", x), input("index", index), output("y", want)},
          {{"gather_rows", {3}, {32}, {"x", "index", "y", int{rows}, int{cols}, int{n}}}}};
}

Case scatter_permuted() {
  const auto x = integers<short>(200, 66, -999, 999);
  const auto order = permutation(200, 67);
  std::vector<short> want(200);
  std::vector<int> inverse(200);
  for (std::size_t i = 0; i < 200; ++i) {
    want[static_cast<std::size_t>(order[i])] = x[i];
    inverse[static_cast<std::size_t>(order[i])] = static_cast<int>(i);
  }
  return {"scatter_permuted",
          "gathers",
          {input("x", x), input("order", order), output("y", want), output("inverse", inverse)},
          {{"scatter_permuted", {2}, {128}, {"x", "order", "y", "inverse", 200}}}};
}

/// Small integers, so that sums are exact in every order. `width` elements are one of the kernel's type.
template <class T>
Case scatter_add(const std::string& name, const std::string& type, int width, std::uint64_t seed) {
  const std::size_t n = 48, cols = 6;
  const auto index = integers(n, seed, 0, 9), values = integers(n * cols, seed + 1, 0, 7);
  std::vector<int> sums(10 * cols);
  for (std::size_t i = 0; i < values.size(); ++i) sums[at(index[i / cols], cols, i % cols)] += values[i];
  const auto as_type = [](const std::vector<int>& from) { return converted<T>(converted<float>(from)); };
  const int count = static_cast<int>(n * cols) / width;
  return {"scatter_add_" + name,
          "gathers",
          {input("rows", as_type(values)), input("index", index), accumulated("y", as_type(sums))},
          {{"scatter_add<" + type + ">",
            {5},
            {64},
            {"rows", "index", "y", static_cast<int>(cols) / width, count}}}};
}

Case scatter_max() {
  const auto x = reals(300, 70, -5, 5);
  const auto index = integers(300, 71, 0, 19);
  std::vector<float> before(20, -100.0f), want = before;
  for (std::size_t i = 0; i < 300; ++i) {
    float& to = want[static_cast<std::size_t>(index[i])];
    to = std::max(to, x[i]);
  }
  return {"scatter_max",
          "gathers",
          {input("x", x), input("index", index), changed("y", before, want)},
          {{"scatter_max", {3}, {128}, {"x", "index", "y", 300}}}};
}

Case atomic_operations() {
  const auto x = integers(297, 72, -70000, 70000);
  const std::vector<int> before = {-1, 0, 0, 1 << 30, -(1 << 30), 0, 0, 0};
  std::vector<int> want = before;
  std::uint64_t wide_xor = 0;
  for (const int v : x) {
    want[0] &= v | 0xff;
    want[1] |= v & 0xf0f0;
    want[2] ^= v;
    want[3] = std::min(want[3], v);
    want[4] = std::max(want[4], v);
    want[5] -= v & 7;
    wide_xor ^= static_cast<std::uint64_t>(v) * 0x100000001ull;
  }
  want[6] = 1, want[7] = 77;
  const auto largest = static_cast<std::uint64_t>(want[4]) << 32;
  // 297 increments modulo 7 from 1; 297 decrements modulo 10 from 3.
  return {
      "atomic_operations",
      "gathers",
      {input("x", x), changed("words", before, want),
       changed("wrapped", std::vector<unsigned>{1, 3}, std::vector<unsigned>{298 % 7, (300 + 3 - 297) % 10}),
       changed("wide", std::vector<std::uint64_t>{0, 1ull << 63},
               std::vector<std::uint64_t>{wide_xor, largest})},
      {{"atomic_operations", {3}, {128}, {"x", "words", "wrapped", "wide", 297}}}};
}

Case embedding_backward() {
  const std::size_t n = 50, cols = 33;
  const auto dy = converted<float>(integers(n * cols, 73, -4, 4));
  const auto tokens = integers(n, 74, 0, 8);
  auto places = permutation(n, 75);
  std::ranges::stable_sort(places, {}, [&](int p) { return tokens[static_cast<std::size_t>(p)]; });
  std::vector<int> in_order;
  std::vector<float> want(9 * cols);
  for (const int place : places) {
    const int token = tokens[static_cast<std::size_t>(place)];
    in_order.push_back(token);
    for (std::size_t c = 0; c < cols; ++c) want[at(token, cols, c)] += dy[at(place, cols, c)];
  }
  return {"embedding_backward",
          "gathers",
          {input("dy", dy), input("tokens", in_order), input("places", places), accumulated("dtable", want)},
          {{"embedding_backward", {2}, {128}, {"dy", "tokens", "places", "dtable", int{n}, int{cols}}}}};
}

Case interpolate() {
  const std::size_t side = 6, n = 60;
  const auto grid = reals(side * side * side, 76), points = reals(n * 3, 77, 0, 4.99f);
  const auto lerp = [](double a, double b, double t) { return a + (b - a) * t; };
  std::vector<float> want;
  for (std::size_t i = 0; i < n; ++i) {
    double whole[3], part[3];
    for (std::size_t d = 0; d < 3; ++d) part[d] = std::modf(number_of(points[i * 3 + d]), &whole[d]);
    const auto value = [&](std::size_t x, std::size_t y, std::size_t z) {
      const auto base = [&](int d) { return static_cast<std::size_t>(whole[d]); };
      return number_of(grid[((base(2) + z) * side + base(1) + y) * side + base(0) + x]);
    };
    double planes[2];
    for (std::size_t z = 0; z < 2; ++z)
      planes[z] = lerp(lerp(value(0, 0, z), value(1, 0, z), part[0]),
                       lerp(value(0, 1, z), value(1, 1, z), part[0]), part[1]);
    want.push_back(static_cast<float>(lerp(planes[0], planes[1], part[2])));
  }
  return {"interpolate",
          "gathers",
          {input("grid", grid), input("points", points), output("y", want, {1e-6, 0})},
          {{"interpolate", {2}, {32}, {"grid", "points", "y", int{side}, int{n}}}}};
}

Case swap_loops() {
  const auto x = converted<float>(integers(150, 78, -500, 500));
  const auto largest = [&](int from, int to) { return *std::max_element(x.begin() + from, x.begin() + to); };
  return {"swap_loops",
          "gathers",
          {input("x", x), accumulated("sum", std::vector<double>{std::accumulate(x.begin(), x.end(), 0.0)}),
           output("largest", std::vector<float>{largest(0, 64), largest(64, 128), largest(128, 150)})},
          {{"swap_loops", {3}, {64}, {"x", "sum", "largest", 150}}}};
}

}  // namespace

std::vector<Case> gather_cases() {
  return {embedding(),
          embedding_bag(),
          gather_rows(),
          scatter_permuted(),
          scatter_add<float>("f32", "float", 1, 80),
          scatter_add<double>("f64", "double", 1, 82),
          scatter_add<int>("s32", "int", 1, 84),
          scatter_add<std::uint64_t>("u64", "unsigned long long", 1, 86),
          scatter_add<__half>("f16", "__half", 1, 88),
          scatter_add<__half>("f16x2", "__half2", 2, 90),
          scatter_add<__nv_bfloat16>("bf16", "__nv_bfloat16", 1, 92),
          scatter_add<__nv_bfloat16>("bf16x2", "__nv_bfloat162", 2, 94),
          scatter_max(),
          atomic_operations(),
          embedding_backward(),
          interpolate(),
          swap_loops()};
}

}  // namespace kgen::corpus
