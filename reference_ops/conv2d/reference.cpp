#include "reference_ops/conv2d/reference.hpp"

#include <cmath>

namespace kgen::reference_ops {
namespace {

struct Extents {
  std::int64_t channels, filters, height, width, rows, columns, stride, pad;
  std::int64_t out_height() const { return (height + 2 * pad - rows) / stride + 1; }
  std::int64_t out_width() const { return (width + 2 * pad - columns) / stride + 1; }
};

/// One element: the sum of products under a filter [C, R, S] at (p, q) of an image [C, H, W], and of their
/// magnitudes.
std::pair<double, double> filtered(const double* image, const double* filter, const Extents& x,
                                   std::int64_t p, std::int64_t q) {
  double sum = 0, magnitude = 0;
  for (std::int64_t c = 0; c < x.channels; ++c) {
    for (std::int64_t r = 0; r < x.rows; ++r) {
      const std::int64_t h = p * x.stride + r - x.pad;
      if (h < 0 || h >= x.height) continue;
      for (std::int64_t s = 0; s < x.columns; ++s) {
        const std::int64_t v = q * x.stride + s - x.pad;
        if (v < 0 || v >= x.width) continue;
        const double product =
            image[(c * x.height + h) * x.width + v] * filter[(c * x.rows + r) * x.columns + s];
        sum += product;
        magnitude += std::fabs(product);
      }
    }
  }
  return {sum, magnitude};
}

}  // namespace

/// x [N, C, H, W], w [F, C, R, S] -> y [N, F, P, Q] in fp64; scale = sum of the products' magnitudes.
Status conv2d(const ReferenceCall& call) {
  const auto dim = [&](const char* name) { return call.task->dims.at(name); };
  const auto attribute = [&](const char* name) {
    return static_cast<std::int64_t>(call.task->attributes.at(name));
  };
  const Extents x{dim("C"),        dim("F"), dim("H"), dim("W"), dim("R"), dim("S"), attribute("stride"),
                  attribute("pad")};
  const double* const images = call.inputs.at("x").data();
  const double* const filters = call.inputs.at("w").data();
  const auto y = call.expected.at("y"), scale = call.scale.at("y");
  const std::int64_t height = x.out_height(), width = x.out_width();
  parallel_for(dim("N") * x.filters, call.threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const double* const image = images + i / x.filters * x.channels * x.height * x.width;
      const double* const filter = filters + i % x.filters * x.channels * x.rows * x.columns;
      for (std::int64_t at = 0; at < height * width; ++at) {
        const auto [sum, magnitude] = filtered(image, filter, x, at / width, at % width);
        y[static_cast<std::size_t>(i * height * width + at)] = sum;
        scale[static_cast<std::size_t>(i * height * width + at)] = magnitude;
      }
    }
  });
  return {};
}

}  // namespace kgen::reference_ops
