#pragma once

#include "cli/command.hpp"

namespace kgen::cli {

/// `kgen ops check`.
void add_ops_check(CLI::App& ops, Invocation& invocation);

}  // namespace kgen::cli
