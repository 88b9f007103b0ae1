#include "harness/judge/torch_server.hpp"

#include "harness/judge/device_source.hpp"
#include "util/json.hpp"

namespace kgen::judge {

using nlohmann::json;
using std::chrono::milliseconds;

namespace {

constexpr milliseconds kStartLimit{120'000}, kWarmLimit{300'000}, kCallLimit{60'000};
constexpr int kSleepCycles = 300'000;  ///< about 150 us, longer than a compiled call takes to be queued

}  // namespace

Result<std::unique_ptr<TorchServer>> TorchServer::start(const std::string& python, int device) {
  KGEN_TRY(auto server, PythonServer::start(python, {"torch_server.py",
                                                     torch_server_source(),
                                                     "torch",
                                                     {std::to_string(device)},
                                                     {},
                                                     module_library()}));
  return std::unique_ptr<TorchServer>(new TorchServer(std::move(server)));
}

Status TorchServer::wait_ready() {
  if (ready_) return {};
  if (!failure_.empty()) return fail(ErrorKind::missing, failure_);
  auto hello = server_.read_answer(kStartLimit);
  if (!hello) {
    failure_ = hello.error().message;
    return fail(ErrorKind::missing, failure_);
  }
  version_ = hello->value("torch", "");
  ready_ = true;
  return {};
}

Result<json> TorchServer::ask(const json& request, milliseconds limit) {
  KGEN_CHECK(wait_ready());
  auto answer = server_.ask(request, limit);
  if (answer) return answer;
  return fail(ErrorKind::missing, answer.error().message);  // a baseline that fails is one that is not there
}

Status TorchServer::define(int id, const core::Baseline& baseline, const core::Task& task) {
  json inputs = json::array();
  for (const auto* input : task.op->inputs()) inputs.push_back(input->name);
  const json request = {{"command", "define"},
                        {"id", id},
                        {"name", baseline.name},
                        {"kind", baseline.kind},
                        {"inputs", inputs},
                        {"code", baseline.code},
                        {"reference", task.op->reference_py},
                        {"dtype", std::string(core::name_of(task.dtype))},
                        {"dims", task.dims},
                        {"attributes", keyword_attributes(task)}};
  return ask(request, kCallLimit).map([](auto&&) {});
}

Status TorchServer::map(int index, const core::Task& task, const run::BufferSet& buffers) {
  KGEN_TRY(const auto tensors, core::tensors_of(task));
  json list = json::array();
  for (const auto& tensor : tensors) {
    if (tensor.role == core::Role::output) continue;
    for (const auto& buffer : buffers.buffers) {
      if (buffer.name != tensor.name) continue;
      list.push_back({{"name", tensor.name},
                      {"dtype", std::string(core::name_of(tensor.dtype))},
                      {"shape", tensor.shape},
                      {"handle", buffer.ipc_handle},
                      {"offset", buffer.offset},
                      {"bytes", buffer.bytes}});
    }
  }
  return ask({{"command", "map"}, {"set", index}, {"tensors", list}}, kCallLimit).map([](auto&&) {});
}

Status TorchServer::unmap() {
  return ask({{"command", "unmap"}}, kCallLimit).map([](auto&&) {});
}

Status TorchServer::warm(int id, const std::vector<int>& sets) {
  return ask({{"command", "warm"}, {"id", id}, {"sets", sets}}, kWarmLimit).map([](auto&&) {});
}

Result<std::vector<double>> TorchServer::time(int id, const run::TimeBlock& block) {
  const json request = {{"command", "time"},
                        {"id", id},
                        {"order", block.order},
                        {"flush_bytes", block.flush_bytes},
                        {"sleep_cycles", kSleepCycles}};
  KGEN_TRY(const json answer, ask(request, block.limit + kCallLimit));
  if (!answer.contains("us") || !answer["us"].is_array() || answer["us"].size() != block.order.size()) {
    return fail(ErrorKind::missing, "the torch process answered nonsense");
  }
  return answer["us"].get<std::vector<double>>();
}

}  // namespace kgen::judge
