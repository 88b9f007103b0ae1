#include "util/demangle.hpp"

#include <gtest/gtest.h>

namespace kgen::util {
namespace {

TEST(Demangled, GivesTheNameAsTheSourceHasIt) {
  EXPECT_EQ(demangled("_ZN1a1kILi1EEEvPf"), "void a::k<1>(float*)");
  EXPECT_EQ(demangled("_ZZ6kernelE4tile"), "kernel::tile");
}

TEST(Demangled, IsEmptyOfWhatIsNotMangled) {
  for (const char* name : {"", "f", "kernel", "_Znonsense", "a::k(float*)"})
    EXPECT_EQ(demangled(name), "") << name;
}

}  // namespace
}  // namespace kgen::util
