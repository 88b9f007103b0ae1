#include "cli/judge_file.hpp"

#include "cli/kernel_file.hpp"
#include "cli/number_text.hpp"
#include "cli/op_catalogue.hpp"
#include "cli/status_line.hpp"
#include "cli/worker_setup.hpp"
#include "util/interrupt.hpp"
#include "util/terminal.hpp"

namespace kgen::cli {

Result<JudgedFile> judge_file(const config::Config& config, const TaskFlags& task, const std::string& file,
                              const std::function<void(core::EvaluateRequest&)>& adjust) {
  JudgedFile out;
  core::EvaluateRequest& request = out.request;
  KGEN_TRY(request.task, task_from_flags(task, config.ops));
  KGEN_TRY(request.source, read_kernel(file));
  KGEN_TRY(RunningWorker worker, start_worker(config));
  out.device = worker.hello.device;
  KGEN_TRY(request.task, fit_to_device(request.task, task, out.device));
  request.kernel_timeout_s = config.kernel_timeout_s;
  adjust(request);
  StatusLine status(util::is_terminal(stderr));
  status.show("judging ...");
  const auto on_stage = [&](const core::Stage& stage) {
    status.show(stage.name + " " + significant(stage.ms) + " ms ...");
  };
  KGEN_TRY(out.evaluation, with_own_files(task.op, config.ops,
                                          worker.pool->evaluate(request, {util::interrupted, on_stage})));
  return out;
}

}  // namespace kgen::cli
