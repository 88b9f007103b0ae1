#include "harness/judge/torch_server.hpp"

#include "harness/judge/device_source.hpp"
#include "util/json.hpp"

namespace kgen::judge {

using nlohmann::json;
using std::chrono::milliseconds;

namespace {

constexpr int kMessageFd = 3;
constexpr milliseconds kStartLimit{120'000}, kWarmLimit{300'000}, kCallLimit{60'000};
constexpr int kSleepCycles = 300'000;  ///< about 150 us, longer than a compiled call takes to be queued

json attributes_of(const core::Task& task) {
  json out = json::object();
  for (const auto& attribute : task.op->attributes) {
    const double value = task.attributes.at(attribute.name);
    if (attribute.type == "int") {
      out[attribute.name] = static_cast<std::int64_t>(value);
    } else if (attribute.type == "bool") {
      out[attribute.name] = value != 0;
    } else {
      out[attribute.name] = value;
    }
  }
  return out;
}

}  // namespace

TorchServer::TorchServer(util::Process process, util::LineChannel channel, util::TemporaryFolder folder)
    : process_(std::move(process)), channel_(std::move(channel)), folder_(std::move(folder)) {}

Result<std::unique_ptr<TorchServer>> TorchServer::start(const std::string& python, int device) {
  KGEN_TRY(auto folder, util::TemporaryFolder::create("kgen-torch"));
  const auto script = folder.path() / "torch_server.py";
  KGEN_CHECK(util::write_file_atomic(script, torch_server_source()));
  KGEN_TRY(const auto pair, util::socket_pair());
  util::FileDescriptor ours(pair.first), theirs(pair.second);
  util::SpawnOptions options;
  options.argv = {python, "-u", script.string(), std::to_string(kMessageFd), std::to_string(device)};
  options.extra_env = {{"PYTHONDONTWRITEBYTECODE", "1"}};
  options.fds = {{kMessageFd, theirs.get()}};
  options.folder = folder.path().string();
  KGEN_TRY(auto process, util::Process::spawn(options));
  const int fd = ours.release();
  return std::unique_ptr<TorchServer>(
      new TorchServer(std::move(process), util::LineChannel(fd, fd), std::move(folder)));
}

Result<json> TorchServer::read_answer(milliseconds limit) {
  std::string line;
  const auto status = channel_.read_line(line, limit);
  if (status != util::LineChannel::ReadStatus::line) {
    failure_ = status == util::LineChannel::ReadStatus::timeout
                   ? "torch did not answer within " + std::to_string(limit.count() / 1000) + " s"
                   : "the torch process ended";
    process_.kill_group(9);
    return fail(ErrorKind::missing, failure_);
  }
  json answer = json::parse(line, nullptr, false);
  if (!answer.is_object()) return fail(ErrorKind::missing, "the torch process answered nonsense");
  if (answer.contains("error")) return fail(ErrorKind::missing, "torch: " + answer["error"].dump());
  return answer;
}

Status TorchServer::wait_ready() {
  if (ready_) return {};
  if (!failure_.empty()) return fail(ErrorKind::missing, failure_);
  auto hello = read_answer(kStartLimit);
  if (!hello) {
    failure_ = hello.error().message;
    return tl::unexpected(hello.error());
  }
  version_ = hello->value("torch", "");
  ready_ = true;
  return {};
}

Result<json> TorchServer::ask(const json& request, milliseconds limit) {
  KGEN_CHECK(wait_ready());
  if (!failure_.empty()) return fail(ErrorKind::missing, failure_);
  KGEN_CHECK(channel_.write_line(request.dump()));
  return read_answer(limit);
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
                        {"dtype", std::string(core::name_of(task.dtype))},
                        {"attributes", attributes_of(task)}};
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
