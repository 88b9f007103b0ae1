#include "reference_ops/attention_paged/reference.hpp"

#include <algorithm>
#include <cmath>

#include "reference_ops/attend.hpp"

namespace kgen::reference_ops {
namespace {

/// A pool of pages, [pages, page, heads, width].
struct Pool {
  std::span<const double> elements;
  std::size_t page, heads, width;
};

/// The first keys (or values) of a sequence, of one head, one after the other.
std::vector<double> gather(const Pool& pool, std::span<const double> table, std::size_t count,
                           std::size_t head) {
  std::vector<double> rows(count * pool.width);
  for (std::size_t j = 0; j < count; ++j) {
    const std::size_t place = static_cast<std::size_t>(table[j / pool.page]) * pool.page + j % pool.page;
    const auto row = pool.elements.subspan((place * pool.heads + head) * pool.width, pool.width);
    std::copy(row.begin(), row.end(), rows.begin() + static_cast<std::ptrdiff_t>(j * pool.width));
  }
  return rows;
}

/// Keys of the pool that the first of a sequence may be: those of one page where its table names no other.
std::size_t distinct_keys(const Pool& pool, std::size_t pages, std::span<const double> table,
                          std::size_t count) {
  const auto used = table.first((count + pool.page - 1) / pool.page);
  const bool is_one = std::ranges::all_of(used, [&](double page) { return page == used.front(); });
  return is_one ? pool.page : pages * pool.page;
}

}  // namespace

Status attention_paged(const ReferenceCall& call) {
  const auto dim = [&](const char* name) { return static_cast<std::size_t>(call.task->dims.at(name)); };
  const std::size_t heads = dim("Hq"), kv_heads = dim("Hkv"), width = dim("D"), room = dim("room");
  const Pool keys{call.inputs.at("k"), dim("page"), kv_heads, width};
  const Pool values{call.inputs.at("v"), dim("page"), kv_heads, width};
  const auto q = call.inputs.at("q"), table = call.inputs.at("table"), last = call.inputs.at("last");
  const auto o = call.expected.at("o"), scale = call.scale.at("o");
  parallel_for(
      static_cast<std::int64_t>(last.size() * heads), call.threads,
      [&](std::int64_t begin, std::int64_t end) {
        std::vector<double> weights(room * keys.page), roundings(weights.size());
        for (auto row = static_cast<std::size_t>(begin); row < static_cast<std::size_t>(end); ++row) {
          const std::size_t sequence = row / heads, own = row * width,
                            head = row % heads / (heads / kv_heads);
          const auto visible = static_cast<std::size_t>(last[sequence]) + 1;
          const auto pages = table.subspan(sequence * room, room);
          const auto seen = gather(keys, pages, visible, head),
                     weighed = gather(values, pages, visible, head);
          attend({q.subspan(own, width), seen, weighed, o.subspan(own, width), scale.subspan(own, width),
                  1.0 / std::sqrt(static_cast<double>(width)), WeightRounding(call.task->dtype), weights,
                  roundings, distinct_keys(keys, dim("pages"), pages, visible)});
        }
      });
  return {};
}

}  // namespace kgen::reference_ops
