#pragma once

#include <string>

#include "harness/judge/open_workplace.hpp"

namespace kgen::judge {

/// The judge's workplace on cuda:0, opened once. KGEN_WORKER names another kgen-worker.
OpenWorkplace& test_workplace();

core::Task task_of(const char* op, const char* dtype, const core::Dims& dims);

/// A file of the source tree (KGEN_SOURCE_DIR names another).
std::string source_file(const std::string& path);

core::EvaluateRequest request_of(const core::Task& task, std::string source, core::Tier tier);

/// Throws where the world fails.
core::Evaluation judge(const Workplace& workplace, const core::EvaluateRequest& request);

/// "plan 0.1 ms, ...".
std::string stage_text(const core::Evaluation& evaluation);

}  // namespace kgen::judge
