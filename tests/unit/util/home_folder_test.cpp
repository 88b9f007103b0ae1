#include "util/home_folder.hpp"

#include <gtest/gtest.h>

namespace kgen::util {
namespace {

TEST(HomeFolder, IsWrittenAsATilde) {
  EXPECT_EQ(shorten_home("/u/me/x", "/u/me"), "~/x");
  EXPECT_EQ(shorten_home("sh '/u/me/a b' --to=/u/me", "/u/me"), "sh '~/a b' --to=~");
  EXPECT_EQ(shorten_home(R"({"a":"/u/me/x","b":"/u/me"})", "/u/me"), R"({"a":"~/x","b":"~"})");
  EXPECT_EQ(shorten_home("/u/melissa/x /u/me-2 /u/me.txt", "/u/me"), "/u/melissa/x /u/me-2 /u/me.txt");
  EXPECT_EQ(shorten_home("/mnt/u/me/x", "/u/me"), "/mnt/u/me/x");
  EXPECT_EQ(shorten_home(R"({"log":"in\n/u/me/x"})", "/u/me"), R"({"log":"in\n~/x"})");
  EXPECT_EQ(shorten_home("/x", ""), "/x");
}

TEST(HomeFolder, IsPutBackWhereItBeginsAPath) {
  for (const char* text : {"/u/me/x", "sh '/u/me/a b' --to=/u/me", "a:/u/me/b,/u/me/c"})
    EXPECT_EQ(expand_home(shorten_home(text, "/u/me"), "/u/me"), text);
  EXPECT_EQ(expand_home("a~/b ~other/c x~", "/u/me"), "a~/b ~other/c x~");
  EXPECT_EQ(expand_home("~/x", ""), "~/x");
}

}  // namespace
}  // namespace kgen::util
