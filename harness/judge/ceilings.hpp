#pragma once

#include <filesystem>
#include <string>

#include "core/protocol.hpp"
#include "harness/judge/workplace.hpp"

namespace kgen::judge {

/// How ceilings are had: from the cache of this user, else by measuring, once.
struct CeilingSetup {
  std::vector<std::string> command;  ///< such as {"/usr/bin/kgen-worker", "ceilings"}
  std::filesystem::path cache;       ///< folder; empty: nothing is kept
  std::chrono::milliseconds limit{15'000};
};

struct Ceilings {
  core::MeasuredRates rates;  ///< 0 where the datasheet's has to do
  core::ToolReport report;    ///< for `kgen doctor`: the rates and where they are from, or what went wrong
};

/// Rates of a device for its roofline. Never fails: what cannot be measured is 0, and the report says why.
/// What was measured whole is kept.
Ceilings find_ceilings(const CeilingSetup& setup, const core::DeviceFacts& device,
                       const CompileAll& compile_all);

/// "L2 9.1 TB/s, FMA 61 TFLOP/s, f16 790 TFLOP/s"; rates that are not there are left out.
std::string rates_text(const core::MeasuredRates& rates);

}  // namespace kgen::judge
