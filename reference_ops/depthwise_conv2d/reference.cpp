#include "reference_ops/depthwise_conv2d/reference.hpp"

#include <cmath>

namespace kgen::reference_ops {

/// x [N, C, H, W], w [C, R, S] -> y [N, C, P, Q] in fp64; scale = sum of the products' magnitudes.
Status depthwise_conv2d(const ReferenceCall& call) {
  const auto dim = [&](const char* name) { return call.task->dims.at(name); };
  const auto attribute = [&](const char* name) {
    return static_cast<std::int64_t>(call.task->attributes.at(name));
  };
  const std::int64_t channels = dim("C"), height = dim("H"), width = dim("W"), rows = dim("R"),
                     columns = dim("S");
  const std::int64_t stride = attribute("stride"), pad = attribute("pad");
  const std::int64_t out_height = (height + 2 * pad - rows) / stride + 1;
  const std::int64_t out_width = (width + 2 * pad - columns) / stride + 1;
  const double* const x = call.inputs.at("x").data();
  const double* const w = call.inputs.at("w").data();
  const auto y = call.expected.at("y"), scale = call.scale.at("y");
  parallel_for(
      dim("N") * channels * out_height * out_width, call.threads, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
          const std::int64_t q = i % out_width, p = i / out_width % out_height,
                             plane = i / (out_width * out_height);
          double sum = 0, magnitude = 0;
          for (std::int64_t tap = 0; tap < rows * columns; ++tap) {
            const std::int64_t h = p * stride + tap / columns - pad, v = q * stride + tap % columns - pad;
            if (h < 0 || h >= height || v < 0 || v >= width) continue;
            const double product =
                x[(plane * height + h) * width + v] * w[plane % channels * rows * columns + tap];
            sum += product;
            magnitude += std::fabs(product);
          }
          y[static_cast<std::size_t>(i)] = sum;
          scale[static_cast<std::size_t>(i)] = magnitude;
        }
      });
  return {};
}

}  // namespace kgen::reference_ops
