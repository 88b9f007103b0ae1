// A draft that the real worker checks, on the emulator: one that forgets an element, then a right one.
#include "cli/own_op.hpp"

namespace kgen::test {
namespace {

/// A draft of an op of one's own: what `ops new` makes under another name.
std::string scaffold_reply(const std::string& op_toml, const std::string& reference_cu) {
  return "```toml\n" + op_toml + "```\n```cuda\n" + reference_cu + "```\n";
}

TEST_F(OwnOp, ADraftIsRepairedUntilItsCheckPasses) {
  const std::string op = read(path("mine/op.toml")), good = read(path("mine/reference.cu"));
  std::string forgets = good;
  const std::string guard = "if (row >= rows) return;";
  ASSERT_NE(forgets.find(guard), std::string::npos);
  forgets.replace(forgets.find(guard), guard.size(), "if (row >= rows - 1) return;");
  write("replies/1", scaffold_reply(op, forgets));
  write("replies/2", scaffold_reply(op, good));
  int code = -1;
  const auto answer = kgen_json({"ops", "draft", "a weighted sum of each row", "--provider", "exec",
                                 "--command", "cat >/dev/null; cat replies/$KGEN_CANDIDATE", "--device",
                                 "emulator", "--quick", "--seed", "1", "--accept", "--dir", "accepted"},
                                &code);
  EXPECT_EQ(code, 0) << answer.dump(2);
  EXPECT_EQ(answer.at("candidates"), 2);
  EXPECT_EQ(answer.at("standing"), "accepted");
  for (const auto& draft : std::filesystem::directory_iterator(path("drafts")))
    EXPECT_TRUE(contains(read(draft.path() / "candidates/0002/prompt.md"), "is never written"));
  EXPECT_EQ(kgen(quick_check({"./accepted/mine"})).status.code, 0);
}

}  // namespace
}  // namespace kgen::test
