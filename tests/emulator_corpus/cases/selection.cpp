#include <cuda_fp16.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "emulator_corpus/cases.hpp"
#include "emulator_corpus/expectation.hpp"
#include "emulator_corpus/values.hpp"

namespace kgen::corpus {
namespace {

/// Columns of a row of `cols`, the largest value first, equal ones in order.
template <class T>
std::vector<int> by_value(const std::vector<T>& x, std::size_t row, std::size_t cols) {
  std::vector<int> columns(cols);
  std::iota(columns.begin(), columns.end(), 0);
  std::ranges::stable_sort(columns, std::greater<>(),
                           [&](int c) { return number_of(x[row * cols + static_cast<std::size_t>(c)]); });
  return columns;
}

Case top_k() {
  const std::size_t rows = 4, cols = 150, k = 5;
  const auto x = converted<float>(integers(rows * cols, 40, 0, 60));
  std::vector<float> values;
  std::vector<int> columns;
  for (std::size_t r = 0; r < rows; ++r) {
    const auto order = by_value(x, r, cols);
    for (std::size_t i = 0; i < k; ++i) {
      columns.push_back(order[i]);
      values.push_back(x[r * cols + static_cast<std::size_t>(order[i])]);
    }
  }
  return {"top_k",
          "selection",
          {input("x", x), output("values", values), output("columns", columns)},
          {{"top_k<5>", {rows}, {32}, {"x", "values", "columns", int{cols}}}}};
}

Case argmax_rows() {
  const std::size_t rows = 3, cols = 170;
  const auto x = converted<__half>(converted<float>(integers(rows * cols, 41, -40, 40)));
  std::vector<int> want;
  for (std::size_t r = 0; r < rows; ++r) want.push_back(by_value(x, r, cols)[0]);
  return {"argmax_rows",
          "selection",
          {input("x", x), output("columns", want)},
          {{"argmax_rows", {rows}, {64}, {"x", "columns", int{cols}}}}};
}

Case argmin_packed() {
  auto x = reals(900, 42, 5, 9);
  x[601] = x[377] = -2.5f;
  const auto ordered = static_cast<std::uint64_t>(~std::bit_cast<std::uint32_t>(-2.5f));
  return {"argmin_packed",
          "selection",
          {input("x", x), changed("least", std::vector<std::uint64_t>{~0ull},
                                  std::vector<std::uint64_t>{ordered << 32 | 377})},
          {{"argmin_packed", {3}, {128}, {"x", "least", 900}}}};
}

Case compact() {
  const auto x = integers(600, 43, 0, 99);
  std::vector<int> want;
  std::ranges::copy_if(x, std::back_inserter(want), [](int v) { return v >= 40; });
  const int count = static_cast<int>(want.size());
  return {"compact",
          "selection",
          {input("x", x), output("chosen", want), output("count", std::vector<int>{count})},
          {{"compact", {1}, {256}, {"x", "chosen", "count", 600, 40}}}};
}

Case partition_by_sign() {
  const auto x = integers(500, 44, -30, 30);
  const int negative = static_cast<int>(std::ranges::count_if(x, [](int v) { return v < 0; }));
  Buffer y = output("y", x);
  y.check = [x, negative](const Bytes& bytes) -> std::string {
    std::vector<int> got(x.size()), want = x;
    std::memcpy(got.data(), bytes.data(), bytes.size());
    const bool split = std::is_partitioned(got.begin(), got.end(), [](int v) { return v >= 0; });
    std::ranges::sort(got);
    std::ranges::sort(want);
    return split && got == want && got[static_cast<std::size_t>(negative)] >= 0 ? "" : "no partition of x\n";
  };
  return {"partition_by_sign",
          "selection",
          {input("x", x), y, accumulated("counts", std::vector<int>{500 - negative, negative})},
          {{"partition_by_sign", {4}, {128}, {"x", "y", "counts", 500}}}};
}

Case run_lengths() {
  const auto x = integers<char>(220, 45, 0, 1);
  std::vector<char> values;
  std::vector<int> lengths;
  for (const char v : x) {
    if (values.empty() || values.back() != v) {
      values.push_back(v);
      lengths.push_back(0);
    }
    ++lengths.back();
  }
  return {"run_lengths",
          "selection",
          {input("x", x), output("values", values), output("lengths", lengths),
           output("runs", std::vector<int>{static_cast<int>(values.size())})},
          {{"run_lengths", {1}, {256}, {"x", "values", "lengths", "runs", 220}}}};
}

Case lower_bound() {
  auto keys = converted<double>(integers(333, 46, -500, 500));
  std::ranges::sort(keys);
  const auto queries = converted<double>(integers(100, 47, -510, 510));
  std::vector<int> want;
  for (const double query : queries)
    want.push_back(static_cast<int>(std::ranges::lower_bound(keys, query) - keys.begin()));
  return {"lower_bound",
          "selection",
          {input("sorted", keys), input("queries", queries), output("places", want)},
          {{"lower_bound", {2}, {64}, {"sorted", 333, "queries", "places", 100}}}};
}

Case radix_select() {
  const auto x = converted<unsigned>(random_bits(777, 48));
  auto order = x;
  std::ranges::sort(order);
  return {"radix_select",
          "selection",
          {input("x", x), output("result", std::vector<unsigned>{order[388]})},
          {{"radix_select", {1}, {256}, {"x", "result", 777, 388}}}};
}

}  // namespace

std::vector<Case> selection_cases() {
  return {top_k(),       argmax_rows(), argmin_packed(), compact(), partition_by_sign(),
          run_lengths(), lower_bound(), radix_select()};
}

}  // namespace kgen::corpus
