#pragma once

#include <string>

#include "core/evaluation.hpp"
#include "core/task.hpp"
#include "report/evaluation_facts.hpp"

/// An evaluation as a person reads it: pure functions from data to text.
namespace kgen::cli {

using report::device_title;
using report::shape_of;

/// "correct", "wrong_result (tail)", painted where `color`.
std::string verdict_text(core::Verdict verdict, const std::string& kind, bool color);

/// One line an item: time, speed-up over each baseline, % of roofline, checks, flags.
std::string evaluation_facts(const core::Evaluation& evaluation);

/// One row a checked shape: how many checks passed, failed and were skipped, and the worst error over its
/// tolerance.
std::string checks_table(const core::Evaluation& evaluation);

/// The whole: verdict, facts, checks, what failed and why, compiler messages, stage times.
/// `title` says what was evaluated: "kernel.cu: softmax bf16 rows=8192 cols=8192 on NVIDIA H200".
std::string evaluation_text(const std::string& title, const core::Evaluation& evaluation, bool color);

}  // namespace kgen::cli
