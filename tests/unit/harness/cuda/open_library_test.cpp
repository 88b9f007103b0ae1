#include "harness/cuda/open_library.hpp"

#include <gtest/gtest.h>

namespace kgen::cuda {
namespace {

TEST(OpenLibrary, TakesTheFirstNameThatOpensAndFindsItsFunctions) {
  const auto library = open_library({"libkgen-no-such-library.so.1", "libc.so.6"}, {"/nowhere"});
  ASSERT_TRUE(library) << library.error().text();
  EXPECT_TRUE(find_symbol(*library, "strlen"));
  const auto symbol = find_symbol(*library, "kgen_no_such_function");
  ASSERT_FALSE(symbol);
  EXPECT_NE(symbol.error().message.find("kgen_no_such_function"), std::string::npos);
}

TEST(OpenLibrary, SaysWhatItLookedFor) {
  const auto library = open_library({"libkgen-no-such-library.so.1", "libkgen-no-such-library.so.2"}, {});
  ASSERT_FALSE(library);
  EXPECT_EQ(library.error().kind, ErrorKind::missing);
  EXPECT_NE(library.error().message.find("libkgen-no-such-library.so.1, libkgen-no-such-library.so.2"),
            std::string::npos);
  EXPECT_NE(library.error().hint.find("CUDAToolkit_ROOT"), std::string::npos);
}

}  // namespace
}  // namespace kgen::cuda
