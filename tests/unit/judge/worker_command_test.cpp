#include "judge/worker_command.hpp"

#include <gtest/gtest.h>

namespace kgen::judge {
namespace {

using Words = std::vector<std::string>;

TEST(WorkerCommand, SplitsAsAShellDoes) {
  EXPECT_EQ(split_command("ssh gpubox kgen-worker"), Words({"ssh", "gpubox", "kgen-worker"}));
  EXPECT_EQ(split_command("  srun \t--gres=gpu:1  w "), Words({"srun", "--gres=gpu:1", "w"}));
  EXPECT_EQ(split_command("ssh 'my box' \"a b\"c ''"), Words({"ssh", "my box", "a bc", ""}));
  EXPECT_EQ(split_command(R"(a\ b "q\"\\\n" '\n')"), Words({"a b", R"(q"\\n)", "\\n"}));
}

TEST(WorkerCommand, SaysWhatIsWrongWithACommandThatCannotBeSplit) {
  for (const auto& [text, why] :
       std::vector<std::pair<std::string, std::string>>{{"", "no words"},
                                                        {"  ", "no words"},
                                                        {"ssh 'box", "no closing '"},
                                                        {"a \"b", "no closing \""},
                                                        {"a\\", "backslash"}}) {
    const auto words = split_command(text);
    ASSERT_FALSE(words) << text;
    EXPECT_EQ(words.error().kind, ErrorKind::bad_input);
    EXPECT_NE(words.error().text().find(why), std::string::npos) << words.error().text();
  }
}

TEST(WorkerCommand, AConfiguredCommandIsTakenAsItIs) {
  EXPECT_EQ(worker_command("no-such-program --x"), Words({"no-such-program", "--x"}));
}

}  // namespace
}  // namespace kgen::judge
