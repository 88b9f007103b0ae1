#include "harness/compile/source_rules.hpp"

#include <gmock/gmock.h>

namespace kgen::compile {
namespace {

using testing::ElementsAre;

TEST(SourceRules, GlobalFunctionsAreFoundWhateverStandsBetween) {
  EXPECT_THAT(
      global_functions("// __global__ void no()\n__global__ void a(int) {}\n"
                       "extern \"C\" __global__ __launch_bounds__(256, sizeof(int)) void b(float* x) {}\n"
                       "template <int N> __global__ void __cluster_dims__(2, 1, 1) c() {}\n"),
      ElementsAre("a", "b", "c"));
}

TEST(SourceRules, KernelExpressionsAreNamesWithTemplateArguments) {
  for (const char* good : {"k", "gemm<true>", "ns::k<128, -1, (2 > 1)>", "::k", "k<float, __nv_bfloat16>"}) {
    EXPECT_TRUE(is_kernel_expression(good)) << good;
  }
  for (const char* bad :
       {"", "k; int x", "k\n#include <x>", "k\"", "k{}", "1k", "k<a>//", "k/*", "a\\b", "(k)"}) {
    EXPECT_FALSE(is_kernel_expression(bad)) << bad;
  }
}

}  // namespace
}  // namespace kgen::compile
