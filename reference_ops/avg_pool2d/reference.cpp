#include "reference_ops/avg_pool2d/reference.hpp"

#include <cmath>

#include "reference_ops/window.hpp"

namespace kgen::reference_ops {

/// x [N, C, H, W] -> y [N, C, P, Q] in fp64; scale = mean of the magnitudes.
Status avg_pool2d(const ReferenceCall& call) {
  const Windows windows(*call.task);
  const bool counts_pad = call.task->attributes.at("count_pad") != 0;
  const double* const x = call.inputs.at("x").data();
  const auto y = call.expected.at("y"), scale = call.scale.at("y");
  const std::int64_t width = windows.out_width(), places = windows.out_height() * width;
  parallel_for(static_cast<std::int64_t>(y.size()), call.threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const double* const image = x + i / places * windows.height * windows.width;
      double sum = 0, magnitude = 0, seen = 0;
      windows.each(image, i % places / width, i % width, [&](double value) {
        sum += value;
        magnitude += std::fabs(value);
        seen += 1;
      });
      const double count = counts_pad ? static_cast<double>(windows.window * windows.window) : seen;
      y[static_cast<std::size_t>(i)] = sum / count;
      scale[static_cast<std::size_t>(i)] = magnitude / count;
    }
  });
  return {};
}

}  // namespace kgen::reference_ops
