// Ctrl-C and kill -9 in the middle of a model call: the run can be resumed, and says what may have been paid
// in vain.
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/kgen_program.hpp"

namespace kgen::test {
namespace {

class Interrupted : public KgenProgram {
 protected:
  /// Starts a run whose model says that it was asked and then never answers; returns when it was asked.
  util::Process start_hanging_run() {
    EXPECT_EQ(mkfifo(path("asked").c_str(), 0600), 0);
    util::Process kgen =
        start_kgen(std::vector<std::string>{"generate", "--op", "softmax", "--provider", "exec", "--command",
                                            "echo asked > asked; exec sleep 1000"} +
                   with_worker(hello_script() + baseline_script() + correct_script()));
    const int fd = open(path("asked").c_str(), O_RDONLY | O_CLOEXEC);  // waits for the model
    char byte = 0;
    EXPECT_EQ(::read(fd, &byte, 1), 1);
    close(fd);
    return kgen;
  }
  util::CommandOutput resume_with_an_answer() {
    write("reply.md", some_reply(1));
    return kgen({"resume", only_run().string(), "--command", "cat >/dev/null; cat reply.md"});
  }
};

TEST_F(Interrupted, CtrlCEndsWith130AndTheRunGoesOn) {
  util::Process kgen = start_hanging_run();
  ::kill(kgen.pid(), SIGINT);
  const auto status = kgen.wait_for(std::chrono::seconds(30));
  ASSERT_TRUE(status);
  EXPECT_EQ(status->code, 130) << read(path("err"));
  EXPECT_TRUE(contains(read(path("out")), "kgen resume")) << read(path("out"));
  EXPECT_EQ(events_of(only_run(), "interrupted").size(), 1u);
  const auto resumed = resume_with_an_answer();
  EXPECT_EQ(resumed.status.code, 0) << resumed.err;
}

TEST_F(Interrupted, AfterKillMinus9TheOpenCallIsAskedAgainAndShownAsPossiblyPaid) {
  util::Process kgen = start_hanging_run();
  kgen.kill_group(SIGKILL);
  const auto resumed = resume_with_an_answer();
  EXPECT_EQ(resumed.status.code, 0) << resumed.err;
  const auto lost = events_of(only_run(), "ask_lost");
  ASSERT_EQ(lost.size(), 1u);
  EXPECT_EQ(lost[0].at("possibly_paid"), true);
  const auto json = kgen_json({"show", only_run().string()});
  EXPECT_EQ(json.at("ledger").at("possibly_paid"), 1);
}

}  // namespace
}  // namespace kgen::test
