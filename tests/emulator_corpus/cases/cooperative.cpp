#include <algorithm>
#include <complex>
#include <numeric>

#include "emulator_corpus/cases.hpp"
#include "emulator_corpus/expectation.hpp"
#include "emulator_corpus/values.hpp"

namespace kgen::corpus {
namespace {

Case tile_reduce() {
  const std::size_t rows = 21, cols = 30;
  const auto x = converted<float>(integers(rows * cols, 350, -99, 99));
  std::vector<float> sums, largest;
  for (auto row = x.begin(); row != x.end(); row += cols) {
    sums.push_back(std::accumulate(row, row + cols, 0.0f));
    largest.push_back(*std::max_element(row, row + cols));
  }
  return {"tile_reduce",
          "cooperative",
          {input("x", x), output("sums", sums), output("largest", largest)},
          {{"tile_reduce", {3}, {64}, {"x", "sums", "largest", int{rows}, int{cols}}}}};
}

Case tile_scan() {
  const auto x = integers(128, 351, 0, 5000);
  std::vector<int> inclusive(128), exclusive(128);
  for (std::size_t i = 0; i < 128; ++i) {
    inclusive[i] = x[i] + (i % 32 == 0 ? 0 : inclusive[i - 1]);
    exclusive[i] = i % 32 == 0 ? 0 : exclusive[i - 1] ^ x[i - 1];
  }
  return {"tile_scan",
          "cooperative",
          {input("x", x), output("inclusive", inclusive), output("exclusive", exclusive)},
          {{"tile_scan", {2}, {64}, {"x", "inclusive", "exclusive"}}}};
}

Case coalesced() {
  const std::size_t n = 100;
  const auto x = integers(n, 352, 0, 100);
  std::vector<int> ranks(n, -1), sums(n), taken(4);
  int count = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (x[i] % 3 == 0) {
      ranks[i] = taken[i / 32]++;
      ++count;
    }
    for (std::size_t j = i / 32 * 32; j < std::min(i / 32 * 32 + 32, n); ++j) {
      if (x[j] % 4 != x[i] % 4) continue;
      sums[i] += x[j] + ((x[j] > 50) == (x[i] > 50) ? 1000 : 0);
    }
  }
  return {"coalesced",
          "cooperative",
          {input("x", x), accumulated("count", std::vector<int>{count}), output("ranks", ranks),
           output("sums", sums)},
          {{"coalesced", {2}, {64}, {"x", "count", "ranks", "sums", int{n}}}}};
}

Case grid_normalise() {
  const std::size_t n = 1000;
  const auto x = converted<float>(integers(n, 353, 1, 9));
  const float total = std::accumulate(x.begin(), x.end(), 0.0f);
  std::vector<float> want;
  for (const float v : x) want.push_back(v / total);
  Step step{"grid_normalise", {4}, {128}, {"x", "parts", int{n}}};
  step.cooperative = true;
  return {"grid_normalise",
          "cooperative",
          {changed("x", x, want, {0, 2e-7}), workspace<float>("parts", 5)},
          {step}};
}

Case grid_stencil() {
  const std::size_t n = 120;
  const auto x = doubles(n, 354);
  auto a = x, b = x;
  for (int round = 0; round < 5; ++round) {
    for (std::size_t i = 1; i + 1 < n; ++i) b[i] = (a[i - 1] + a[i] + a[i + 1]) * 0.25;
    std::swap(a, b);
  }
  Step step{"grid_stencil", {4}, {32}, {"a", "b", int{n}, 5}};
  step.cooperative = true;
  return {"grid_stencil", "cooperative", {changed("a", x, b), changed("b", x, a)}, {step}};
}

Case copy_async_tiles() {
  const auto x = integers(320, 355, -999, 999);
  std::vector<int> want(64);
  for (std::size_t i = 0; i < 320; ++i) want[63 - i % 64] += x[i];
  return {"copy_async_tiles",
          "cooperative",
          {input("x", x), output("y", want)},
          {{"copy_async_tiles", {1}, {64}, {"x", "y", 320}}}};
}

Case atomic_references() {
  const auto x = integers(150, 356, 0, 4000);
  std::uint64_t bits = 0;
  int ticket = 0;
  for (const int v : x) {
    bits |= std::uint64_t{1} << v % 64;
    ticket = (ticket * 5 + 1) % 97;
  }
  return {
      "atomic_references",
      "cooperative",
      {input("x", x),
       accumulated("sum", std::vector<float>{static_cast<float>(std::accumulate(x.begin(), x.end(), 0))}),
       accumulated("most", std::vector<unsigned>{static_cast<unsigned>(*std::ranges::max_element(x))}),
       accumulated("bits", std::vector<std::uint64_t>{bits}), accumulated("flag", std::vector<int>{ticket})},
      {{"atomic_references", {1}, {160}, {"x", "sum", "most", "bits", "flag", 150}}}};
}

Case producer_consumer() {
  const auto x = integers(7 * 32, 357, -99, 99);
  std::vector<int> want(32);
  for (std::size_t i = 0; i < x.size(); ++i) want[31 - i % 32] += 3 * x[i];
  return {"producer_consumer",
          "cooperative",
          {input("x", x), output("y", want)},
          {{"producer_consumer", {1}, {64}, {"x", "y", 7}}}};
}

Case library_types() {
  const std::size_t n = 40;
  const auto x = reals(2 * n, 358);
  std::vector<float> want;
  for (std::size_t i = 0; i < n; ++i) {
    const std::complex<double> z(number_of(x[2 * i]), number_of(x[2 * i + 1]));
    const std::complex<double> sum = (z + z * z + z * z * z) / std::complex<double>(2, 1);
    want.push_back(static_cast<float>(sum.real()));
    want.push_back(static_cast<float>(sum.imag()));
  }
  return {"library_types",
          "cooperative",
          {input("x", x), output("y", want, {1e-6, 0})},
          {{"library_types", {1}, {64}, {"x", "y", int{n}}}}};
}

}  // namespace

std::vector<Case> cooperative_cases() {
  return {tile_reduce(),      tile_scan(),         coalesced(),         grid_normalise(), grid_stencil(),
          copy_async_tiles(), atomic_references(), producer_consumer(), library_types()};
}

}  // namespace kgen::corpus
