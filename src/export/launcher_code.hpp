#pragma once

#include <map>
#include <string>

#include "export/export_inputs.hpp"

namespace kgen::exporting {

/// What stands for the markers of files/launcher.cpp.in: the plan's expressions, checks and steps as C++.
std::map<std::string, std::string> launcher_parts(const ExportInputs& inputs);

/// One element of a tensor map as C++: its spec, each dimension an expression.
std::string tensor_map_code(const ExportInputs& inputs, const core::TensorMapSpec& map);
/// Bytes of one box of the map, as an expression.
std::string box_bytes_code(const ExportInputs& inputs, const core::TensorMapSpec& map);
/// One step of the plan as a member function `step_N`. `kernels`: the plan's names, in the order of the
/// module's.
std::string step_code(const ExportInputs& inputs, std::size_t index, const std::vector<std::string>& kernels);

/// A C++ string literal.
std::string quoted(const std::string& text);
/// "t_x" or "w_acc": where Addresses keeps a buffer.
std::string address_member(const ExportInputs& inputs, const std::string& buffer);

}  // namespace kgen::exporting
