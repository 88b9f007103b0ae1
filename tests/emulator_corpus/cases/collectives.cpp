#include <algorithm>
#include <functional>
#include <numeric>

#include "emulator_corpus/cases.hpp"
#include "emulator_corpus/expectation.hpp"
#include "emulator_corpus/values.hpp"

namespace kgen::corpus {
namespace {

Case cub_reduce() {
  const auto x = converted<float>(integers(1024, 360, -50, 50));
  std::vector<float> want;
  for (auto at = x.begin(); at != x.end(); at += 512) {
    want.push_back(std::accumulate(at, at + 512, 0.0f));
    want.push_back(*std::min_element(at, at + 512));
  }
  return {"cub_reduce",
          "collectives",
          {input("x", x), output("y", want)},
          {{"cub_reduce", {2}, {128}, {"x", "y"}}}};
}

Case cub_scan() {
  const auto x = integers(250, 361, -50, 50);
  std::vector<int> want(250);
  std::exclusive_scan(x.begin(), x.end(), want.begin(), 0);
  return {"cub_scan",
          "collectives",
          {input("x", x), output("y", want), output("total", std::vector<int>{want.back() + x.back()})},
          {{"cub_scan", {1}, {64}, {"x", "y", "total"}}}};
}

Case cub_radix_sort() {
  const auto keys = converted<float>(integers(192, 362, -40, 40));
  std::vector<int> values(192), order(192);
  std::iota(values.begin(), values.end(), 0);
  order = values;
  std::ranges::stable_sort(order, std::greater<>(), [&](int i) { return keys[static_cast<std::size_t>(i)]; });
  auto sorted_keys = keys;
  std::ranges::sort(sorted_keys, std::greater<>());
  return {"cub_radix_sort",
          "collectives",
          {changed("keys", keys, sorted_keys), changed("values", values, order)},
          {{"cub_radix_sort", {1}, {64}, {"keys", "values"}}}};
}

Case cub_histogram() {
  const auto x = integers<unsigned char>(256, 364, 0, 31);
  std::vector<unsigned> want(32);
  for (const unsigned char v : x) ++want[v];
  return {"cub_histogram",
          "collectives",
          {input("x", x), output("bins", want)},
          {{"cub_histogram", {1}, {64}, {"x", "bins"}}}};
}

Case cub_flags() {
  const auto x = integers(128, 365, 0, 2);
  std::vector<int> heads;
  std::vector<double> sums(4);
  for (std::size_t i = 0; i < 128; ++i) {
    heads.push_back(i == 0 || x[i] != x[i - 1] ? 1 : 0);
    sums[i / 32] += x[i] * (i % 2 == 0 ? 0.5 : 1.0);
  }
  return {"cub_flags",
          "collectives",
          {input("x", x), output("heads", heads), output("warp_sums", sums)},
          {{"cub_flags", {1}, {64}, {"x", "heads", "warp_sums"}}}};
}

}  // namespace

std::vector<Case> collective_cases() {
  return {cub_reduce(), cub_scan(), cub_radix_sort(), cub_histogram(), cub_flags()};
}

}  // namespace kgen::corpus
