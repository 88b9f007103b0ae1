#pragma once

#include <string>
#include <string_view>

#include "core/dtype.hpp"

namespace kgen::core {

/// Whose kernel takes a tensor. What a candidate computes is checked, so it may read the bits of floats
/// through any integer. What an oracle computes is right by definition: an integer there is a wrong element
/// type, unsigned ones of the size of 8- and 16-bit floats aside.
enum class KernelOf { candidate, oracle };

/// Whether a tensor of `dtype` may be passed to a pointer to `pointee` (a DType's name, "void" or a C++
/// type). Catches the wrong scalar (an f32 tensor passed to __half*) and lets explicit reinterpretation
/// through: void, integers and their vectors as the bits of floats and of packed bytes and nibbles (i8, u8,
/// b8, u4x8), integer vectors of whole elements for other integers, 16-byte vectors of any kind and the
/// candidate's own types.
bool pointee_fits(std::string_view pointee, DType dtype, KernelOf whose = KernelOf::candidate);

/// The pointers that fit a tensor of `dtype` of a candidate beside those to its own element type, for
/// messages.
std::string reinterpreting_pointees(DType dtype);

}  // namespace kgen::core
