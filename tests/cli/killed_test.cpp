// kill -9 at a hundred random moments of a run, resumed each time: the same final state as a run left alone,
// and nothing whose result was journaled is evaluated or paid for again.
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <set>

#include "cli/kgen_program.hpp"

namespace kgen::test {
namespace {

constexpr int kKills = 100;

class Killed : public KgenProgram {
 protected:
  Killed() {
    // Replies keyed by the candidate's number; every fifth holds no kernel.
    for (int i = 1; i <= 12; ++i)
      write("replies/" + std::to_string(i), i % 5 == 0 ? "I cannot.\n" : some_reply(i));
  }
  std::vector<std::string> generate(const std::string& runs) {
    return std::vector<std::string>{
               "generate",     "--op",      "softmax",
               "--seed",       "7",         "--provider",
               "exec",         "--command", "cat >/dev/null; cat replies/$KGEN_CANDIDATE",
               "--candidates", "12",        "--plateau",
               "12",           "--target",  "9x",
               "--runs",       runs} +
           with_worker(hello_script() + baseline_script() + correct_script());
  }
  std::filesystem::path run_in(const std::string& runs) {
    for (const auto& entry : std::filesystem::directory_iterator(path(runs))) return entry.path();
    return path(runs);
  }
  /// What must not depend on interruptions.
  nlohmann::json final_state(const std::filesystem::path& run) {
    auto json = kgen_json({"show", run.string()});
    for (auto& candidate : json["candidates"]) {
      candidate.erase("spend");
      candidate.erase("possibly_paid");
    }
    nlohmann::json kept;
    for (const char* key : {"outcome", "best", "candidates", "evaluation"}) kept[key] = json[key];
    return kept;
  }
  static void expect_each_once(const std::filesystem::path& run, const std::string& kind,
                               const std::string& second_key) {
    std::set<std::string> seen;
    for (const auto& event : events_of(run, kind)) {
      const std::string key =
          event.at("candidate").dump() + "/" +
          (second_key.empty() ? "" : event.at(nlohmann::json::json_pointer(second_key)).dump());
      EXPECT_TRUE(seen.insert(key).second) << kind << " twice for " << key;
    }
  }
};

TEST_F(Killed, ARunKilledAHundredTimesEndsAsOneLeftAlone) {
  const auto begin = std::chrono::steady_clock::now();
  ASSERT_EQ(kgen(generate("alone")).status.code, 3);
  const auto alone = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin);
  std::mt19937 random(20260102);
  // Far enough into a run that some of them get on, however slow the machine.
  std::uniform_int_distribution<int> moment_ms(1, std::max(120, static_cast<int>(alone.count() * 0.75)));
  int kills = 0;
  for (int run_number = 0; kills < kKills; ++run_number) {
    const std::string runs = "killed" + std::to_string(run_number);
    std::vector<std::string> words = generate(runs);
    while (true) {
      util::Process kgen = start_kgen(words);
      if (const auto status = kgen.wait_for(std::chrono::milliseconds(moment_ms(random))); status) {
        ASSERT_EQ(status->code, 3) << read(path("err"));
        break;
      }
      kgen.kill_group(SIGKILL);
      ++kills;
      // Killed before run.json was there: start again, without the empty folder that it may have left.
      const bool began =
          std::filesystem::exists(path(runs)) && std::filesystem::exists(run_in(runs) / "run.json");
      if (began) words = {"resume", run_in(runs).string()};
      if (!began) std::filesystem::remove_all(path(runs));
    }
    EXPECT_EQ(final_state(run_in(runs)), final_state(run_in("alone")));
    expect_each_once(run_in(runs), "reply_received", "/part");
    expect_each_once(run_in(runs), "evaluated", "/summary/tier");
  }
}

}  // namespace
}  // namespace kgen::test
