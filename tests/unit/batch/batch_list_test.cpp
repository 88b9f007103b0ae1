#include "batch/batch_list.hpp"

#include <gtest/gtest.h>

namespace kgen::batch {
namespace {

BatchList parse(const std::string& text) {
  auto list = parse_batch_list(text, "ops.toml");
  EXPECT_TRUE(list) << list.error().text();
  return list.value_or(BatchList{});
}

std::string error_of(const std::string& text) {
  const auto list = parse_batch_list(text, "ops.toml");
  EXPECT_FALSE(list) << text;
  if (list) return "";
  EXPECT_EQ(list.error().kind, ErrorKind::bad_input);
  return list.error().text();
}

TEST(BatchList, ReadsLimitsWorkersAndDefaults) {
  const BatchList list = parse(
      "dollars = 2.5\nsearches = 3\nworkers = ['a b', 'ssh c d']\ndevices = ['cuda:0', 'cuda:1']\n"
      "[defaults]\ncandidates = 6\ngeneral = true\nminutes = 1.5\n[[task]]\nop = 'softmax'\n");
  EXPECT_EQ(list.dollars, 2.5);
  EXPECT_EQ(list.searches, 3);
  EXPECT_EQ(list.workers, (std::vector<std::string>{"a b", "ssh c d"}));
  EXPECT_EQ(list.devices, (std::vector<std::string>{"cuda:0", "cuda:1"}));
  EXPECT_EQ(list.defaults, (Settings{{"candidates", "6"}, {"general", "true"}, {"minutes", "1.5"}}));
  ASSERT_EQ(list.tasks.size(), 1u);
  EXPECT_EQ(list.tasks[0].op, "softmax");
  EXPECT_EQ(list.tasks[0].dtype + list.tasks[0].shape + list.tasks[0].attributes, "");
}

TEST(BatchList, MultipliesListsInTheirOrder) {
  const BatchList list = parse(
      "[[task]]\nop = ['a', 'b']\ndtype = ['f32', 'bf16']\nshape = ['n=1', 'n=2', 'n=3']\ntarget = '1.2x'\n"
      "[[task]]\nop = 'c'\n");
  ASSERT_EQ(list.tasks.size(), 13u);
  EXPECT_EQ(list.tasks[0].op + list.tasks[0].dtype + list.tasks[0].shape, "af32n=1");
  EXPECT_EQ(list.tasks[4].op + list.tasks[4].dtype + list.tasks[4].shape, "abf16n=2");
  EXPECT_EQ(list.tasks[11].op + list.tasks[11].dtype + list.tasks[11].shape, "bbf16n=3");
  EXPECT_EQ(list.tasks[11].settings, (Settings{{"target", "1.2x"}}));
  EXPECT_EQ(list.tasks[12].op, "c");
  EXPECT_TRUE(list.tasks[12].settings.empty());
}

TEST(BatchList, MultipliesDims) {
  const BatchList list =
      parse("[[task]]\nop = 'softmax'\n[task.dims]\nrows = [1024, '8Ki']\ncols = [7, 8, 9]\n");
  ASSERT_EQ(list.tasks.size(), 6u);
  EXPECT_EQ(list.tasks[0].shape, "cols=7,rows=1024");
  EXPECT_EQ(list.tasks[5].shape, "cols=9,rows=8Ki");
}

TEST(BatchList, NamesFileAndLineOfWhatIsWrong) {
  const auto expect = [](const std::string& text, const std::string& part) {
    const std::string error = error_of(text);
    EXPECT_NE(error.find(part), std::string::npos) << error;
  };
  expect("dollars = \n", "ops.toml:1:");
  expect("", "no task is listed");
  expect("[[task]]\ndtype = 'f32'\n", "ops.toml:1: a task has no op");
  expect("[[task]]\nop = 'a'\ncandidate = 3\n", "ops.toml:3: unknown key 'candidate'");
  expect("[[task]]\nop = 'a'\ncandidate = 3\n", "nearest: candidates");
  expect("[[task]]\nop = 'a'\ncandidates = 'many'\n", "ops.toml:3: candidates expects a whole number");
  expect("[[task]]\nop = 'a'\ncandidates = [1, 2]\n", "ops.toml:3: candidates expects one value");
  expect("[[task]]\nop = 'a'\ndevice = 'cuda:1'\n", "ops.toml:3: 'device' cannot be one task's own");
  expect("[[task]]\nop = 'a'\nshape = 'n=1'\ndims = {n = 1}\n", "shape or dims, not both");
  expect("[[task]]\nop = []\n", "op is an empty list");
  expect("[[task]]\nop = 'a'\ndims = 4\n", "dims expects a table");
  expect("task = 3\n", "task expects tables");
  expect("dollars = 0\n[[task]]\nop = 'a'\n", "ops.toml:1: dollars expects a number above 0");
  expect("searches = 0\n[[task]]\nop = 'a'\n", "searches expects a whole number from 1");
  expect("search = 1\n[[task]]\nop = 'a'\n", "keys are: searches");
  expect("[defaults]\napi_key = 'sk-1'\n[[task]]\nop = 'a'\n", "unknown key 'api_key'");
}

TEST(BatchList, RefusesAProductThatIsTooLarge) {
  std::string sizes;
  for (int i = 1; i <= 101; ++i) sizes += std::to_string(i) + ",";
  const std::string text =
      "[[task]]\nop = 'a'\ndims = {m = [" + sizes + "], n = [" + sizes + "], k = [" + sizes + "]}\n";
  EXPECT_NE(error_of(text).find("more than 10000 tasks"), std::string::npos);
}

}  // namespace
}  // namespace kgen::batch
