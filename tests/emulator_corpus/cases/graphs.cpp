#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>
#include <string>
#include <utility>

#include "emulator_corpus/cases.hpp"
#include "emulator_corpus/expectation.hpp"
#include "emulator_corpus/values.hpp"

namespace kgen::corpus {
namespace {

/// A graph or a sparse matrix in compressed rows.
struct Rows {
  std::vector<int> starts{0}, columns;
  Rows(std::size_t count, int columns_of_all, int longest, std::uint64_t seed) {
    const auto lengths = integers(count, seed, 0, longest);
    for (const int length : lengths) starts.push_back(starts.back() + length);
    columns = integers(static_cast<std::size_t>(starts.back()), seed + 1, 0, columns_of_all - 1);
  }
  template <class F>
  void for_row(std::size_t row, F f) const {
    for (auto i = static_cast<std::size_t>(starts[row]); i < static_cast<std::size_t>(starts[row + 1]); ++i)
      f(i, static_cast<std::size_t>(columns[i]));
  }
};

Case spmv_csr() {
  const std::size_t count = 20;
  const Rows rows(count, 60, 70, 302);
  const auto values = reals(rows.columns.size(), 304), x = reals(60, 305);
  std::vector<float> want;
  for (std::size_t r = 0; r < count; ++r) {
    double sum = 0;
    rows.for_row(
        r, [&](std::size_t i, std::size_t column) { sum += number_of(values[i]) * number_of(x[column]); });
    want.push_back(static_cast<float>(sum));
  }
  return {"spmv_csr",
          "graphs",
          {input("starts", rows.starts), input("columns", rows.columns), input("values", values),
           input("x", x), output("y", want, {3e-6, 0})},
          {{"spmv_csr", {5}, {128}, {"starts", "columns", "values", "x", "y", int{count}}}}};
}

Case breadth_first() {
  const Rows graph(60, 60, 3, 306);
  std::vector<int> want(60, -1);
  std::queue<std::size_t> open({0});
  want[0] = 0;
  for (; !open.empty(); open.pop()) {
    graph.for_row(open.front(), [&](std::size_t, std::size_t to) {
      if (want[to] >= 0) return;
      want[to] = want[open.front()] + 1;
      open.push(to);
    });
  }
  const int levels = *std::ranges::max_element(want) + 1;
  std::vector<int> before(60, -1);
  before[0] = 0;
  Case out{"breadth_first",
           "graphs",
           {input("starts", graph.starts), input("edges", graph.columns), changed("distance", before, want)},
           {}};
  static const char* const kFrontiers[] = {"f0", "f1", "f2", "f3", "f4",  "f5",
                                           "f6", "f7", "f8", "f9", "f10", "f11"};
  static const char* const kSizes[] = {"s0", "s1", "s2", "s3", "s4",  "s5",
                                       "s6", "s7", "s8", "s9", "s10", "s11"};
  out.buffers.push_back(input(kFrontiers[0], std::vector<int>{0}));
  out.buffers.push_back(input(kSizes[0], std::vector<int>{1}));
  for (int level = 1; level <= levels && level < 12; ++level) {
    out.buffers.push_back(workspace<int>(kFrontiers[level], 60));
    out.buffers.push_back(
        accumulated(kSizes[level], std::vector<int>{static_cast<int>(std::ranges::count(want, level))}));
    out.steps.push_back({"bfs_level",
                         {2},
                         {32},
                         {"starts", "edges", "distance", kFrontiers[level - 1], kSizes[level - 1],
                          kFrontiers[level], kSizes[level], level}});
  }
  return out;
}

Case components() {
  const int n = 100;
  const auto ends = integers(2 * 70, 308, 0, n - 1);
  std::vector<int> parent(static_cast<std::size_t>(n)), want;
  std::iota(parent.begin(), parent.end(), 0);
  want = parent;
  for (bool changes = true; changes;) {
    changes = false;
    for (std::size_t e = 0; e < ends.size(); e += 2) {
      int &a = want[static_cast<std::size_t>(ends[e])], &b = want[static_cast<std::size_t>(ends[e + 1])];
      changes = changes || a != b;
      a = b = std::min(a, b);
    }
  }
  return {"components",
          "graphs",
          {input("edges", ends), changed("parent", parent, want)},
          {{"join_components", {2}, {64}, {"edges", "parent", 70}},
           {"flatten_components", {2}, {64}, {"parent", n}}}};
}

Case edit_distance() {
  const std::string a = "the quick brown fox jumps over a lazy dog",
                    b = "then quack, brawn foxes jumped under the hazy log";
  std::vector<int> line(b.size() + 1);
  std::iota(line.begin(), line.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    int corner = line[0]++;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int best = std::min({line[j] + 1, line[j - 1] + 1, corner + (a[i - 1] != b[j - 1] ? 1 : 0)});
      corner = std::exchange(line[j], best);
    }
  }
  return {
      "edit_distance",
      "graphs",
      {input("a", std::vector<char>(a.begin(), a.end())), input("b", std::vector<char>(b.begin(), b.end())),
       output("distance", std::vector<int>{line.back()})},
      {{"edit_distance",
        {1},
        {64},
        {"a", static_cast<int>(a.size()), "b", static_cast<int>(b.size()), "distance"}}}};
}

Case k_means() {
  const std::size_t n = 200;
  const auto points = converted<float>(integers(2 * n, 313, -50, 50)),
             centres = converted<float>(integers(16, 314, -50, 50));
  std::vector<int> nearest, counts(8);
  std::vector<float> sums(16);
  for (std::size_t i = 0; i < n; ++i) {
    const auto distance = [&](std::size_t k) {
      return std::hypot(points[2 * i] - centres[2 * k], points[2 * i + 1] - centres[2 * k + 1]);
    };
    std::size_t best = 0;
    for (std::size_t k = 1; k < 8; ++k) best = distance(k) < distance(best) ? k : best;
    nearest.push_back(static_cast<int>(best));
    ++counts[best];
    sums[2 * best] += points[2 * i];
    sums[2 * best + 1] += points[2 * i + 1];
  }
  return {"k_means",
          "graphs",
          {input("points", points), input("centres", centres), output("nearest", nearest),
           accumulated("sums", sums), accumulated("counts", counts)},
          {{"k_means", {2}, {128}, {"points", "centres", "nearest", "sums", "counts", int{n}}}}};
}

}  // namespace

std::vector<Case> graph_cases() {
  return {spmv_csr(), breadth_first(), components(), edit_distance(), k_means()};
}

}  // namespace kgen::corpus
