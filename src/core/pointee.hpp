#pragma once

#include <string_view>

#include "core/dtype.hpp"

namespace kgen::core {

/// Whether a tensor of `dtype` may be passed to a pointer to `pointee` (a DType's name, "void" or a C++
/// type). Catches the wrong scalar (an f32 tensor passed to __half*) and lets explicit reinterpretation
/// through: void, plain integer vectors, 16-byte vectors of any kind, the candidate's own types, and raw bits
/// of 8- and 16-bit floats.
bool pointee_fits(std::string_view pointee, DType dtype);

}  // namespace kgen::core
