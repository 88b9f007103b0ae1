#include "harness/compile/source_rules.hpp"

#include <gmock/gmock.h>

namespace kgen::compile {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

TEST(SourceRules, OrdinaryIncludesAreListedWithTheirLines) {
  const SourceScan scan =
      scan_source("// x\n#include <cuda_fp16.h>\n  #  include \"mma.h\" // tensor cores\nint x;\n");
  EXPECT_THAT(scan.refused, IsEmpty());
  ASSERT_EQ(scan.includes.size(), 2u);
  EXPECT_EQ(scan.includes[0].name, "cuda_fp16.h");
  EXPECT_EQ(scan.includes[0].line, 2);
  EXPECT_EQ(scan.includes[1].name, "mma.h");
  EXPECT_EQ(scan.includes[1].line, 3);
}

TEST(SourceRules, OrdinaryCodeIsNotRefused) {
  EXPECT_THAT(
      scan_source(
          "#define S(x) #x\n#define CAT(a, b) a##b\n#pragma unroll\n#if __has_include(<mma.h>)\n#endif\n"
          "const char* s = \"# 1 x\"; int line = 3; /* # lines */\n#error no line\n#ifdef embed\n#endif\n")
          .refused,
      IsEmpty());
}

class RefusedSpelling : public testing::TestWithParam<const char*> {};

TEST_P(RefusedSpelling, IsRefused) {
  EXPECT_THAT(scan_source(GetParam()).refused, Not(IsEmpty())) << GetParam();
}

INSTANTIATE_TEST_SUITE_P(
    SourceRules, RefusedSpelling,
    testing::Values("#include \"/etc/hostname\"", "#include </etc/hostname>",
                    "#include \"../../etc/hostname\"", "#include <cuda/../../../etc/hostname>",
                    "#inc\\\nlude \"/etc/hostname\"", "#include \\\n\"/etc/hostname\"",
                    "#inc\\  \t\nlude \"/etc/hostname\"", "#inc\\\r\nlude \"/etc/hostname\"",
                    "%:include \"/etc/hostname\"", "\?\?=include \"/etc/hostname\"",
                    "#inc\?\?/\nlude \"/etc/hostname\"", "# /* a \n b */ include /* c */ \"/etc/hostname\"",
                    "/* */ #include \"/etc/hostname\"", "/* open\n*/ #include \"/etc/hostname\"",
                    "R\"(\n)\"\n#include \"/etc/hostname\"", "\"/*\"\n#include \"/etc/hostname\"\n/* */",
                    "#define F \"/etc/hostname\"\n#include F", "#include STR(/etc/hostname)",
                    "#include_next <stdint.h>", "#import \"/etc/hostname\"", "#embed \"/etc/hostname\"",
                    "#line 3 \"/etc/x.cu\"", "#line 7", "# 3 \"/etc/x.cu\"",
                    "#if __has_include(\"/etc/hostname\")\n#endif", "#include \"~/x\"", "#include \"a\\b\"",
                    "#include \"/proc/self/environ\"", "%: /**/ include \"/etc/hostname\"",
                    "# include\"/etc/hostname\"", "#\tinclude\v\f\"/etc/hostname\""));

TEST(SourceRules, ANulCharacterIsRefused) {
  EXPECT_THAT(scan_source(std::string_view("int x;\0#include \"/etc/x\"", 8)).refused, testing::SizeIs(1));
}

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
