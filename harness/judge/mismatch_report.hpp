#pragma once

#include "harness/judge/execution_device.hpp"
#include "harness/judge/session.hpp"

namespace kgen::judge {

/// What is wrong with an output of a set, for the record: read back whole where it is small, else a window of
/// whole rows from the first wrong element on. `poison`: what the execution found there.
Result<core::Mismatch> read_mismatch(ExecutionDevice& device, int set, const ShapeCase& shape,
                                     const core::TensorFacts& output, const ToleranceParams& params,
                                     const CompareCount& count, unsigned char poison);

}  // namespace kgen::judge
