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

RunResult<json> answer_to(const AnswerRequest& answer, const Frame& frame) {
  try {
    return answer(frame, json::parse(frame.json));
  } catch (const json::exception& e) {
    return tl::unexpected<RunFailure>(RunFailure{RunFailure::Kind::world,
                                                 "protocol",
                                                 {},
                                                 std::string("a request that cannot be read: ") + e.what(),
                                                 -1});
  }
}

}  // namespace

void serve(int fd, const AnswerRequest& answer_request) {
  give_up_privileges();
  ::setvbuf(stdout, nullptr, _IONBF, 0);
  FrameReader reader(kMaxRequestBytes);
  for (;;) {
    auto frame = read_frame(fd, reader);
    if (!frame || !*frame) ::_exit(frame ? 0 : 1);
    const RunResult<json> answer = answer_to(answer_request, **frame);
    std::fflush(nullptr);
    const json message = answer ? json{{"ok", *answer}} : json{{"failure", to_json(answer.error())}};
    const Status written =
        write_frame(fd, {message.dump(-1, ' ', false, json::error_handler_t::replace), {}});
    // A spent context cannot be cleaned up, and tearing a sound one down takes time that nobody waits for.
    if (!written || (!answer && answer.error().spent())) ::_exit(1);
  }
}

int run_main(int fd) {
  RunRole role;
  serve(fd, [&](const Frame& frame, const json& request) {
    return request.at("call") == "start" ? role.start(frame, request) : role.answer(frame, request);
  });
}

}  // namespace kgen::run
