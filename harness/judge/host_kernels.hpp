#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "harness/judge/shared/generate.hpp"
#include "harness/judge/shared/tolerance.hpp"

/// What kernels/judge.cu does, on host memory: the same numbers bit for bit.
namespace kgen::judge {

/// What a comparison found; the host's and the device's alike.
struct CompareCount {
  I64 wrong = 0;
  double worst_ratio = 0;
  I64 first_wrong = -1;
};

/// Threads the host's kernels use.
int host_threads();

void fill_on_host(std::byte* out, const FillParams& params, I64 count);
/// `scale` may be empty: then it is |e|.
CompareCount compare_on_host(const std::byte* got, std::span<const double> expected,
                             std::span<const double> scale, const ToleranceParams& params);
U64 hash_on_host(const std::byte* data, I64 bytes, U64 key);
/// Index of the first byte that is not `pattern`; -1: none.
I64 find_other_on_host(const std::byte* data, I64 bytes, unsigned char pattern);
/// Every element as a double.
std::vector<double> decode_on_host(const std::byte* data, int dtype, I64 count);

}  // namespace kgen::judge
