#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>

#include "harness/run/frame.hpp"
#include "harness/run/run_failure.hpp"

namespace kgen::run {

using AnswerRequest = std::function<RunResult<nlohmann::json>(const Frame&, const nlohmann::json&)>;

/// Answers requests on `fd` until the judge closes it or an answer says that the context is spent. Ends the
/// process.
[[noreturn]] void serve(int fd, const AnswerRequest& answer);

/// The run role of kgen-worker: answers requests on `fd` until the judge closes it or a candidate's kernel
/// ends the context. Returns the exit code.
int run_main(int fd);

}  // namespace kgen::run
