#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/sweep.hpp"
#include "report/string_table.hpp"

namespace kgen::report {

/// A sweep as the report's page takes it (src/report/assets/sweep.js): {sentence, tunables, varied, rows},
/// the fastest row first. `tunables` are names, `varied` the places of those that differ between variants. A
/// row is [values of the tunables, verdict, tone, role, time with its interval, registers, spilled bytes,
/// message, us, low, high]; of texts that repeat it has their places in `strings`, what is not known is null,
/// and rows without a time end before `us`.
nlohmann::json sweep_data(const core::SweepRecord& sweep, StringTable& strings);

}  // namespace kgen::report
