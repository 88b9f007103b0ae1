#include "harness/compile/source_scan.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <string>

#include "util/file.hpp"

namespace kgen::compile {
namespace {

using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

std::string first_reason(std::string_view source) {
  const SourceScan scan = scan_source(source);
  return scan.refused.empty() ? "" : scan.refused[0].message;
}

TEST(SourceScan, OrdinaryIncludesAreListedWithTheirLines) {
  const SourceScan scan =
      scan_source("// x\n#include <cuda_fp16.h>\n  #  include \"mma.h\" // tensor cores\nint x;\n");
  EXPECT_THAT(scan.refused, IsEmpty());
  ASSERT_EQ(scan.includes.size(), 2u);
  EXPECT_EQ(scan.includes[0].name, "cuda_fp16.h");
  EXPECT_EQ(scan.includes[0].line, 2);
  EXPECT_EQ(scan.includes[1].name, "mma.h");
  EXPECT_EQ(scan.includes[1].line, 3);
}

class HonestText : public testing::TestWithParam<const char*> {};

TEST_P(HonestText, IsNotRefused) {
  EXPECT_EQ(first_reason(GetParam()), "") << GetParam();
}

INSTANTIATE_TEST_SUITE_P(
    SourceScan, HonestText,
    testing::Values(
        "#define S(x) #x\n#define CAT(a, b) a##b\n#pragma unroll\n", "#if __has_include(<mma.h>)\n#endif\n",
        "const char* s = \"# 1 x\"; int line = 3; /* # lines */\n#error no line\n#ifdef embed\n#endif\n",
        "#ifdef __has_include\n#endif\n",
        "#if defined(__has_include) && __has_include ( \"cuda_fp8.h\" )\n#endif\n",
        "#if !defined __has_include\n#endif\n", "#define LOOP(i) \\\n  for (;;) \\\n    f(i)\n",
        "#define LOOP(i) \\\r\n  f(i)\r\n#include <mma.h>\r\n", "int y = a ? b : c; // why?? because\n",
        "// hit rate 90%: good; see #3 and # 4\n/* # Design\n## Plan\n*/\n",
        "const char* s = \"\\u00e9\\n\"; // caf\xC3\xA9, \xE9\n",
        "// import numpy as np\nint important, imported; auto [_, b] = f();\n",
        "asm volatile(\"{.reg .pred p; mov.b32 %0, %%laneid;}\" : \"=r\"(x)); // \\ drawn\n",
        "#include <mma.h> /* tensor\n cores */\n", "\tint x;\n#\n# pragma once\n",
        "/* { \"must_not_leak\": [\"\\\\u001b\"] } */\n",
        "#include <cuda/std/__type_traits/enable_if.h>\n#if defined(X) && X(3) == 1 //\n#endif"));

TEST(SourceScan, ReasonsSayWhatToDo) {
  EXPECT_THAT(first_reason("#include /* */ <mma.h>"), HasSubstr("comments are not accepted there"));
  EXPECT_THAT(first_reason("#include NAME"), HasSubstr("macros are not accepted there"));
  EXPECT_THAT(first_reason("// see #include for details"),
              HasSubstr("comments and strings are read as code is"));
  EXPECT_THAT(first_reason("#include \\\n<mma.h>"), HasSubstr("on one line"));
  EXPECT_THAT(first_reason("int a; // what\?\?!"), HasSubstr("trigraph \?\?!"));
  EXPECT_THAT(first_reason("#define A \\ \n 1"), HasSubstr("remove the blanks"));
  EXPECT_THAT(first_reason("#include <thrust/sort.h>"), HasSubstr("cub's"));
  const SourceScan scan = scan_source("int a;\n\f\nint b;\n#line 3\n");
  ASSERT_THAT(scan.refused, SizeIs(2));
  EXPECT_EQ(scan.refused[0].line, 2);
  EXPECT_THAT(scan.refused[0].message, HasSubstr("0x0C"));
  EXPECT_EQ(scan.refused[1].line, 4);
}

TEST(SourceScan, ReasonsAreFewHoweverManyThereAre) {
  EXPECT_THAT(scan_source(std::string(100'000, '\f')).refused, SizeIs(50));
  std::string many;
  for (int i = 0; i < 1000; ++i) many += "#include X\n";
  EXPECT_THAT(scan_source(many).refused, SizeIs(50));
}

TEST(SourceScan, NoControlCharacterIsAccepted) {
  for (int c = 0; c < 0x20; ++c) {
    const std::string text = std::string("int a;") + static_cast<char>(c) + "int b;\n";
    EXPECT_EQ(first_reason(text).empty(), c == '\n' || c == '\t') << c;
  }
  EXPECT_THAT(first_reason("\x7F"), HasSubstr("0x7F"));
  EXPECT_EQ(first_reason("int a;\r\nint b;\r\n"), "");
  EXPECT_THAT(first_reason("int a;\r\r\nint b;"), HasSubstr("carriage return"));
}

class RefusedSpelling : public testing::TestWithParam<const char*> {};

TEST_P(RefusedSpelling, IsRefused) {
  const SourceScan scan = scan_source(GetParam());
  EXPECT_THAT(scan.refused, Not(IsEmpty())) << GetParam();
  EXPECT_THAT(scan.refused, Each(testing::Field(&core::Diagnostic::line, testing::Gt(0))));
}

INSTANTIATE_TEST_SUITE_P(
    Plain, RefusedSpelling,
    testing::Values("#include \"/etc/hostname\"", "#include </etc/hostname>",
                    "#include \"../../etc/hostname\"", "#include <cuda/../../../etc/hostname>",
                    "#include STR(/etc/hostname)", "#define F \"/etc/hostname\"\n#include F",
                    "#include_next <stdint.h>", "#import \"/etc/hostname\"", "#embed \"/etc/hostname\"",
                    "#using </etc/hostname>", "#line 3 \"/etc/x.cu\"", "#line 7", "#line /* */ 7",
                    "# 3 \"/etc/x.cu\"", "#3\"/etc/x.cu\"", "# 3 /* */ \"/etc/x.cu\"", "#include \"~/x\"",
                    "#include \"a\\b\"", "#include \"/proc/self/environ\"", "# include\"/etc/hostname\"",
                    "#include \"//etc/hostname\"", "#include <.//etc/hostname>", "#include <./cub/cub.cuh>",
                    "#include <cub//cub.cuh>", "#include <cccl/cub/cub.cuh>", "#include <thrust/unique.h>",
                    "#include <cub/device/device_reduce.cuh>", "#include <x/thrust/unique.h>",
                    "#include \"\"", "#include \"mma.h", "#include <mma.h\n>", "#include u8\"/etc/hostname\"",
                    "#include R\"(/etc/hostname)\"", "#include __FILE__"));

// Where the compiler and a reader could see different tokens. \?\? keeps g++ from seeing a trigraph.
INSTANTIATE_TEST_SUITE_P(
    Tokens, RefusedSpelling,
    testing::Values("#inc\\\nlude \"/etc/hostname\"", "#include \\\n\"/etc/hostname\"",
                    "#inc\\  \t\nlude \"/etc/hostname\"", "#inc\\\r\nlude \"/etc/hostname\"",
                    "#\\\ninclude <mma.h\\\n>", "%:include \"/etc/hostname\"",
                    "%\\\n:include \"/etc/hostname\"", "\?\?=include \"/etc/hostname\"",
                    "#inc\?\?/\nlude \"/etc/hostname\"", "# /* a \n b */ include /* c */ \"/etc/hostname\"",
                    "/* */ #include \"/etc/hostname\"", "/* open\n*/ #include \"/etc/hostname\"",
                    "R\"(\n)\"\n#include \"/etc/hostname\"", "\"/*\"\n#include \"/etc/hostname\"\n/* */",
                    "%: /**/ include \"/etc/hostname\"", "#\tinclude\v\f\"/etc/hostname\"",
                    "\v#include \"/etc/hostname\"", "int a;\r#include \"/etc/hostname\"\r",
                    "#include /* *\?\?/\n/ <cuda_fp16.h> /* */ </etc/hostname>",
                    "#include /* *\\ \n/ <cuda_fp16.h> /* */ </etc/hostname>",
                    "#include /* *\\\t\n/ <cuda_fp16.h> /* */ </etc/hostname>",
                    "#include /* *\\\v\n/ <cuda_fp16.h> /* */ </etc/hostname>",
                    "#include /* *\\\f\n/ <cuda_fp16.h> /* */ </etc/hostname>",
                    "#include /* *\\\r\n/ <cuda_fp16.h> /* */ </etc/hostname>",
                    "#include /* *\\\r\r\n/ <cuda_fp16.h> /* */ </etc/hostname>",
                    "#include /* *\\\n/ <cuda_fp16.h> /* */ </etc/hostname>",
                    "#include /* *\\ \r\n/ <cuda_fp16.h> /* */ </etc/hostname>",
                    "#include /* \xE9*/ <cuda_fp16.h> /* */ </etc/hostname>", "#include/**/<cuda_fp16.h>",
                    "#include // <cuda_fp16.h>\n", "#incl\\u0075de <mma.h>", "#\\U00000069nclude <mma.h>",
                    "#\\u{69}nclude <mma.h>", "#\\N{LATIN SMALL LETTER I}nclude <mma.h>",
                    "char c = '\\\\'; int \\u0069;", "a \\\\ \nb", "\xEF\xBB\xBF#include \"/etc/hostname\"",
                    "#include\xC2\xA0\"/etc/hostname\""));

INSTANTIATE_TEST_SUITE_P(
    HasInclude, RefusedSpelling,
    testing::Values("#if __has_include(\"/etc/hostname\")\n#endif",
                    "#if __has_embed(\"/etc/hostname\")\n#endif", "int x = __has_include\n(</etc/hostname>);",
                    "#if __has_include(F)\n#endif", "#if __has_include(<mma.h> </etc/hostname>)\n#endif",
                    "#if __has_include /**/ (<mma.h>)\n#endif",
                    "#if __has_include_next(</etc/hostname>)\n#endif",
                    "#define H __has_include\n#if H(</etc/hostname>)\n#endif",
                    "#define P(a, b) a##b\n#if P(__has_, include)(</etc/hostname>)\n#endif",
                    "#define P(a, b) a%:%:b\n#if P(_, _has_include)(</etc/hostname>)\n#endif",
                    "#define P(a, b, c) a##b##c\n#if P(_, _has_, include)(</etc/hostname>)\n#endif",
                    "#if _CCCL_PP_CAT(__has_, include)(</etc/hostname>)\n#endif",
                    "#if _CCCL_HAS_INCLUDE(</etc/hostname>)\n#endif",
                    "#define mydefined(x) x\n#if mydefined(__has_include)(</etc/hostname>)\n#endif",
                    "#define ifdef(x) x\n#if ifdef(__has_include)(</etc/hostname>)\n#endif",
                    "#define ifdef\n#if ifdef __has_include (</etc/hostname>)\n#endif",
                    "#if __has_\\u0069nclude(</etc/hostname>)\n#endif",
                    "#if __has_inc\\\nlude(</etc/hostname>)\n#endif",
                    "#if __has_include(<mma.h\\\n>)\n#endif"));

INSTANTIATE_TEST_SUITE_P(Modules, RefusedSpelling,
                         testing::Values("import </etc/hostname>;", "import \"/etc/hostname\";",
                                         "/* */ import /* */ </etc/hostname>;",
                                         "export import </etc/hostname>;",
                                         "#define X </etc/hostname>\nimport X;",
                                         "imp\\\nort </etc/hostname>;", "int a;\n\timport foo;"));

INSTANTIATE_TEST_SUITE_P(TimesOfCompiling, RefusedSpelling,
                         testing::Values("const char* when = __DATE__;", "#if __TIME__[0]\n#endif",
                                         "__TIMESTAMP__", "__DA\\\nTE__",
                                         "#define P(a, b) a##b\nconst char* t = P(__TI, ME__);"));

TEST(SourceScan, OnlyKernelsThatReachForFilesOrTheDateAreRefusedInTheWholeTree) {
  int files = 0;
  for (const char* folder : {"/reference_ops", "/tests/adversarial/kernels"}) {
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(std::string(KGEN_SOURCE_DIR) + folder)) {
      if (entry.path().extension() != ".cu") continue;
      const std::string name = entry.path().stem().string();
      const bool reaches = name.starts_with("include_") || name.starts_with("exists_") ||
                           name == "embed_file" || name == "line_directive" || name == "probe_for_files" ||
                           name == "hangs_on_the_date";
      EXPECT_EQ(first_reason(util::read_file(entry.path()).value()).empty(), !reaches) << entry.path();
      ++files;
    }
  }
  EXPECT_GE(files, 150);
}

TEST(SourceScan, ANulCharacterIsRefusedAndWhatFollowsIsSeen) {
  using std::string_view_literals::operator""sv;
  EXPECT_THAT(scan_source("int x;\0#include \"/etc/x\""sv).refused, SizeIs(2));
}

}  // namespace
}  // namespace kgen::compile
