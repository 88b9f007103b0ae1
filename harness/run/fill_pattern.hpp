#pragma once

#include <cstdint>
#include <optional>

#include "core/dtype.hpp"

namespace kgen::run {

/// The bits of `value` as an element of `dtype`, rounded to nearest even where a float type cannot hold it
/// exactly; nothing where it is out of the type's range.
std::optional<std::uint64_t> fill_pattern(core::DType dtype, std::int64_t value);

}  // namespace kgen::run
