#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/op.hpp"
#include "reference_ops/op_kernels.hpp"

namespace kgen::cli {

/// Whether what was given for an op is a folder of the user's ("./my_op", "/ops/my_op/op.toml") and no name.
bool is_op_path(const std::string& text);

/// The folder that `path` (it, or its op.toml) names.
std::filesystem::path op_folder(const std::string& path);

/// Reads FOLDER/op.toml and its oracle, FOLDER/reference.cu or FOLDER/reference.py. Errors: bad_input naming
/// file, line and field.
Result<core::Op> read_op_folder(const std::filesystem::path& folder);

/// What an op that read_op_folder refuses calls itself: `name` of its op.toml, or the folder's name where
/// that cannot be read.
std::string claimed_op_name(const std::filesystem::path& folder);

/// FOLDER/mutants/*.cu and FOLDER/kernels/*.cu, sorted by name; none where there are no such folders.
/// Errors: bad_input for a file that cannot be read.
Result<std::vector<reference_ops::OpKernel>> read_op_kernels(const std::filesystem::path& folder);

}  // namespace kgen::cli
