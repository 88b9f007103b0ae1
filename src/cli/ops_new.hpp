#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/command.hpp"

namespace kgen::cli {

/// Errors: bad_input for a folder that holds something.
Status check_new_folder(const std::filesystem::path& folder);

/// Writes FOLDER with an op to begin with: op.toml, reference.cu, a mutant. The names of the files, below
/// it. Errors: bad_input for a name that is no identifier, or a folder that holds something.
Result<std::vector<std::string>> make_op_folder(const std::string& name, const std::filesystem::path& folder);

/// `kgen ops new`.
void add_ops_new(CLI::App& ops, Invocation& invocation);

}  // namespace kgen::cli
