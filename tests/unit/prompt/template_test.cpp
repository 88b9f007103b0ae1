#include "prompt/template.hpp"

#include <gtest/gtest.h>

#include "prompt/prompt_library.hpp"
#include "util/file.hpp"

namespace kgen::prompt {
namespace {

TEST(Template, EscapesNothing) {
  Values values;
  values.texts["code"] = "a < b && \"c\" {{x}} 'd'";
  EXPECT_EQ(render("t", "{{code}}", values).value(), "a < b && \"c\" {{x}} 'd'");
}

TEST(Template, AnUnknownNameIsAnErrorThatNamesIt) {
  for (const char* text :
       {"{{nobody}}", "{{#nobody}}x{{/nobody}}", "{{^nobody}}x{{/nobody}}", "{{> nobody}}"}) {
    const auto rendered = render("system.mustache", text, {});
    ASSERT_FALSE(rendered) << text;
    EXPECT_NE(rendered.error().message.find("nobody"), std::string::npos);
    EXPECT_NE(rendered.error().message.find("system.mustache"), std::string::npos);
  }
}

TEST(Template, AnEmptyValueIsNoError) {
  Values values;
  values.texts["empty"] = "";
  EXPECT_EQ(render("t", "[{{empty}}]", values).value(), "[]");
}

TEST(Template, SectionsFollowFlagsAndLists) {
  Values values;
  values.flags = {{"yes", true}, {"no", false}};
  Values item;
  item.texts["name"] = "n";
  values.lists["items"] = {item, item};
  EXPECT_EQ(render("t", "{{#yes}}y{{/yes}}{{#no}}n{{/no}}{{^no}}!{{/no}}{{#items}}{{name}}{{/items}}", values)
                .value(),
            "y!nn");
}

TEST(Template, ABrokenOneIsAnError) {
  EXPECT_FALSE(render("t", "{{#open}}", {}));
}

TEST(PromptLibrary, SectionsAreReadFromHeadings) {
  const auto sections = sections_of("intro\n\n## one\ntext\nmore\n\n## two\n\nother\n");
  ASSERT_EQ(sections.size(), 2u);
  EXPECT_EQ(sections[0].name, "one");
  EXPECT_EQ(sections[0].text, "text\nmore");
  EXPECT_EQ(sections[1].text, "other");
  EXPECT_EQ(sections_of("## only").front().name, "only");
  EXPECT_TRUE(sections_of("no headings").empty());
}

TEST(PromptLibrary, AFolderReplacesTextsAndRefusesUnknownOnes) {
  const auto folder = util::TemporaryFolder::create("kgen-prompts").value();
  ASSERT_TRUE(util::write_file_atomic(folder.path() / "system.mustache", "mine"));
  ASSERT_TRUE(util::write_file_atomic(folder.path() / "explore/attention.md", "## a\nb\n"));
  const auto library = PromptLibrary::load(folder.path());
  ASSERT_TRUE(library) << library.error().text();
  EXPECT_EQ(library->text("system.mustache"), "mine");
  EXPECT_EQ(library->advice("explore/attention.md").size(), 1u);
  EXPECT_FALSE(library->text("user.mustache").empty());
  ASSERT_TRUE(util::write_file_atomic(folder.path() / "sytsem.mustache", "typo"));
  EXPECT_FALSE(PromptLibrary::load(folder.path()));
  EXPECT_FALSE(PromptLibrary::load(folder.path() / "missing"));
}

}  // namespace
}  // namespace kgen::prompt
