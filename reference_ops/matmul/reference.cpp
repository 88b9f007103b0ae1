#include "reference_ops/matmul/reference.hpp"

#include <algorithm>
#include <cmath>

namespace kgen::reference_ops {
namespace {

constexpr std::size_t kBlock = 128;  ///< rows of op(b) that stay in the cache for all rows of a thread

struct Extents {
  std::size_t m, n, k;
  bool trans_a, trans_b;
};

/// op(b) as [batch, k, n]; `room` holds it where it has to be made.
std::span<const double> plain_b(std::span<const double> b, std::size_t batch, const Extents& x, int threads,
                                std::vector<double>& room) {
  if (!x.trans_b) return b;
  room.resize(b.size());
  const auto rows = static_cast<std::int64_t>(batch * x.k);
  parallel_for(rows, threads, [&](std::int64_t begin, std::int64_t end) {
    for (auto row = static_cast<std::size_t>(begin); row < static_cast<std::size_t>(end); ++row) {
      const std::size_t from = row / x.k * x.k * x.n + row % x.k;
      for (std::size_t n = 0; n < x.n; ++n) room[row * x.n + n] = b[from + n * x.k];
    }
  });
  return room;
}

/// c += x * row and scale += |x * row|, element by element.
void add_products(double x, const double* row, double* c, double* scale, std::size_t count) {
  for (std::size_t n = 0; n < count; ++n) {
    const double product = x * row[n];
    c[n] += product;
    scale[n] += std::fabs(product);
  }
}

}  // namespace

/// a [B, M, K] or [B, K, M], b [B, K, N] or [B, N, K] -> c [B, M, N] in fp64; scale = |op(a)| |op(b)|, what
/// rounding errors of a sum of products are relative to (Higham, Accuracy and Stability of Numerical
/// Algorithms, 2nd ed., 3.5).
Status matmul(const ReferenceCall& call) {
  const auto dim = [&](const char* name) { return static_cast<std::size_t>(call.task->dims.at(name)); };
  const Extents x{dim("M"), dim("N"), dim("K"), call.task->attributes.at("trans_a") != 0,
                  call.task->attributes.at("trans_b") != 0};
  const std::size_t batch = dim("B");
  std::vector<double> room;
  const auto a = call.inputs.at("a");
  const auto b = plain_b(call.inputs.at("b"), batch, x, call.threads, room);
  const auto c = call.expected.at("c"), scale = call.scale.at("c");
  std::fill(c.begin(), c.end(), 0.0);
  std::fill(scale.begin(), scale.end(), 0.0);
  const std::size_t step = x.trans_a ? x.m : 1;
  parallel_for(
      static_cast<std::int64_t>(batch * x.m), call.threads, [&](std::int64_t begin, std::int64_t end) {
        for (std::size_t first = 0; first < x.k; first += kBlock) {
          const std::size_t last = std::min(first + kBlock, x.k);
          for (auto row = static_cast<std::size_t>(begin); row < static_cast<std::size_t>(end); ++row) {
            const std::size_t i = row / x.m, m = row % x.m;
            const double* const left = a.data() + i * x.m * x.k + (x.trans_a ? m : m * x.k);
            const double* const right = b.data() + i * x.k * x.n;
            for (std::size_t k = first; k < last; ++k)
              add_products(left[k * step], right + k * x.n, c.data() + row * x.n, scale.data() + row * x.n,
                           x.n);
          }
        }
      });
  return {};
}

}  // namespace kgen::reference_ops
