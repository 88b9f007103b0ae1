#pragma once

#include <string>

#include "core/evaluation.hpp"
#include "core/task.hpp"

/// An evaluation as a person reads it: pure functions from data to text.
namespace kgen::cli {

/// "correct", "wrong_result (tail)", painted where `color`.
std::string verdict_text(core::Verdict verdict, const std::string& kind, bool color);

/// "NVIDIA H200 (sm_90a)", "no device (compiled for sm_90a)".
std::string device_title(const core::DeviceFacts& device);

/// One line an item: time, speed-up over each baseline, % of roofline, checks, flags.
std::string evaluation_facts(const core::Evaluation& evaluation);

/// One row a checked shape: how many checks passed, failed and were skipped, and the worst error over its
/// tolerance.
std::string checks_table(const core::Evaluation& evaluation);

/// The whole: verdict, facts, checks, what failed and why, compiler messages, stage times.
/// `title` says what was evaluated: "kernel.cu: softmax bf16 rows=8192 cols=8192 on NVIDIA H200".
std::string evaluation_text(const std::string& title, const core::Evaluation& evaluation, bool color);

/// "rows=1,cols=7" of one check; attributes that differ from the task's follow.
std::string shape_of(const core::Check& check);

}  // namespace kgen::cli
