#pragma once

#include <optional>
#include <string>

#include "core/launch_plan.hpp"

namespace kgen::core {

/// The number that an argument of type f32 or f64 spells out ("0.125", "-inf"); nothing for names and
/// expressions.
std::optional<double> real_literal(const Argument& argument);

}  // namespace kgen::core
