#include <cstdint>
#include <numeric>

#include "emulator_corpus/cases.hpp"
#include "emulator_corpus/expectation.hpp"
#include "emulator_corpus/values.hpp"

namespace kgen::corpus {
namespace {

using I64 = std::int64_t;

Case kogge_stone() {
  const auto x = integers(1024, 20, -50, 50);
  std::vector<int> want(x.size());
  for (std::size_t block = 0; block < 4; ++block)
    std::partial_sum(&x[block * 256], &x[block * 256] + 256, &want[block * 256]);
  return {
      "kogge_stone", "scans", {input("x", x), output("y", want)}, {{"kogge_stone", {4}, {256}, {"x", "y"}}}};
}

Case blelloch() {
  const auto x = converted<float>(integers(512, 21, -9, 9));
  std::vector<float> want(x.size());
  std::exclusive_scan(x.begin(), x.end(), want.begin(), 0.0f);
  return {"blelloch",
          "scans",
          {changed("x", x, want), output("total", std::vector<float>{want.back() + x.back()})},
          {{"blelloch", {1}, {256}, {"x", "total"}, 512 * 4}}};
}

Case shuffle_scan() {
  auto x = integers<I64>(200, 22, -1000, 1000);
  for (I64& value : x) value *= 12345678901;
  std::vector<I64> want(x.size());
  std::partial_sum(x.begin(), x.end(), want.begin());
  return {"shuffle_scan",
          "scans",
          {input("x", x), output("y", want)},
          {{"shuffle_scan", {1}, {256}, {"x", "y", 200}}}};
}

Case segmented_scan() {
  const auto x = integers(128, 23, -9, 9), draws = integers(128, 24, 0, 9);
  std::vector<unsigned char> heads(128);
  std::vector<int> want(128);
  for (std::size_t i = 0; i < 128; ++i) {
    heads[i] = draws[i] == 0;
    want[i] = x[i] + (i > 0 && heads[i] == 0 ? want[i - 1] : 0);
  }
  return {"segmented_scan",
          "scans",
          {input("x", x), input("heads", heads), output("y", want)},
          {{"segmented_scan", {1}, {128}, {"x", "heads", "y"}}}};
}

Case look_back_scan() {
  const auto x = integers(2000, 25, -100, 100);
  std::vector<int> want(x.size());
  std::partial_sum(x.begin(), x.end(), want.begin());
  return {"look_back_scan",
          "scans",
          {input("x", x), output("y", want), zeros<std::uint64_t>("state", 16), zeros<unsigned>("ticket", 1)},
          {{"look_back_scan", {16}, {128}, {"x", "y", "state", "ticket", 2000}}}};
}

Case running_max() {
  const std::size_t rows = 70, cols = 20;
  const auto x = converted<float>(integers(rows * cols, 26, -20, 20));
  std::vector<float> values(x.size());
  std::vector<I64> indices(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const bool is_new = i % cols == 0 || x[i] >= values[i - 1];
    values[i] = is_new ? x[i] : values[i - 1];
    indices[i] = is_new ? static_cast<I64>(i % cols) : indices[i - 1];
  }
  return {"running_max",
          "scans",
          {input("x", x), output("values", values), output("indices", indices)},
          {{"running_max", {3}, {32}, {"x", "values", "indices", int{rows}, int{cols}}}}};
}

Case reverse_cumprod() {
  const auto x = doubles(75, 27, 0.5, 1.6);
  std::vector<double> want(x.size());
  std::partial_sum(x.rbegin(), x.rend(), want.rbegin(), std::multiplies<double>());
  return {"reverse_cumprod",
          "scans",
          {input("x", x), output("y", want, {0, 1e-13})},
          {{"reverse_cumprod", {1}, {32}, {"x", "y", 75}}}};
}

Case linear_recurrence() {
  const auto a = reals(256, 28, -0.9f, 0.9f), b = reals(256, 29);
  std::vector<float> want;
  double y = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    y = number_of(a[i]) * y + number_of(b[i]);
    want.push_back(static_cast<float>(y));
  }
  return {"linear_recurrence",
          "scans",
          {input("a", a), input("b", b), output("y", want, {2e-6, 0})},
          {{"linear_recurrence", {1}, {256}, {"a", "b", "y"}}}};
}

}  // namespace

std::vector<Case> scan_cases() {
  return {kogge_stone(),    blelloch(),    shuffle_scan(),    segmented_scan(),
          look_back_scan(), running_max(), reverse_cumprod(), linear_recurrence()};
}

}  // namespace kgen::corpus
