#include <algorithm>
#include <cmath>
#include <cstdio>

#include "harness/judge/error_pattern.hpp"

namespace kgen::judge {
namespace {

constexpr std::size_t kMostLooked = 4096;  ///< wrong elements looked at for a pattern of values

/// At most kMostLooked of `wrong`, evenly spread.
std::vector<std::size_t> thinned(const std::vector<std::size_t>& wrong) {
  if (wrong.size() <= kMostLooked) return wrong;
  std::vector<std::size_t> out(kMostLooked);
  for (std::size_t i = 0; i < kMostLooked; ++i) out[i] = wrong[i * wrong.size() / kMostLooked];
  return out;
}

template <class Predicate>
bool all(const std::vector<std::size_t>& places, const Predicate& predicate) {
  return std::all_of(places.begin(), places.end(), predicate);
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.4g", value);
  return text;
}

bool close(double a, double b, double relative) {
  if (!std::isfinite(a) || !std::isfinite(b)) return a == b;
  return std::fabs(a - b) <= relative * std::max(std::fabs(a), std::fabs(b));
}

/// Whether two values agree as far as the dtype can say.
double resolution(const ToleranceParams& params) {
  return std::max(4 * params.u_out, 1e-6);
}

/// The poison is a NaN of a floating-point type; of any other it is a value that a kernel may have meant.
std::string never_written(const OutputView& view, std::size_t place) {
  if (std::isnan(view.got[place])) return "they were never written (still the poison pattern)";
  return "they were never written, or hold the " + number(view.got[place]) + " that stood there before";
}

std::string constant_pattern(const OutputView& view, const ToleranceParams& params,
                             const std::vector<std::size_t>& places) {
  if (all(places, [&](std::size_t i) { return view.got_bits[i] == view.poison; })) {
    return never_written(view, places[0]);
  }
  if (all(places, [&](std::size_t i) { return wrong_zero(params, view.got[i], view.expected[i]); })) {
    return "they are zeros of the wrong sign";
  }
  if (all(places, [&](std::size_t i) { return view.got[i] == 0.0; })) return "they are all zero";
  if (all(places, [&](std::size_t i) { return std::isnan(view.got[i]); })) return "they are all NaN";
  if (all(places, [&](std::size_t i) { return std::isinf(view.got[i]); })) return "they are all infinite";
  if (places.size() >= 4 && all(places, [&](std::size_t i) { return view.got[i] == view.got[places[0]]; })) {
    return "they are all " + number(view.got[places[0]]);
  }
  return {};
}

std::string input_pattern(const OutputView& view, const std::vector<std::size_t>& places) {
  for (const auto& [name, values] : view.inputs) {
    if (values.size() != view.got.size()) continue;
    if (all(places, [&](std::size_t i) { return view.got[i] == values[i]; }))
      return "they equal the input " + name;
  }
  return {};
}

std::string factor_pattern(const OutputView& view, const ToleranceParams& params,
                           const std::vector<std::size_t>& places) {
  if (places.size() < 4) return {};
  const double near = resolution(params);
  const double factor = view.got[places[0]] / view.expected[places[0]];
  if (std::isfinite(factor) && !close(factor, 1.0, std::max(near, 1e-3)) && all(places, [&](std::size_t i) {
        return view.expected[i] != 0 && close(view.got[i] / view.expected[i], factor, near);
      })) {
    return "they are " + number(factor) + " times the expected value";
  }
  const double offset = view.got[places[0]] - view.expected[places[0]];
  if (std::isfinite(offset) && offset != 0 &&
      all(places, [&](std::size_t i) { return close(view.got[i], view.expected[i] + offset, near); })) {
    return "they are off by " + number(offset);
  }
  return {};
}

/// "they hold the value of the element one to the right": at least 95% of those that have
/// such a neighbour, and the values vary.
std::string shift_pattern(const OutputView& view, const ToleranceParams& params,
                          const std::vector<std::size_t>& places) {
  if (places.size() < 8) return {};
  const double near = resolution(params);
  const std::int64_t row = view.shape.empty() ? 1 : view.shape.back();
  for (const std::int64_t shift : {std::int64_t{1}, std::int64_t{-1}, row, -row}) {
    std::size_t looked = 0, hits = 0, varied = 0;
    for (const std::size_t i : places) {
      const std::int64_t other = static_cast<std::int64_t>(i) + shift;
      if (other < 0 || other >= static_cast<std::int64_t>(view.expected.size())) continue;
      ++looked;
      const double there = view.expected[static_cast<std::size_t>(other)];
      if (!close(view.got[i], there, near)) continue;
      ++hits;
      if (!close(there, view.expected[i], near)) ++varied;
    }
    if (looked * 2 < places.size() || hits * 20 < looked * 19 || varied * 2 < looked) continue;
    const bool rows = shift == row || shift == -row;
    return std::string("they hold the values expected one ") + (rows && row > 1 ? "row" : "element") +
           (shift > 0 ? " later" : " earlier") + " (off by one)";
  }
  return {};
}

std::string precision_pattern(const OutputView& view, const ToleranceParams& params,
                              const std::vector<std::size_t>& places) {
  if (places.size() < 4) return {};
  std::vector<double> errors;
  for (const std::size_t i : places) {
    const double error = std::fabs(view.got[i] - view.expected[i]) / std::fabs(view.expected[i]);
    if (!(error < 0.02)) return {};
    errors.push_back(error);
  }
  std::nth_element(errors.begin(), errors.begin() + static_cast<std::ptrdiff_t>(errors.size() / 2),
                   errors.end());
  const double typical = errors[errors.size() / 2];
  if (typical <= 0) return {};
  return "errors are small, about 2^" + std::to_string(static_cast<int>(std::lround(std::log2(typical)))) +
         " of the value, where 2^" +
         std::to_string(static_cast<int>(std::lround(std::log2(std::max(params.u_out, 1e-17))))) +
         " is one rounding: precision is lost inside";
}

}  // namespace

std::string value_pattern(const OutputView& view, const ToleranceParams& params,
                          const std::vector<std::size_t>& wrong) {
  const auto places = thinned(wrong);
  if (places.empty()) return {};
  if (auto text = constant_pattern(view, params, places); !text.empty()) return text;
  if (auto text = input_pattern(view, places); !text.empty()) return text;
  if (auto text = shift_pattern(view, params, places); !text.empty()) return text;
  if (auto text = factor_pattern(view, params, places); !text.empty()) return text;
  return precision_pattern(view, params, places);
}

}  // namespace kgen::judge
