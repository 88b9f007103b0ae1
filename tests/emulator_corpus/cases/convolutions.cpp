#include <cuda_fp16.h>

#include <algorithm>
#include <cmath>

#include "emulator_corpus/cases.hpp"
#include "emulator_corpus/expectation.hpp"
#include "emulator_corpus/values.hpp"

namespace kgen::corpus {
namespace {

/// A plane of an image; 0 outside.
template <class T>
struct Plane {
  const T* x;
  int height, width;
  double at(int r, int c) const {
    if (r < 0 || r >= height || c < 0 || c >= width) return 0;
    return number_of(x[r * width + c]);
  }
  /// One pixel of a convolution with side x side weights whose corner lies at (r, c).
  template <class W>
  double window(const W* weights, int side, int r, int c) const {
    double sum = 0;
    for (int i = 0; i < side * side; ++i) sum += number_of(weights[i]) * at(r + i / side, c + i % side);
    return sum;
  }
};

struct ImageShape {
  int channels, height, width;
};

Case convolve_1d() {
  const auto x = reals(150, 200);
  const float taps[] = {0.03125f, 0.109375f, 0.21875f, 0.28125f, 0.21875f, 0.109375f, 0.03125f};
  std::vector<float> want;
  for (int i = 0; i < 150; ++i) {
    double sum = 0;
    for (int t = 0; t < 7; ++t) sum += number_of(taps[t]) * Plane<float>{x.data(), 1, 150}.at(0, i + t - 3);
    want.push_back(static_cast<float>(sum));
  }
  return {"convolve_1d",
          "convolutions",
          {input("x", x), output("y", want, {3e-7, 0})},
          {{"convolve_1d", {3}, {64}, {"x", "y", 150}}}};
}

Case convolve_2d() {
  const int channels = 3, height = 9, width = 11, outputs = 4, out_height = 5, out_width = 6;
  const auto x = reals(channels * height * width, 201), weights = reals(outputs * channels * 9, 202),
             bias = reals(outputs, 203);
  std::vector<float> want;
  for (int k = 0; k < outputs; ++k) {
    for (int i = 0; i < out_height * out_width; ++i) {
      double sum = number_of(bias[static_cast<std::size_t>(k)]);
      for (int c = 0; c < channels; ++c) {
        const Plane<float> plane{&x[static_cast<std::size_t>(c * height * width)], height, width};
        sum += plane.window(&weights[static_cast<std::size_t>((k * channels + c) * 9)], 3,
                            i / out_width * 2 - 1, i % out_width * 2 - 1);
      }
      want.push_back(static_cast<float>(sum));
    }
  }
  return {
      "convolve_2d",
      "convolutions",
      {input("x", x), input("weights", weights), input("bias", bias), output("y", want, {5e-6, 0})},
      {{"convolve_2d",
        {1, out_height, outputs},
        {32},
        {"x", "weights", "bias", "y", ImageShape{channels, height, width}, 2, 1, out_height, out_width}}}};
}

Case depthwise() {
  const int channels = 2, height = 20, width = 23;
  const auto x = converted<__half>(reals(channels * height * width, 204)),
             weights = converted<__half>(reals(channels * 25, 205));
  std::vector<__half> want;
  for (int c = 0; c < channels; ++c) {
    const Plane<__half> plane{&x[static_cast<std::size_t>(c * height * width)], height, width};
    for (int i = 0; i < height * width; ++i)
      want.push_back(
          __half(plane.window(&weights[static_cast<std::size_t>(c * 25)], 5, i / width - 2, i % width - 2)));
  }
  return {"depthwise",
          "convolutions",
          {input("x", x), input("weights", weights), output("y", want, {1e-5, 0x1p-10})},
          {{"depthwise", {2, 2, channels}, {16, 16}, {"x", "weights", "y", height, width}}}};
}

Case max_pool() {
  const int planes = 2, height = 6, width = 14;
  const auto x = converted<float>(integers(planes * height * width, 206, -9, 9));
  std::vector<float> want;
  std::vector<long long> places;
  for (int p = 0; p < planes; ++p) {
    const Plane<float> plane{&x[static_cast<std::size_t>(p * height * width)], height, width};
    for (int i = 0; i < height / 2 * (width / 2); ++i) {
      const int r = i / (width / 2) * 2, c = i % (width / 2) * 2;
      const int corners[] = {r * width + c, r * width + c + 1, (r + 1) * width + c, (r + 1) * width + c + 1};
      const int best = *std::ranges::max_element(corners, {}, [&](int at) { return plane.x[at]; });
      want.push_back(plane.x[best]);
      places.push_back(best);
    }
  }
  return {"max_pool",
          "convolutions",
          {input("x", x), output("y", want), output("places", places)},
          {{"max_pool", {1, height / 2, planes}, {32}, {"x", "y", "places", height, width}}}};
}

Case average_pool_global() {
  const auto x = reals(5 * 77, 207);
  std::vector<float> want;
  for (std::size_t p = 0; p < 5; ++p) {
    double sum = 0;
    for (std::size_t i = 0; i < 77; ++i) sum += number_of(x[p * 77 + i]);
    want.push_back(static_cast<float>(sum / 77));
  }
  return {"average_pool_global",
          "convolutions",
          {input("x", x), output("y", want, {1e-7, 1e-6})},
          {{"average_pool_global", {5}, {32}, {"x", "y", 77}}}};
}

Case im2col() {
  const int channels = 2, height = 5, width = 6;
  const auto x = reals(channels * height * width, 208);
  std::vector<float> want;
  for (int row = 0; row < channels * 9; ++row) {
    const Plane<float> plane{&x[static_cast<std::size_t>(row / 9 * height * width)], height, width};
    for (int i = 0; i < height * width; ++i)
      want.push_back(static_cast<float>(plane.at(i / width + row % 9 / 3 - 1, i % width + row % 3 - 1)));
  }
  return {"im2col",
          "convolutions",
          {input("x", x), output("columns", want)},
          {{"im2col", {2}, {128}, {"x", "columns", ImageShape{channels, height, width}}}}};
}

Case convolve_transposed() {
  const int height = 5, width = 7;
  const auto x = converted<float>(integers(height * width, 209, -5, 5)),
             weights = converted<float>(integers(16, 210, -5, 5));
  std::vector<float> want(static_cast<std::size_t>(4 * height * width));
  // Read backwards: output (r, c) takes tap i of the inputs h with 2 h - 1 + i == r.
  const Plane<float> plane{x.data(), height, width};
  for (int o = 0; o < 4 * height * width; ++o) {
    const int r = o / (2 * width), c = o % (2 * width);
    for (int i = 0; i < 16; ++i) {
      const int h = r + 1 - i / 4, w = c + 1 - i % 4;
      if (h % 2 == 0 && w % 2 == 0)
        want[static_cast<std::size_t>(o)] +=
            static_cast<float>(plane.at(h / 2, w / 2)) * weights[static_cast<std::size_t>(i)];
    }
  }
  return {"convolve_transposed",
          "convolutions",
          {input("x", x), input("weights", weights), accumulated("y", want)},
          {{"convolve_transposed", {1}, {8, 8}, {"x", "weights", "y", height, width}}}};
}

Case resize_bilinear() {
  const int height = 7, width = 9, out_height = 8, out_width = 36;  // scales that are exact in f32
  const auto x = integers<unsigned char>(height * width, 211, 0, 255);
  std::vector<unsigned char> want;
  const Plane<unsigned char> plane{x.data(), height, width};
  for (int o = 0; o < out_height * out_width; ++o) {
    const int out_row = o / out_width;
    const double y = std::max((out_row + 0.5) * height / out_height - 0.5, 0.0);
    const double c = std::max((o % out_width + 0.5) * width / out_width - 0.5, 0.0);
    const auto row = [&](int r) {
      const int left = static_cast<int>(c), right = std::min(left + 1, width - 1);
      return std::lerp(plane.at(r, left), plane.at(r, right), c - left);
    };
    const int top = static_cast<int>(y);
    want.push_back(static_cast<unsigned char>(
        std::nearbyint(std::lerp(row(top), row(std::min(top + 1, height - 1)), y - top))));
  }
  return {"resize_bilinear",
          "convolutions",
          {input("x", x), output("y", want)},
          {{"resize_bilinear", {2, out_height}, {32}, {"x", "y", height, width, out_height, out_width}}}};
}

Case median_filter() {
  const int height = 8, width = 40;
  const auto x = integers<unsigned char>(height * width, 212, 0, 255);
  std::vector<unsigned char> want;
  for (int r = 0; r < height - 2; ++r) {
    for (int c = 0; c < width - 2; ++c) {
      std::vector<unsigned char> nine;
      for (int i = 0; i < 9; ++i)
        nine.push_back(x[static_cast<std::size_t>((r + i / 3) * width + c + i % 3)]);
      std::ranges::sort(nine);
      want.push_back(nine[4]);
    }
  }
  return {"median_filter",
          "convolutions",
          {input("x", x), output("y", want)},
          {{"median_filter", {2, height - 2}, {32}, {"x", "y", height, width}}}};
}

}  // namespace

std::vector<Case> convolution_cases() {
  return {convolve_1d(), convolve_2d(),         depthwise(),       max_pool(),     average_pool_global(),
          im2col(),      convolve_transposed(), resize_bilinear(), median_filter()};
}

}  // namespace kgen::corpus
