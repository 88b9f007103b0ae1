// A batch killed at random moments and resumed ends as one left alone.
#include <signal.h>

#include <random>
#include <set>

#include "cli/kgen_program.hpp"

namespace kgen::test {
namespace {

using nlohmann::json;

constexpr int kKills = 25;

class BatchKilled : public KgenProgram {
 protected:
  BatchKilled() {
    for (int i = 1; i <= 4; ++i)
      write("replies/" + std::to_string(i), i == 2 ? "I cannot.\n" : some_reply(i));
    write("kgen.toml",
          "provider = 'exec'\ncommand = 'cat >/dev/null; cat replies/$KGEN_CANDIDATE'\ncandidates = "
          "4\ntarget = '9x'\n");
  }
  std::vector<std::string> batch(const std::string& runs) {
    return std::vector<std::string>{"batch", "list.toml", "--seed", "7", "--runs", runs} +
           with_worker(hello_script() + baseline_script() + correct_script());
  }
  std::filesystem::path batch_in(const std::string& runs) {
    for (const auto& entry : std::filesystem::directory_iterator(path(runs))) return entry.path();
    return path(runs);
  }
  /// What must not depend on interruptions: every run's candidates with their verdicts, outcome and seed.
  json final_state(const std::filesystem::path& folder) {
    json kept = json::array();
    std::set<std::filesystem::path> runs;
    for (const auto& run : std::filesystem::directory_iterator(folder / "runs")) runs.insert(run.path());
    for (const auto& run : runs) {
      json document = kgen_json({"show", run.string()});
      for (auto& candidate : document["candidates"]) {
        candidate.erase("spend");
        candidate.erase("possibly_paid");
      }
      kept.push_back({run.filename().string(), document["outcome"], document["best"], document["candidates"],
                      json::parse(read(run / "run.json")).at("seed")});
    }
    return kept;
  }
};

TEST_F(BatchKilled, EndsAsOneLeftAlone) {
  write("list.toml",
        "searches = 3\n[[task]]\nop = 'softmax'\ndims = {rows = [1, 2, 3, 4, 5, 6], cols = 64}\n");
  ASSERT_EQ(kgen(batch("alone")).status.code, 3);
  std::mt19937 random(20261121);
  std::uniform_int_distribution<int> moment_ms(20, 400);
  int kills = 0;
  for (int round = 0; kills < kKills; ++round) {
    const std::string runs = "killed" + std::to_string(round);
    std::vector<std::string> words = batch(runs);
    while (true) {
      util::Process kgen = start_kgen(words);
      if (const auto status = kgen.wait_for(std::chrono::milliseconds(moment_ms(random))); status) {
        ASSERT_EQ(status->code, 3) << read(path("err"));
        break;
      }
      kgen.kill_group(SIGKILL);
      ++kills;
      const bool began =
          std::filesystem::exists(path(runs)) && std::filesystem::exists(batch_in(runs) / "batch.json");
      if (began) words = {"batch", batch_in(runs).string()};
      if (!began) std::filesystem::remove_all(path(runs));
    }
    EXPECT_EQ(final_state(batch_in(runs)), final_state(batch_in("alone")));
    for (const auto& run : std::filesystem::directory_iterator(batch_in(runs) / "runs")) {
      std::set<std::string> seen;
      for (const auto& event : events_of(run.path(), "evaluated")) {
        const std::string key = event.at("candidate").dump() + event.at("summary").at("tier").dump();
        EXPECT_TRUE(seen.insert(key).second) << run.path() << " evaluated " << key << " twice";
      }
    }
  }
}

}  // namespace
}  // namespace kgen::test
