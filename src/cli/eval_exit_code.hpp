#pragma once

#include <optional>

#include "core/device_facts.hpp"
#include "core/exit_code.hpp"
#include "core/run_record.hpp"

namespace kgen::cli {

/// Exit code of `kgen eval`: without a target a correct kernel is a success, and without a device one that
/// compiles (docs/verification.md holds the table).
core::ExitCode eval_exit_code(const core::Evaluation& evaluation, core::DeviceKind device,
                              const std::optional<core::Target>& target);

}  // namespace kgen::cli
