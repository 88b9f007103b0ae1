#include <algorithm>
#include <numeric>

#include "emulator_corpus/cases.hpp"
#include "emulator_corpus/expectation.hpp"
#include "emulator_corpus/values.hpp"

namespace kgen::corpus {
namespace {

template <class T>
std::vector<T> sorted(std::vector<T> values) {
  std::ranges::sort(values);
  return values;
}

Case bitonic_sort() {
  auto keys = integers(1024, 30, -100000, 100000), want = keys;
  std::sort(want.begin(), want.begin() + 512);
  std::sort(want.begin() + 512, want.end());
  return {"bitonic_sort", "sorts", {changed("keys", keys, want)}, {{"bitonic_sort", {2}, {256}, {"keys"}}}};
}

Case odd_even_sort() {
  const auto keys = reals(75, 31);
  return {"odd_even_sort",
          "sorts",
          {changed("keys", keys, sorted(keys))},
          {{"odd_even_sort", {1}, {96}, {"keys", 75}, 75 * 4}}};
}

Case warp_sort_pairs() {
  const auto keys = converted<float>(integers(128, 32, 0, 12));
  std::vector<int> values(128);
  std::vector<std::pair<float, int>> pairs;
  for (int i = 0; i < 128; ++i) {
    values[static_cast<std::size_t>(i)] = i;
    pairs.emplace_back(-keys[static_cast<std::size_t>(i)], i);
  }
  for (auto at = pairs.begin(); at != pairs.end(); at += 32) std::sort(at, at + 32);
  std::vector<float> want_keys;
  std::vector<int> want_values;
  for (const auto& [key, value] : pairs) {
    want_keys.push_back(key == 0 ? 0.0f : -key);
    want_values.push_back(value);
  }
  return {"warp_sort_pairs",
          "sorts",
          {input("keys", keys), input("values", values), output("sorted_keys", want_keys),
           output("sorted_values", want_values)},
          {{"warp_sort_pairs", {2}, {64}, {"keys", "values", "sorted_keys", "sorted_values"}}}};
}

Case radix_sort_block() {
  const auto keys = converted<unsigned>(random_bits(250, 33));
  return {"radix_sort_block",
          "sorts",
          {changed("keys", keys, sorted(keys))},
          {{"radix_sort_block", {1}, {256}, {"keys", 250}}}};
}

Case merge_sort() {
  const auto keys = integers<short>(256, 34, -60, 60);
  return {
      "merge_sort", "sorts", {changed("keys", keys, sorted(keys))}, {{"merge_sort", {1}, {256}, {"keys"}}}};
}

Case rank_sort() {
  const auto keys = converted<double>(integers(90, 35, -20, 20));
  std::vector<int> order(90);
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](int i) { return keys[static_cast<std::size_t>(i)]; });
  return {"rank_sort",
          "sorts",
          {input("keys", keys), output("sorted", sorted(keys)), output("order", order)},
          {{"rank_sort", {3}, {32}, {"keys", "sorted", "order", 90}}}};
}

Case counting_sort() {
  const auto keys = integers<unsigned char>(700, 36, 0, 255);
  return {"counting_sort",
          "sorts",
          {input("keys", keys), output("sorted", sorted(keys))},
          {{"counting_sort", {1}, {256}, {"keys", "sorted", 700}}}};
}

Case radix_pass() {
  const int n = 300, shift = 36;
  const auto keys = random_bits(n, 37);
  auto want = keys;
  std::ranges::stable_sort(want, {}, [](std::uint64_t key) { return key >> 36 & 15; });
  return {"radix_pass",
          "sorts",
          {input("keys", keys), output("sorted", want), workspace<int>("counts", 16 * 5)},
          {{"radix_count", {5}, {64}, {"keys", "counts", n, shift}},
           {"radix_prefix", {1}, {32}, {"counts", 16 * 5}},
           {"radix_scatter", {5}, {64}, {"keys", "counts", "sorted", n, shift}}}};
}

Case insertion_sort_rows() {
  const auto x = integers(40 * 12, 38, -99, 99);
  auto want = x;
  for (auto at = want.begin(); at != want.end(); at += 12) std::sort(at, at + 12);
  return {"insertion_sort_rows",
          "sorts",
          {input("x", x), output("y", want)},
          {{"insertion_sort_rows", {2}, {32}, {"x", "y", 40}}}};
}

}  // namespace

std::vector<Case> sort_cases() {
  return {bitonic_sort(), odd_even_sort(), warp_sort_pairs(), radix_sort_block(),   merge_sort(),
          rank_sort(),    counting_sort(), radix_pass(),      insertion_sort_rows()};
}

}  // namespace kgen::corpus
