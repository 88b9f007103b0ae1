#include <algorithm>
#include <cmath>

#include "emulator_corpus/cases.hpp"
#include "emulator_corpus/expectation.hpp"
#include "emulator_corpus/values.hpp"

namespace kgen::corpus {
namespace {

using Byte = unsigned char;

/// How often each bin is met.
template <class Count, class T, class Bin>
std::vector<Count> counts_of(const std::vector<T>& x, std::size_t bins, Bin bin) {
  std::vector<Count> out(bins);
  for (const T& value : x) ++out[static_cast<std::size_t>(bin(value))];
  return out;
}

Case histogram_global() {
  const auto x = integers<Byte>(1000, 50, 0, 255);
  const auto want = counts_of<unsigned>(x, 256, [](Byte v) { return v; });
  return {"histogram_global",
          "histograms",
          {input("x", x), accumulated("bins", want)},
          {{"histogram_global", {2}, {128}, {"x", "bins", 1000}}}};
}

Case histogram_shared() {
  const auto x = integers<Byte>(2000, 51, 0, 255);
  const auto want = counts_of<int>(x, 64, [](Byte v) { return v % 64; });
  return {"histogram_shared",
          "histograms",
          {input("x", x), accumulated("bins", want)},
          {{"histogram_shared", {3}, {96}, {"x", "bins", 500}}}};
}

Case histogram_warp() {
  const auto x = integers(999, 52, 0, 6);
  const auto want = counts_of<std::uint64_t>(x, 7, [](int v) { return v; });
  return {"histogram_warp",
          "histograms",
          {input("x", x), accumulated("bins", want)},
          {{"histogram_warp", {8}, {128}, {"x", "bins", 999}}}};
}

Case histogram_private() {
  const auto x = integers<Byte>(1500, 53, 0, 255);
  const auto want = counts_of<int>(x, 16, [](Byte v) { return v / 16; });
  return {"histogram_private",
          "histograms",
          {input("x", x), output("bins", want)},
          {{"histogram_private", {1}, {64}, {"x", "bins", 1500}}}};
}

Case histogram_weighted() {
  // Quarters, so that sums of f64 are exact in every order.
  const auto x = converted<float>(integers(700, 54, -20, 80)),
             weights = converted<float>(integers(700, 55, 0, 9));
  std::vector<double> want(10);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double bin = std::clamp(std::floor(number_of(x[i]) / 8), 0.0, 9.0);
    want[static_cast<std::size_t>(bin)] += number_of(weights[i]);
  }
  return {"histogram_weighted",
          "histograms",
          {input("x", x), input("weights", weights), accumulated("bins", want)},
          {{"histogram_weighted", {6}, {128}, {"x", "weights", "bins", 0.0f, 8.0f, 10, 700}}}};
}

Case confusion_matrix() {
  const auto predicted = integers(500, 56, 0, 4), actual = integers(500, 57, 0, 4);
  std::vector<unsigned> want(25);
  for (std::size_t i = 0; i < 500; ++i) {
    unsigned& cell = want[static_cast<std::size_t>(actual[i] * 5 + predicted[i])];
    cell = std::min(cell + 1, 15u);
  }
  return {"confusion_matrix",
          "histograms",
          {input("predicted", predicted), input("actual", actual), accumulated("matrix", want)},
          {{"confusion_matrix", {4}, {128}, {"predicted", "actual", "matrix", 5, 500}}}};
}

}  // namespace

std::vector<Case> histogram_cases() {
  return {histogram_global(),  histogram_shared(),   histogram_warp(),
          histogram_private(), histogram_weighted(), confusion_matrix()};
}

}  // namespace kgen::corpus
