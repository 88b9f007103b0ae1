#include "harness/compile/compile_process.hpp"

#include <signal.h>

#include <algorithm>

#include "util/file_descriptor.hpp"
#include "util/json.hpp"
#include "util/wait_time.hpp"

namespace kgen::compile {
namespace fs = std::filesystem;
namespace {

using nlohmann::json;
using ReadStatus = util::LineChannel::ReadStatus;
constexpr int kMessageFd = 3;
constexpr auto kDeathLimit = std::chrono::seconds(5);

std::string setup_line(const CompileProcessOptions& options, const fs::path& scratch) {
  json roots = json::array();
  for (const fs::path& root : options.toolkit.extra_roots) roots.push_back(root.string());
  return json{{"scratch", scratch.string()},
              {"roots", roots},
              {"usual_places", options.toolkit.usual_places},
              {"memory_bytes", options.memory_bytes}}
      .dump();
}

/// read_line that gives up early, as after a time-out, where `cancelled` says so.
ReadStatus read_answer(util::LineChannel& channel, std::string& line, std::chrono::milliseconds limit,
                       const std::function<bool()>& cancelled) {
  constexpr std::chrono::milliseconds kStep{100};
  const util::Deadline deadline(limit);
  while (!deadline.passed() && !cancelled()) {
    const std::chrono::milliseconds step =
        std::min(kStep, std::chrono::milliseconds(deadline.poll_timeout()));
    if (const ReadStatus status = channel.read_line(line, step); status != ReadStatus::timeout) return status;
  }
  return ReadStatus::timeout;
}

}  // namespace

Result<CompileProcess> CompileProcess::start(const CompileProcessOptions& options, const fs::path& scratch,
                                             const std::function<bool()>& cancelled) {
  std::error_code error;
  fs::remove_all(scratch, error);
  fs::create_directories(scratch, error);
  if (error)
    return fail(ErrorKind::missing,
                "cannot make the scratch folder " + scratch.string() + ": " + error.message());
  KGEN_TRY(auto sockets, util::socket_pair());
  const util::FileDescriptor theirs(sockets.second);
  util::LineChannel channel(sockets.first, sockets.first);
  util::SpawnOptions spawn;
  spawn.argv = options.command;
  spawn.fds = {{kMessageFd, theirs.get()}};
  KGEN_TRY(util::Process process, util::Process::spawn(spawn));
  CompileProcess started(std::move(process), std::move(channel));
  KGEN_CHECK(started.channel_.write_line(setup_line(options, scratch)));
  std::string line;
  if (read_answer(started.channel_, line, options.start_limit, cancelled) != ReadStatus::line) {
    started.process_.kill_group(SIGKILL);
    return fail(ErrorKind::internal, "a compile process did not start: " + started.process_.wait().text());
  }
  const json greeting = json::parse(line, nullptr, false);
  if (greeting.is_object() && greeting.contains("error")) {
    return fail(ErrorKind::missing, greeting["error"].value("message", ""),
                greeting["error"].value("hint", ""));
  }
  if (!greeting.is_object())
    return fail(ErrorKind::internal, "a compile process sent no JSON: " + line.substr(0, 200));
  started.facts_ = {greeting.value("nvrtc", ""), greeting.value("library", ""),
                    sandbox_report_from_json(greeting.value("sandbox", json::object()))};
  return started;
}

CompileResult CompileProcess::compile(const std::string& request_line, std::chrono::milliseconds limit,
                                      const std::function<bool()>& cancelled) {
  if (!channel_.write_line(request_line)) return ended(limit, ReadStatus::closed);
  std::string line;
  const ReadStatus status = read_answer(channel_, line, limit, cancelled);
  if (status != ReadStatus::line) return ended(limit, status);
  Result<CompileResult> result = compile_result_from_json(json::parse(line, nullptr, false));
  if (result) return *std::move(result);
  usable_ = false;
  process_.kill_group(SIGKILL);
  return failed(CompileFailure::unavailable, result.error().text());
}

CompileResult CompileProcess::ended(std::chrono::milliseconds limit, ReadStatus status) {
  usable_ = false;
  if (status == ReadStatus::timeout) {
    process_.kill_group(SIGKILL);
    return failed(CompileFailure::timed_out, "compiling took longer than " + std::to_string(limit.count()) +
                                                 " ms; simplify the templates or loops");
  }
  if (status == ReadStatus::too_long) {
    process_.kill_group(SIGKILL);
    return failed(CompileFailure::out_of_memory, "the compiled module is larger than the pool accepts");
  }
  const std::optional<util::ExitStatus> exit = process_.wait_for(kDeathLimit);
  process_.kill_group(SIGKILL);
  const std::string how = exit ? exit->text() : "it closed its channel";
  return failed(CompileFailure::crashed, "the compiler crashed on this source (" + how + ")");
}

}  // namespace kgen::compile
