#pragma once

#include "cli/command.hpp"

namespace kgen::cli {

/// `kgen ops draft`.
void add_ops_draft(CLI::App& ops, Invocation& invocation);

}  // namespace kgen::cli
