#include "harness/judge/wrong_elements.hpp"

#include <algorithm>
#include <cctype>

#include "harness/judge/error_pattern.hpp"

namespace kgen::judge {
namespace {

double scale_at(const OutputView& view, std::size_t i) {
  return view.scale.empty() ? absolute(view.expected[i]) : view.scale[i];
}

double ratio_at(const OutputView& view, const ToleranceParams& params, std::size_t i) {
  return error_ratio(params, view.got[i], view.expected[i], scale_at(view, i));
}

core::WrongElement wrong_element(const OutputView& view, const ToleranceParams& params, std::size_t i) {
  core::WrongElement out;
  out.tensor = view.tensor;
  out.index = coordinates(view.first + static_cast<std::int64_t>(i), view.shape);
  out.expected = view.expected[i];
  out.got = view.got[i];
  out.tolerance = must_be_equal(params) ? 0.0 : allowed_error(params, view.expected[i], scale_at(view, i));
  return out;
}

}  // namespace

std::vector<std::string> dim_labels(const core::Tensor& tensor) {
  std::vector<std::string> labels;
  for (std::size_t d = 0; d < tensor.shape.size(); ++d) {
    const std::string& text = tensor.shape[d].text();
    const bool plain =
        !text.empty() && !std::isdigit(static_cast<unsigned char>(text[0])) &&
        std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
    labels.push_back(plain ? text : "dim " + std::to_string(d));
  }
  return labels;
}

std::vector<std::int64_t> coordinates(std::int64_t flat, const std::vector<std::int64_t>& shape) {
  std::vector<std::int64_t> out(shape.size());
  for (std::size_t d = shape.size(); d-- > 0;) {
    const std::int64_t extent = std::max<std::int64_t>(shape[d], 1);
    out[d] = flat % extent;
    flat /= extent;
  }
  return out;
}

std::vector<std::size_t> wrong_indices(const OutputView& view, const ToleranceParams& params) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < view.got.size(); ++i) {
    if (!(ratio_at(view, params, i) <= 1.0)) out.push_back(i);
  }
  return out;
}

core::Mismatch describe_mismatch(const OutputView& view, const ToleranceParams& params,
                                 std::int64_t total_wrong, std::int64_t total) {
  core::Mismatch mismatch;
  mismatch.wrong = total_wrong;
  mismatch.total = total;
  std::vector<std::size_t> wrong = wrong_indices(view, params);
  mismatch.pattern = error_pattern(view, params, wrong);
  const auto count = std::min<std::size_t>(wrong.size(), 8);
  std::partial_sort(wrong.begin(), wrong.begin() + static_cast<std::ptrdiff_t>(count), wrong.end(),
                    [&](std::size_t a, std::size_t b) {
                      const double left = ratio_at(view, params, a), right = ratio_at(view, params, b);
                      return left != right ? left > right : a < b;
                    });
  for (std::size_t i = 0; i < count; ++i) mismatch.worst.push_back(wrong_element(view, params, wrong[i]));
  return mismatch;
}

}  // namespace kgen::judge
