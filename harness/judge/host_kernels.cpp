#include "harness/judge/host_kernels.hpp"

#include <algorithm>
#include <mutex>
#include <thread>

#include "reference_ops/reference.hpp"

namespace kgen::judge {
namespace {

/// One thread a 64 Ki elements, at most as many as the machine has.
void for_ranges(I64 count, const std::function<void(std::int64_t, std::int64_t)>& body) {
  const auto parts = std::min<I64>(host_threads(), 1 + count / 65536);
  reference_ops::parallel_for(count, static_cast<int>(parts), body);
}

CompareCount compare_range(const std::byte* got, std::span<const double> expected,
                           std::span<const double> scale, const ToleranceParams& params, I64 begin, I64 end) {
  CompareCount out;
  const int bytes = bytes_of_code(params.dtype);
  for (I64 i = begin; i < end; ++i) {
    const auto place = static_cast<std::size_t>(i);
    const double e = expected[place];
    const double value = decode(params.dtype, load_element(got, bytes, i));
    const double ratio = error_ratio(params, value, e, scale.empty() ? absolute(e) : scale[place]);
    out.worst_ratio = std::max(out.worst_ratio, ratio);
    if (ratio <= 1.0) continue;
    if (out.wrong++ == 0) out.first_wrong = i;
  }
  return out;
}

}  // namespace

int host_threads() {
  return static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1u, 16u));
}

void fill_on_host(std::byte* out, const FillParams& params, I64 count) {
  const int bytes = bytes_of_code(params.dtype);
  for_ranges(count, [&](std::int64_t begin, std::int64_t end) {
    for (I64 i = begin; i < end; ++i) store_element(out, bytes, i, fill_bits(params, i));
  });
}

CompareCount compare_on_host(const std::byte* got, std::span<const double> expected,
                             std::span<const double> scale, const ToleranceParams& params) {
  CompareCount total;
  std::mutex mutex;
  for_ranges(static_cast<I64>(expected.size()), [&](std::int64_t begin, std::int64_t end) {
    const CompareCount part = compare_range(got, expected, scale, params, begin, end);
    const std::lock_guard lock(mutex);
    total.wrong += part.wrong;
    total.worst_ratio = std::max(total.worst_ratio, part.worst_ratio);
    if (part.first_wrong >= 0 && (total.first_wrong < 0 || part.first_wrong < total.first_wrong)) {
      total.first_wrong = part.first_wrong;
    }
  });
  return total;
}

U64 hash_on_host(const std::byte* data, I64 bytes, U64 key) {
  U64 sum = 0;
  for (I64 begin = 0; begin < bytes; begin += 8) {
    U64 word = 0;
    std::memcpy(&word, data + begin, static_cast<std::size_t>(std::min<I64>(8, bytes - begin)));
    sum += hash_word(key, static_cast<U64>(begin / 8), word);
  }
  return sum;
}

I64 find_other_on_host(const std::byte* data, I64 bytes, unsigned char pattern) {
  const auto* const end = data + bytes;
  const auto* const found = std::find_if(data, end, [&](std::byte b) { return b != std::byte{pattern}; });
  return found == end ? -1 : found - data;
}

std::vector<double> decode_on_host(const std::byte* data, int dtype, I64 count) {
  std::vector<double> out(static_cast<std::size_t>(count));
  const int bytes = bytes_of_code(dtype);
  for_ranges(count, [&](std::int64_t begin, std::int64_t end) {
    for (I64 i = begin; i < end; ++i) {
      out[static_cast<std::size_t>(i)] = decode(dtype, load_element(data, bytes, i));
    }
  });
  return out;
}

}  // namespace kgen::judge
