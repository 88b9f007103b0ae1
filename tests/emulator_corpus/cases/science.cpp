#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <numeric>
#include <queue>

#include "emulator_corpus/cases.hpp"
#include "emulator_corpus/expectation.hpp"
#include "emulator_corpus/values.hpp"

namespace kgen::corpus {
namespace {

Case jacobi() {
  const std::size_t height = 11, width = 37;
  const auto x = converted<float>(integers(height * width, 300, -99, 99));
  auto want = x;
  for (std::size_t r = 1; r + 1 < height; ++r) {
    for (std::size_t c = 1; c + 1 < width; ++c) {
      const std::size_t i = r * width + c;
      want[i] = 0.25f * (x[i - 1] + x[i + 1] + x[i - width] + x[i + width]);
    }
  }
  return {"jacobi",
          "science",
          {input("x", x), output("y", want)},
          {{"jacobi", {2, 3}, {32, 4}, {"x", "y", int{height}, int{width}}}}};
}

Case stencil_3d() {
  const std::size_t nx = 20, ny = 6, nz = 7, plane = nx * ny;
  const auto x = doubles(plane * nz, 301);
  std::vector<double> want(x.size(), 5.0);
  for (std::size_t i = plane; i < plane * (nz - 1); ++i) {
    const std::size_t c = i % nx, r = i / nx % ny;
    if (c == 0 || r == 0 || c == nx - 1 || r == ny - 1) continue;
    want[i] = 0.4 * x[i] + 0.1 * (x[i - plane] + x[i + plane] + x[i - 1] + x[i + 1] + x[i - nx] + x[i + nx]);
  }
  return {"stencil_3d",
          "science",
          {input("x", x), changed("y", std::vector<double>(x.size(), 5.0), want, {1e-15, 0})},
          {{"stencil_3d", {ny - 2}, {32}, {"x", "y", int{nx}, int{ny}, int{nz}}}}};
}

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
          "science",
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
           "science",
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
          "science",
          {input("edges", ends), changed("parent", parent, want)},
          {{"join_components", {2}, {64}, {"edges", "parent", 70}},
           {"flatten_components", {2}, {64}, {"parent", n}}}};
}

Case n_body() {
  const std::size_t n = 90;
  const auto bodies = reals(4 * n, 309, 0, 4);
  std::vector<float> want;
  for (std::size_t i = 0; i < n; ++i) {
    double force[3] = {};
    for (std::size_t j = 0; j < n; ++j) {
      double squares = 0.01, delta[3];
      for (std::size_t d = 0; d < 3; ++d) {
        delta[d] = number_of(bodies[4 * j + d]) - number_of(bodies[4 * i + d]);
        squares += delta[d] * delta[d];
      }
      for (std::size_t d = 0; d < 3; ++d)
        force[d] += number_of(bodies[4 * j + 3]) * delta[d] / std::pow(squares, 1.5);
    }
    for (const double f : force) want.push_back(static_cast<float>(f));
  }
  return {"n_body",
          "science",
          {input("bodies", bodies), output("forces", want, {1e-3, 1e-5})},
          {{"n_body", {2}, {64}, {"bodies", "forces", int{n}}}}};
}

Case game_of_life() {
  const int words = 2, width = 64, height = 12;
  const auto cells = converted<unsigned>(random_bits(words * height, 310));
  const auto is_alive = [&](int r, int c) {
    const int row = (r + height) % height, column = (c + width) % width;
    return static_cast<int>(cells[static_cast<std::size_t>(row * words + column / 32)] >> column % 32 & 1u);
  };
  std::vector<unsigned> want(cells.size());
  for (int i = 0; i < width * height; ++i) {
    const int r = i / width, c = i % width;
    int around = -is_alive(r, c);
    for (int j = 0; j < 9; ++j) around += is_alive(r + j / 3 - 1, c + j % 3 - 1);
    const bool lives = around == 3 || (around == 2 && is_alive(r, c) != 0);
    want[static_cast<std::size_t>(r * words + c / 32)] |= static_cast<unsigned>(lives) << c % 32;
  }
  return {"game_of_life",
          "science",
          {input("cells", cells), output("next", want)},
          {{"game_of_life", {height}, {32}, {"cells", "next", words, height}}}};
}

Case mandelbrot() {
  const int width = 40, height = 10, limit = 60;
  std::vector<unsigned short> want;
  for (int p = 0; p < width * height; ++p) {
    const double re = -2.0 + 3.0 * (p % width) / width, im = -1.25 + 2.5 * (p / width) / height;
    double a = 0, b = 0;
    int i = 0;
    for (; i < limit && a * a + b * b <= 4.0; ++i) {
      const double next = a * a - b * b + re;
      b = 2.0 * (a * b) + im;
      a = next;
    }
    want.push_back(static_cast<unsigned short>(i));
  }
  return {"mandelbrot",
          "science",
          {output("y", want)},
          {{"mandelbrot", {2, height}, {32}, {"y", width, height, limit}}}};
}

Case fft() {
  const auto x = reals(1024, 311);
  std::vector<float> want;
  for (std::size_t i = 0; i < 512; ++i) {
    std::complex<double> sum;
    for (std::size_t j = 0; j < 256; ++j) {
      const std::size_t at = 2 * (i / 256 * 256 + j);
      const double turns = static_cast<double>(i % 256 * j % 256) / 256;
      sum += std::complex<double>(number_of(x[at]), number_of(x[at + 1])) *
             std::polar(1.0, -2 * 3.14159265358979324 * turns);
    }
    want.push_back(static_cast<float>(sum.real()));
    want.push_back(static_cast<float>(sum.imag()));
  }
  return {"fft", "science", {input("x", x), output("y", want, {1e-5, 0})}, {{"fft", {2}, {128}, {"x", "y"}}}};
}

Case cholesky() {
  const std::size_t n = 14;
  auto lower = doubles(n * n, 312);
  for (std::size_t i = 0; i < n * n; ++i)
    lower[i] = i % n > i / n ? 0 : i % n == i / n ? 2 + lower[i] : lower[i];
  std::vector<double> a(n * n);
  for (std::size_t i = 0; i < n * n; ++i) {
    for (std::size_t k = 0; k < n; ++k) a[i] += lower[i / n * n + k] * lower[i % n * n + k];
  }
  auto want = a;  // the upper triangle stays
  for (std::size_t i = 0; i < n * n; ++i) want[i] = i % n <= i / n ? lower[i] : a[i];
  return {
      "cholesky", "science", {changed("a", a, want, {1e-13, 0})}, {{"cholesky", {1}, {32}, {"a", int{n}}}}};
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
      "science",
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
          "science",
          {input("points", points), input("centres", centres), output("nearest", nearest),
           accumulated("sums", sums), accumulated("counts", counts)},
          {{"k_means", {2}, {128}, {"points", "centres", "nearest", "sums", "counts", int{n}}}}};
}

}  // namespace

std::vector<Case> science_cases() {
  return {jacobi(),       stencil_3d(), spmv_csr(), breadth_first(), components(),    n_body(),
          game_of_life(), mandelbrot(), fft(),      cholesky(),      edit_distance(), k_means()};
}

}  // namespace kgen::corpus
