#pragma once

#include <algorithm>
#include <cstdint>

#include "core/task.hpp"

namespace kgen::reference_ops {

/// How windows of pooling lie on an image [H, W] with `pad` places around it.
struct Windows {
  std::int64_t height, width, window, stride, pad;

  explicit Windows(const core::Task& task)
      : height(task.dims.at("H")),
        width(task.dims.at("W")),
        window(static_cast<std::int64_t>(task.attributes.at("window"))),
        stride(static_cast<std::int64_t>(task.attributes.at("stride"))),
        pad(static_cast<std::int64_t>(task.attributes.at("pad"))) {}

  std::int64_t out_height() const { return (height + 2 * pad - window) / stride + 1; }
  std::int64_t out_width() const { return (width + 2 * pad - window) / stride + 1; }

  /// Places [first, last) of an axis with `length` places that window `at` sees.
  std::int64_t first(std::int64_t at) const { return std::max<std::int64_t>(at * stride - pad, 0); }
  std::int64_t last(std::int64_t at, std::int64_t length) const {
    return std::min(at * stride - pad + window, length);
  }

  /// Calls with each value that window (p, q) of `image` sees.
  template <class Each>
  void each(const double* image, std::int64_t p, std::int64_t q, const Each& call) const {
    for (std::int64_t h = first(p); h < last(p, height); ++h) {
      for (std::int64_t v = first(q); v < last(q, width); ++v) call(image[h * width + v]);
    }
  }
};

}  // namespace kgen::reference_ops
