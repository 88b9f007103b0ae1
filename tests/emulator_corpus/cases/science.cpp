#include <cmath>
#include <complex>

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
    const int row = p / width;
    const double re = -2.0 + 3.0 * (p % width) / width, im = -1.25 + 2.5 * row / height;
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

}  // namespace

std::vector<Case> science_cases() {
  return {jacobi(), stencil_3d(), n_body(), game_of_life(), mandelbrot(), fft(), cholesky()};
}

}  // namespace kgen::corpus
