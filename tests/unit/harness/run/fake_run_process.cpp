// A run process without a GPU, which misbehaves as its first argument says.
#include <unistd.h>

#include <cstdio>
#include <string>

#include "harness/run/frame.hpp"
#include "harness/run/messages.hpp"
#include "util/json.hpp"

using namespace kgen;
using nlohmann::json;

namespace {

constexpr int kFd = 3;

void answer(const json& message) {
  (void)run::write_frame(kFd, {message.dump(), {}});
}

[[noreturn]] void hang() {
  for (;;) ::pause();
}

void forge() {
  // What a kernel's printf could write, a megabyte of it.
  const std::string lie =
      run::encode_frame({json{{"ok", {{"us", {0.001}}}}}.dump(), {}}) + "{\"ok\":{\"us\":[0.001]}}\n";
  for (std::size_t written = 0; written < (1u << 20); written += lie.size())
    std::fwrite(lie.data(), 1, lie.size(), stdout);
  std::fflush(stdout);
}

void misbehave(const std::string& how, const json& request) {
  const run::RunFailure fault{run::RunFailure::Kind::fault, "illegal_address", "CUDA_ERROR_ILLEGAL_ADDRESS",
                              "bad kernel", 0};
  const run::RunFailure refusal{run::RunFailure::Kind::launch_error, "invalid_configuration", "", "bad grid",
                                1};
  if (how == "hang") hang();
  if (how == "die") {
    std::fputs("last words\n", stderr);
    ::_exit(3);
  }
  if (how == "chatter") {
    for (;;) std::fputs("round and round\n", stdout);
  }
  if (how == "forge") forge();
  if (how == "fault" || how == "forge") {
    answer({{"failure", run::to_json(fault)}});
    hang();
  }
  if (how == "refuse") return answer({{"failure", run::to_json(refusal)}});
  if (how == "not json") return (void)run::write_frame(kFd, {"this is no JSON", {}});
  if (how == "wrong fields") return answer({{"failure", {{"kind", 7}}}});
  if (how == "huge") {
    const std::string lengths(8, '\xff');
    (void)::write(kFd, lengths.data(), lengths.size());
    hang();
  }
  if (request.at("call") == "time" && how == "few times") return answer({{"ok", {{"us", json::array()}}}});
  if (request.at("call") == "time") {
    return answer({{"ok", {{"us", std::vector<double>(request.at("block").at("order").size(), 12.5)}}}});
  }
  answer({{"ok", json::object()}});
}

}  // namespace

int main(int argc, char** argv) {
  const std::string how = argc > 1 ? argv[1] : "good";
  run::FrameReader reader(run::kMaxRequestBytes);
  while (true) {
    auto frame = run::read_frame(kFd, reader);
    if (!frame || !*frame) return 0;
    const json request = json::parse((*frame)->json);
    if (request.at("call") != "start") {
      misbehave(how, request);
    } else if (how == "silent start") {
      hang();
    } else if (how == "slow start") {
      ::usleep(100'000);
      answer({{"ok", run::to_json(run::RunReady{100, "none", false})}});
    } else if (how == "no device") {
      answer({{"failure",
               run::to_json(run::RunFailure{run::RunFailure::Kind::world, "context", "", "no GPU", -1})}});
    } else {
      answer({{"ok", run::to_json(run::RunReady{1.5, "none", true})}});
    }
  }
}
