#include "harness/compile/result_cache.hpp"

#include <gtest/gtest.h>

namespace kgen::compile {
namespace {

CompileResult good(const std::string& cubin) {
  CompileResult result;
  result.ok = true;
  result.cubin = cubin;
  return result;
}

TEST(ResultCache, KeepsTheMostRecentlyUsed) {
  ResultCache cache(2);
  cache.keep("a", good("A"));
  cache.keep("b", good("B"));
  ASSERT_TRUE(cache.find("a"));
  cache.keep("c", good("C"));
  EXPECT_EQ(cache.find("a")->cubin, "A");
  EXPECT_TRUE(cache.find("a")->cached);
  EXPECT_FALSE(cache.find("b"));
  EXPECT_EQ(cache.size(), 2u);
}

TEST(ResultCache, DoesNotKeepWhatAnotherTryCouldChange) {
  ResultCache cache(2);
  CompileResult result;
  result.failure = CompileFailure::timed_out;
  cache.keep("a", result);
  EXPECT_FALSE(cache.find("a"));
  result.failure = CompileFailure::compile_error;
  cache.keep("a", result);
  EXPECT_TRUE(cache.find("a"));
}

}  // namespace
}  // namespace kgen::compile
