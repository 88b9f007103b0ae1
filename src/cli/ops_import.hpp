#pragma once

#include "cli/command.hpp"

namespace kgen::cli {

/// `kgen ops import`.
void add_ops_import(CLI::App& ops, Invocation& invocation);

}  // namespace kgen::cli
