#pragma once

#include "harness/judge/wrong_elements.hpp"

namespace kgen::judge {

/// What the wrong elements of a view (flat indices, ascending) have in common, for a person or a model to act
/// on: where they lie ("all wrong elements have cols >= 8185: tail") and what is in them ("never written",
/// "all zeros", "equal to input x", "0.5 times the expected value", "shifted by one"). Empty where nothing
/// stands out.
std::string error_pattern(const OutputView& view, const ToleranceParams& params,
                          const std::vector<std::size_t>& wrong);

/// The two halves of it.
std::string place_pattern(const OutputView& view, const std::vector<std::size_t>& wrong);
std::string value_pattern(const OutputView& view, const ToleranceParams& params,
                          const std::vector<std::size_t>& wrong);

}  // namespace kgen::judge
