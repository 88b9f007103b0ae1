#include "harness/run/run_main.hpp"

#include <unistd.h>

#include <cstdio>

#include "harness/run/deny_syscalls.hpp"
#include "harness/run/messages.hpp"
#include "harness/run/run_role.hpp"
#include "util/json.hpp"

namespace kgen::run {
namespace {

using nlohmann::json;

RunResult<json> answer_to(RunRole& role, const Frame& frame) {
  try {
    const json request = json::parse(frame.json);
    return request.at("call") == "start" ? role.start(frame, request) : role.answer(frame, request);
  } catch (const json::exception& e) {
    return tl::unexpected<RunFailure>(RunFailure{RunFailure::Kind::world,
                                                 "protocol",
                                                 {},
                                                 std::string("a request that cannot be read: ") + e.what(),
                                                 -1});
  }
}

}  // namespace

int run_main(int fd) {
  give_up_privileges();
  ::setvbuf(stdout, nullptr, _IONBF, 0);
  RunRole role;
  FrameReader reader(kMaxRequestBytes);
  for (;;) {
    auto frame = read_frame(fd, reader);
    if (!frame || !*frame) ::_exit(frame ? 0 : 1);
    const RunResult<json> answer = answer_to(role, **frame);
    std::fflush(nullptr);
    const json message = answer ? json{{"ok", *answer}} : json{{"failure", to_json(answer.error())}};
    const Status written =
        write_frame(fd, {message.dump(-1, ' ', false, json::error_handler_t::replace), {}});
    // A spent context cannot be cleaned up, and tearing a sound one down takes time that nobody waits for.
    if (!written || (!answer && answer.error().spent())) ::_exit(1);
  }
}

}  // namespace kgen::run
