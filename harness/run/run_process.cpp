#include "harness/run/run_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <optional>

#include "harness/run/captured_output.hpp"
#include "harness/run/frame.hpp"
#include "harness/run/messages.hpp"
#include "util/clock.hpp"
#include "util/json.hpp"
#include "util/subprocess.hpp"

namespace kgen::run {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

namespace {

constexpr int kMessageFd = 3;

tl::unexpected<RunFailure> failed(RunFailure::Kind kind, std::string fine, std::string message) {
  return tl::unexpected<RunFailure>(RunFailure{kind, std::move(fine), {}, std::move(message), -1});
}

/// Reads one part of an answer; what is not as it should be is the process's nonsense.
template <class Read>
auto read_answer(const json& answer, const Read& read) -> RunResult<decltype(read(answer))> {
  try {
    return read(answer);
  } catch (const json::exception& e) {
    return failed(RunFailure::Kind::died, "nonsense",
                  std::string("the run process answered nonsense: ") + e.what());
  }
}

std::string seconds_text(Milliseconds limit) {
  std::string text = std::to_string(static_cast<double>(limit.count()) / 1000.0);
  while (text.back() == '0') text.pop_back();
  return (text.back() == '.' ? text.substr(0, text.size() - 1) : text) + " s";
}

}  // namespace

/// The process and the two descriptors that lead to it.
struct RunProcess::State {
  State(util::Process child, util::FileDescriptor socket, CapturedOutput captured, Milliseconds limit)
      : process(std::move(child)),
        messages(std::move(socket)),
        output(std::move(captured)),
        start_limit(limit) {}

  util::Process process;
  util::FileDescriptor messages;
  CapturedOutput output;
  Milliseconds start_limit;
  FrameReader reader{kMaxAnswerBytes};
  std::string outgoing;
  std::optional<RunReady> ready;
  std::optional<RunFailure> gone;

  /// One look at both descriptors, for at most `wait`: writes what waits to be written, reads what there is.
  /// False: the message descriptor is closed.
  bool pump(Milliseconds wait);
  bool exchange_messages(short events);
  /// The next answer. Kills the process past the limit, and where it speaks no sense.
  RunResult<json> await_answer(Milliseconds limit);
  RunResult<json> call(const json& request, std::string payload, Milliseconds limit);
  RunResult<json> give_up(RunFailure failure);
  RunFailure how_it_died();
};

bool RunProcess::State::pump(Milliseconds wait) {
  std::array<pollfd, 2> fds{
      {{messages.get(), static_cast<short>(outgoing.empty() ? POLLIN : POLLIN | POLLOUT), 0},
       {output.fd(), POLLIN, 0}}};
  if (::poll(fds.data(), fds.size(), static_cast<int>(wait.count())) <= 0) return true;
  if (fds[1].revents != 0) output.drain();
  return fds[0].revents == 0 || exchange_messages(fds[0].revents);
}

bool RunProcess::State::exchange_messages(short events) {
  if ((events & POLLOUT) != 0 && !outgoing.empty()) {
    const ssize_t sent = util::write_quietly(messages.get(), outgoing);
    if (sent > 0) outgoing.erase(0, static_cast<std::size_t>(sent));
    if (sent < 0 && errno != EAGAIN && errno != EINTR && (events & POLLIN) == 0) return false;
  }
  if ((events & (POLLIN | POLLHUP | POLLERR)) == 0) return true;
  std::array<char, 65536> piece;
  const ssize_t count = ::read(messages.get(), piece.data(), piece.size());
  if (count > 0) reader.feed(std::string_view(piece.data(), static_cast<std::size_t>(count)));
  return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR));
}

RunResult<json> RunProcess::State::give_up(RunFailure failure) {
  process.kill_group(SIGKILL);
  output.drain();
  gone = failure;
  return tl::unexpected<RunFailure>(std::move(failure));
}

RunFailure RunProcess::State::how_it_died() {
  output.drain();
  const auto status = process.wait_for(Milliseconds{2000});
  std::string message = "the run process ended without an answer";
  if (status) message += " (" + status->text() + ")";
  const std::string& text = output.text();
  if (!text.empty()) message += "; it said: " + text.substr(text.size() > 500 ? text.size() - 500 : 0);
  return {RunFailure::Kind::died, "", "", std::move(message), -1};
}

RunResult<json> RunProcess::State::await_answer(Milliseconds limit) {
  const auto deadline = Clock::now() + limit;
  for (;;) {
    auto frame = reader.next();
    if (!frame)
      return give_up(
          {RunFailure::Kind::died, "nonsense", "", "the run process sent " + frame.error().message, -1});
    if (*frame) {
      output.drain();
      const json answer = json::parse((*frame)->json, nullptr, false);
      if (answer.is_object() && answer.contains("ok")) return answer.at("ok");
      auto failure = read_answer(answer, [](const json& a) { return failure_from_json(a.at("failure")); });
      RunFailure reason = failure ? std::move(*failure) : std::move(failure.error());
      if (reason.spent()) return give_up(std::move(reason));
      return tl::unexpected<RunFailure>(std::move(reason));
    }
    const auto left = std::chrono::ceil<Milliseconds>(deadline - Clock::now());
    if (left.count() <= 0) {
      return give_up({RunFailure::Kind::timeout, "", "",
                      "no end after " + seconds_text(limit) + ": the kernel hangs or is too slow", -1});
    }
    if (!pump(std::min(left, Milliseconds{1000}))) return give_up(how_it_died());
  }
}

RunResult<json> RunProcess::State::call(const json& request, std::string payload, Milliseconds limit) {
  if (gone) return tl::unexpected<RunFailure>(*gone);
  if (!ready) {
    auto answer = await_answer(start_limit);
    if (!answer) {  // before any candidate: the world's doing
      RunFailure failure = std::move(answer.error());
      failure.kind = RunFailure::Kind::world;
      failure.message = "a run process does not start: " + failure.message;
      return give_up(std::move(failure));
    }
    KGEN_TRY(ready, read_answer(*answer, ready_from_json));
  }
  if (request.is_null()) return json::object();
  outgoing += encode_frame({request.dump(), std::move(payload)});
  return await_answer(limit);
}

Result<RunProcess> RunProcess::start(const RunOptions& options) {
  KGEN_TRY(auto sockets, util::socket_pair());
  util::FileDescriptor ours(sockets.first), theirs(sockets.second),
      null(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  KGEN_TRY(auto output, CapturedOutput::create());
  util::SpawnOptions spawn;
  spawn.argv = options.command;
  // No file is left behind and no library is brought in.
  spawn.extra_env = {{"CUDA_CACHE_DISABLE", "1"}};
  spawn.unset_env = {"CUDA_LAUNCH_BLOCKING", "CUDA_INJECTION64_PATH", "NVTX_INJECTION64_PATH"};
  spawn.fds = {{0, null.get()}, {1, output.writer()}, {2, output.writer()}, {kMessageFd, theirs.get()}};
  KGEN_TRY(auto process, util::Process::spawn(spawn));
  output.close_writer();
  json request = {{"call", "start"}, {"device", options.device}, {"deny_syscalls", options.deny_syscalls}};
  if (!options.profile.empty()) request["profile"] = options.profile;
  RunProcess out(
      std::make_unique<State>(std::move(process), std::move(ours), std::move(output), options.start_limit));
  out.state_->outgoing = encode_frame({request.dump(), options.kernels_cubin});
  out.state_->pump(Milliseconds{0});
  return out;
}

RunProcess::RunProcess(std::unique_ptr<State> state) : state_(std::move(state)) {}
RunProcess::RunProcess(RunProcess&&) noexcept = default;
RunProcess& RunProcess::operator=(RunProcess&&) noexcept = default;
RunProcess::~RunProcess() = default;

RunResult<RunReady> RunProcess::wait_ready() {
  KGEN_CHECK(state_->call(nullptr, {}, Milliseconds{0}));
  return *state_->ready;
}

RunResult<std::vector<core::KernelFacts>> RunProcess::load(std::string_view cubin,
                                                           const std::vector<KernelToLoad>& kernels,
                                                           Milliseconds limit) {
  json list = json::array();
  for (const KernelToLoad& kernel : kernels) list.push_back(to_json(kernel));
  KGEN_TRY(const json answer,
           state_->call({{"call", "load"}, {"kernels", std::move(list)}}, std::string(cubin), limit));
  return read_answer(answer, [](const json& a) { return list_from_json(a.at("kernels"), facts_from_json); });
}

RunResult<void> RunProcess::map(int index, const BufferSet& set) {
  KGEN_CHECK(
      state_->call({{"call", "map"}, {"set", index}, {"buffers", to_json(set)}}, {}, state_->start_limit));
  return {};
}

RunResult<void> RunProcess::unmap_all() {
  KGEN_CHECK(state_->call({{"call", "unmap"}}, {}, state_->start_limit));
  return {};
}

RunResult<void> RunProcess::launch_once(int set, const LaunchSequence& sequence, Milliseconds limit) {
  KGEN_CHECK(state_->call({{"call", "launch"}, {"set", set}, {"sequence", to_json(sequence)}}, {}, limit));
  return {};
}

RunResult<void> RunProcess::launch_changed(const ChangeOfInputs& change, const LaunchSequence& sequence,
                                           Milliseconds limit) {
  KGEN_CHECK(state_->call(
      {{"call", "launch_changed"}, {"change", to_json(change)}, {"sequence", to_json(sequence)}}, {}, limit));
  return {};
}

RunResult<std::vector<double>> RunProcess::time_block(const LaunchSequence& sequence,
                                                      const TimeBlock& block) {
  KGEN_TRY(const json answer,
           state_->call({{"call", "time"}, {"block", to_json(block)}, {"sequence", to_json(sequence)}}, {},
                        block.limit));
  KGEN_TRY(auto spans,
           read_answer(answer, [](const json& a) { return a.at("us").get<std::vector<double>>(); }));
  if (spans.size() == block.order.size()) return spans;
  return failed(RunFailure::Kind::died, "nonsense",
                "the run process sent another number of times than was asked for");
}

RunResult<json> RunProcess::ask(const json& request, Milliseconds limit) {
  return state_->call(request, {}, limit);
}

RunResult<std::vector<GlobalVariable>> RunProcess::globals() {
  KGEN_TRY(const json answer, state_->call({{"call", "globals"}}, {}, state_->start_limit));
  return read_answer(answer, [](const json& a) { return list_from_json(a.at("globals"), global_from_json); });
}

const std::string& RunProcess::output() const {
  return state_->output.text();
}
int RunProcess::pid() const {
  return state_->process.pid();
}

void RunProcess::kill() {
  (void)state_->give_up({RunFailure::Kind::died, "killed", "", "the run process was killed", -1});
}

}  // namespace kgen::run
