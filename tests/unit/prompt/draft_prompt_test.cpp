#include "prompt/draft_prompt.hpp"

#include <gtest/gtest.h>

#include "reference_ops/builtin_ops.hpp"
#include "support/golden.hpp"

namespace kgen::prompt {
namespace {

using core::Finding;

constexpr std::size_t kMostBytes = 48'000;  ///< some 12,000 tokens

std::vector<DraftExample> catalogue_examples() {
  std::vector<DraftExample> examples;
  for (const std::string name : {"add_relu", "softmax"})
    examples.push_back({name,
                        {std::string(reference_ops::embedded_file(name + "/op.toml")),
                         std::string(reference_ops::embedded_file(name + "/reference.cu"))}});
  return examples;
}

DraftRequest first_request() {
  DraftRequest request;
  request.description = "fused add and ReLU over two 1-D vectors of any length";
  request.examples = catalogue_examples();
  return request;
}

DraftRequest repair_request() {
  DraftRequest request = first_request();
  request.answers = {{"Which types?", "f32 alone"}, {"NaN?", ""}, {"", "call it plus_relu"}};
  request.last = DraftFiles{"name = \"plus_relu\"\n", "/*kgen {} */\n"};
  request.findings = {
      {"read", Finding::State::passed, "", "2 distributions"},
      {"baselines", Finding::State::missing, "", "no library"},
      {"mutants", Finding::State::missing, "", "none in mutants/"},
      {"written", Finding::State::failed, "plus_relu f32 n=3, normal", "y[2] is\nnever written"}};
  return request;
}

Messages draft_messages(const DraftRequest& request) {
  const auto messages = build_draft_prompt(PromptLibrary::load().value(), request);
  EXPECT_TRUE(messages) << messages.error().text();
  return messages.value_or(Messages{});
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(DraftPrompt, AsksForASpecificationOrQuestions) {
  EXPECT_EQ(test::compare_golden("prompt/draft_first_user.md", draft_messages(first_request()).user), "");
}

TEST(DraftPrompt, ShowsWhatWasSaidAndWhatTheCheckFound) {
  EXPECT_EQ(test::compare_golden("prompt/draft_repair_user.md", draft_messages(repair_request()).user), "");
}

TEST(DraftPrompt, ExplainsTheFormatFromItsOwnPageAndShowsTwoWholeExamples) {
  const std::string system = draft_messages(first_request()).system;
  EXPECT_TRUE(holds(system, op_format_text().value()));
  for (const DraftExample& example : catalogue_examples()) {
    ASSERT_FALSE(example.files.op_toml.empty());
    EXPECT_TRUE(holds(system, example.files.op_toml)) << example.title;
    EXPECT_TRUE(holds(system, example.files.reference_cu)) << example.title;
  }
  EXPECT_EQ(system, draft_messages(repair_request()).system) << "a provider can keep it";
  EXPECT_FALSE(holds(system, "{{"));
}

TEST(DraftPrompt, StaysBelowTwelveThousandTokens) {
  const Messages messages = draft_messages(first_request());
  EXPECT_LT(messages.system.size() + messages.user.size(), kMostBytes);
}

TEST(DraftPrompt, AReplyThatCouldNotBeReadIsNamedBesideTheDraftBefore) {
  DraftRequest request = repair_request();
  request.problem = "the reply holds no block of toml";
  const std::string user = draft_messages(request).user;
  EXPECT_TRUE(holds(user, "the reply holds no block of toml"));
  EXPECT_TRUE(holds(user, "name = \"plus_relu\""));
}

TEST(DraftPrompt, ADraftThatPassedIsChangedAsThePersonSays) {
  DraftRequest request = repair_request();
  request.findings.pop_back();
  const std::string user = draft_messages(request).user;
  EXPECT_TRUE(holds(user, "wants it changed"));
  EXPECT_FALSE(holds(user, "no library")) << "what is missing is no failure";
}

TEST(DraftPrompt, ManyFindingsAreCutAndCounted) {
  DraftRequest request = first_request();
  request.last = DraftFiles{"a\n", "b\n"};
  for (int i = 0; i < 30; ++i)
    request.findings.push_back({"written", Finding::State::failed, "", std::string(5000, 'x')});
  const std::string user = draft_messages(request).user;
  EXPECT_TRUE(holds(user, "and 10 more"));
  EXPECT_LT(user.size(), 40'000U);
}

}  // namespace
}  // namespace kgen::prompt
