#include "harness/judge/error_pattern.hpp"

#include <algorithm>

namespace kgen::judge {
namespace {

/// Smallest and largest coordinate of the wrong elements along one dim.
struct Span {
  std::int64_t low = 0, high = 0, extent = 0;
};

std::vector<Span> spans_of(const OutputView& view, const std::vector<std::size_t>& wrong) {
  std::vector<Span> spans(view.shape.size());
  for (std::size_t d = 0; d < spans.size(); ++d) spans[d] = {view.shape[d], -1, view.shape[d]};
  for (const std::size_t i : wrong) {
    const auto at = coordinates(view.first + static_cast<std::int64_t>(i), view.shape);
    for (std::size_t d = 0; d < spans.size(); ++d) {
      spans[d].low = std::min(spans[d].low, at[d]);
      spans[d].high = std::max(spans[d].high, at[d]);
    }
  }
  return spans;
}

std::string describe_span(const Span& span, const std::string& label) {
  if (span.extent <= 1 || (span.low == 0 && span.high == span.extent - 1)) return {};
  if (span.low == span.high) return label + " == " + std::to_string(span.low);
  if (span.high == span.extent - 1)
    return label + " >= " + std::to_string(span.low) + (span.low >= span.extent / 2 ? " (tail)" : "");
  if (span.low == 0) return label + " <= " + std::to_string(span.high);
  return label + " in " + std::to_string(span.low) + ".." + std::to_string(span.high);
}

/// "cols % 32 == 0" where every wrong element has that remainder and there are enough of them to say so.
std::string remainder_pattern(const OutputView& view, const std::vector<std::size_t>& wrong,
                              std::size_t dim) {
  const auto coordinate = [&](std::size_t i) {
    return coordinates(view.first + static_cast<std::int64_t>(i), view.shape)[dim];
  };
  const std::int64_t start = coordinate(wrong.front());
  for (const std::int64_t k : {1024, 512, 256, 128, 64, 32, 16, 8, 4, 2}) {
    if (view.shape[dim] < 4 * k) continue;
    bool varies = false, same = true;
    for (const std::size_t i : wrong) {
      const std::int64_t c = coordinate(i);
      varies = varies || c != start;
      same = same && c % k == start % k;
      if (!same) break;
    }
    if (same && varies) {
      return view.dim_labels[dim] + " % " + std::to_string(k) + " == " + std::to_string(start % k);
    }
  }
  return {};
}

void append(std::string& text, const std::string& part, const char* separator) {
  if (part.empty()) return;
  text += (text.empty() ? "" : separator) + part;
}

}  // namespace

std::string place_pattern(const OutputView& view, const std::vector<std::size_t>& wrong) {
  if (wrong.empty() || wrong.size() == view.got.size() || view.shape.empty()) return {};
  const auto spans = spans_of(view, wrong);
  std::string text;
  for (std::size_t d = view.has_all_wrong ? 0 : spans.size() - 1; d < spans.size(); ++d) {
    const bool wide = spans[d].high - spans[d].low >= spans[d].extent / 2;
    std::string where = wide ? remainder_pattern(view, wrong, d) : "";
    if (where.empty()) where = describe_span(spans[d], view.dim_labels[d]);
    append(text, where, " and ");
  }
  return text.empty() ? text : "all wrong elements have " + text;
}

std::string error_pattern(const OutputView& view, const ToleranceParams& params,
                          const std::vector<std::size_t>& wrong) {
  if (wrong.empty()) return {};
  std::string text = place_pattern(view, wrong);
  const bool every = view.has_all_wrong && wrong.size() == view.got.size() && wrong.size() > 1;
  if (text.empty() && every) text = "every element is wrong";
  append(text, value_pattern(view, params, wrong), "; ");
  return text;
}

}  // namespace kgen::judge
