#include "judge_workplace.hpp"

#include <cstdlib>
#include <stdexcept>

#include "harness/judge/evaluate.hpp"
#include "reference_ops/builtin_ops.hpp"
#include "util/file.hpp"

namespace kgen::judge {

OpenWorkplace& test_workplace() {
  static const std::unique_ptr<OpenWorkplace> open = [] {
    core::HelloRequest request;
    request.device = "cuda:0";
    request.python = "none";
    const char* worker = std::getenv("KGEN_WORKER");
    auto opened = open_workplace(request, worker ? worker : KGEN_BINARY_DIR "/harness/kgen-worker");
    if (!opened) throw std::runtime_error(opened.error().text());
    return std::move(*opened);
  }();
  return *open;
}

core::Task task_of(const char* op, const char* dtype, const core::Dims& dims) {
  return core::make_task(reference_ops::find_builtin_op(op).value(), dtype, dims, {}).value();
}

std::string source_file(const std::string& path) {
  const char* root = std::getenv("KGEN_SOURCE_DIR");
  return util::read_file(std::string(root ? root : KGEN_SOURCE_DIR) + "/" + path).value();
}

core::EvaluateRequest request_of(const core::Task& task, std::string source, core::Tier tier) {
  core::EvaluateRequest request;
  request.task = task;
  request.source = std::move(source);
  request.tier = tier;
  request.seed = 7;
  return request;
}

core::Evaluation judge(const Workplace& workplace, const core::EvaluateRequest& request) {
  auto result = evaluate(workplace, request, [](const core::Stage&) {});
  if (!result) throw std::runtime_error(result.error().text());
  return std::move(*result);
}

std::string stage_text(const core::Evaluation& evaluation) {
  std::string text;
  for (const auto& stage : evaluation.stages) text += stage.name + " " + std::to_string(stage.ms) + " ms, ";
  return text;
}

}  // namespace kgen::judge
