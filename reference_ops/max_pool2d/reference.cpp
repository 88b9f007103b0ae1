#include "reference_ops/max_pool2d/reference.hpp"

#include <limits>

#include "reference_ops/window.hpp"

namespace kgen::reference_ops {

/// x [N, C, H, W] -> y [N, C, P, Q].
Status max_pool2d(const ReferenceCall& call) {
  const Windows windows(*call.task);
  const double* const x = call.inputs.at("x").data();
  const auto y = call.expected.at("y");
  const std::int64_t width = windows.out_width(), places = windows.out_height() * width;
  parallel_for(static_cast<std::int64_t>(y.size()), call.threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const double* const image = x + i / places * windows.height * windows.width;
      double largest = -std::numeric_limits<double>::infinity();
      windows.each(image, i % places / width, i % width, [&](double value) {
        if (value > largest || value != value) largest = value;  // NaN, once met, stays
      });
      y[static_cast<std::size_t>(i)] = largest;
    }
  });
  return {};
}

}  // namespace kgen::reference_ops
