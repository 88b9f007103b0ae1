#pragma once

#include <functional>
#include <string>

#include "cli/task_flags.hpp"
#include "config/config.hpp"
#include "core/protocol.hpp"

namespace kgen::cli {

/// A kernel of the user's with what the judge found.
struct JudgedFile {
  core::EvaluateRequest request;  ///< as it was judged
  core::DeviceFacts device;
  core::Evaluation evaluation;
};

/// Judges `file` on the configured worker, with a status line. `adjust` says what of the request differs from
/// the default. Errors: bad_input of the flags or the file, those of the worker.
Result<JudgedFile> judge_file(const config::Config& config, const TaskFlags& task, const std::string& file,
                              const std::function<void(core::EvaluateRequest&)>& adjust);

}  // namespace kgen::cli
