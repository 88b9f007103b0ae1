#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/resolved_plan.hpp"

namespace kgen::compile {

/// The name expression whose lowered name has the types of the parameters of `kernel`
/// (kgen/signature_probe.cuh).
std::string signature_expression(std::string_view kernel);

/// Reads the parameters back from that lowered (mangled) name. Nothing where it is no such name.
std::optional<std::vector<core::ParameterType>> parameters_of_lowered_name(const std::string& lowered_name);

/// Name of the DType that a C++ type is ("float" -> "f32"), or an empty text. u4x8 is its carrier, u32.
std::string_view dtype_of_cpp_type(std::string_view type);

/// C++ type of elements of a dtype ("bf16" -> "__nv_bfloat16"), or an empty text.
std::string_view cpp_type_of_dtype(std::string_view dtype);

}  // namespace kgen::compile
