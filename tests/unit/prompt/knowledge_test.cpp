#include "prompt/knowledge.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "prompt/knowledge_text.hpp"
#include "reference_ops/builtin_ops.hpp"

namespace kgen::prompt {
namespace {

constexpr std::string_view kKnowledgeFile = R"(
title = "Things"
not_families = ["reductions"]

[[facts]]
id = "first"
text = "Sixteen bytes at a time."
source = "a manual"

[[facts]]
id = "second"
needs = ["wgmma", "tma"]
min_cc = 90
max_cc = 90
dtypes = ["bf16"]
text = "Descriptors."
source = "another"

[[facts]]
id = "third"
lacks = ["wgmma"]
families = ["elementwise"]
text = "Fragments."
source = "a third"
)";

core::DeviceFacts device(const char* arch) {
  return core::facts_for_arch(arch).value();
}

core::Task task(const char* op, const char* dtype) {
  return core::make_task(reference_ops::find_builtin_op(op).value(), dtype, {}, {}).value();
}

std::string ids(const core::DeviceFacts& facts, const core::Task& of) {
  std::string out;
  for (const KnowledgeFile& file :
       select_knowledge({parse_knowledge(kKnowledgeFile, "things.toml").value()}, facts, of))
    for (const Fact& fact : file.facts) out += (out.empty() ? "" : " ") + fact.id;
  return out;
}

TEST(Knowledge, IsShownWhereItHolds) {
  EXPECT_EQ(ids(device("sm_90a"), task("add_relu", "bf16")), "first second");
  EXPECT_EQ(ids(device("sm_90a"), task("add_relu", "f32")), "first");
  EXPECT_EQ(ids(device("sm_80"), task("add_relu", "bf16")), "first third");
  EXPECT_EQ(ids(device("sm_90"), task("add_relu", "bf16")), "first third") << "sm_90 without a has no wgmma";
  EXPECT_EQ(ids(device("sm_90a"), task("softmax", "bf16")), "") << "the file is not for reductions";
}

std::string knowledge_problem(std::string_view text) {
  const auto parsed = parse_knowledge(text, "things.toml");
  return parsed ? "none" : parsed.error().message;
}

TEST(Knowledge, AFileThatIsWrongIsNamedWithItsField) {
  const std::string fact = "title = \"t\"\n[[facts]]\nid = \"a\"\ntext = \"b\"\n";
  EXPECT_EQ(knowledge_problem(fact + "source = \"c\"\n"), "none");
  EXPECT_NE(knowledge_problem(fact).find("things.toml: facts[0]: source"), std::string::npos)
      << knowledge_problem(fact);
  EXPECT_NE(knowledge_problem(fact + "source = \"\"\n").find("none of them empty"), std::string::npos);
  EXPECT_NE(knowledge_problem(fact + "source = \"c\"\nneeds = [\"wgmna\"]\n").find("'wgmna'"),
            std::string::npos);
  EXPECT_NE(knowledge_problem(fact + "source = \"c\"\ndtypes = [\"bf17\"]\n").find("'bf17'"),
            std::string::npos);
  EXPECT_NE(knowledge_problem(fact + "source = \"c\"\nneed = []\n").find("unknown field 'need'"),
            std::string::npos);
  EXPECT_NE(knowledge_problem("title = ").find("things.toml:1"), std::string::npos);
}

TEST(Knowledge, TextsMayNameTheTemplatesValuesAndNoOthers) {
  const PromptLibrary library = PromptLibrary::load().value();
  const auto text = [&](const core::DeviceFacts& facts) {
    return knowledge_text(library, facts, task("softmax", "bf16"), {});
  };
  const auto rendered = text(device("sm_90a"));
  ASSERT_FALSE(rendered);
  EXPECT_NE(rendered.error().message.find("fact "), std::string::npos) << rendered.error().message;
}

/// What every built-in file must have; the parser has checked sources and capabilities already.
TEST(Knowledge, BuiltInFilesAreWellFormed) {
  const PromptLibrary library = PromptLibrary::load().value();
  const auto files = read_knowledge(library);
  ASSERT_TRUE(files) << files.error().text();
  std::set<std::string> families = {"attention", "matrix products"};
  const auto ops = reference_ops::builtin_ops().value();
  for (const core::Op& op : ops) families.insert(op.family);
  std::set<std::string> ids;
  const auto known = [&](const std::set<std::string>& names) {
    return std::all_of(names.begin(), names.end(),
                       [&](const std::string& name) { return families.contains(name); });
  };
  for (const KnowledgeFile& file : *files) {
    EXPECT_FALSE(file.facts.empty()) << file.title;
    for (const Fact& fact : file.facts) {
      EXPECT_TRUE(ids.insert(fact.id).second) << fact.id << " is there twice";
      EXPECT_LT(fact.text.size(), 900u) << fact.id << " is too long to be one fact";
      EXPECT_GE(fact.source.size(), 8u) << fact.id;
      for (const Applies* applies : {&file.applies, &fact.applies})
        EXPECT_TRUE(known(applies->families) && known(applies->not_families)) << fact.id;
      EXPECT_TRUE(fact.code.empty() || library.has(fact.code)) << fact.id;
    }
  }
}

}  // namespace
}  // namespace kgen::prompt
