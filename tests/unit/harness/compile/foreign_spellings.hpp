#pragma once

#include <string>
#include <vector>

namespace kgen::compile {

/// A text that tries to read, or ask about, a file outside the include folders. FILE stands for its path.
struct ForeignSpelling {
  enum class Shows { nothing, existence, content };
  const char* text;
  Shows unheld = Shows::content;  ///< what NVRTC 13.0 tells where nothing holds the text back
  const char* standard = "c++17";
  bool scan_refuses = true;
};

/// \?\? keeps g++ from seeing a trigraph. Each was tried with NVRTC 13.0; a test says what it tells.
inline std::vector<ForeignSpelling> foreign_spellings() {
  using enum ForeignSpelling::Shows;
  return {
      {"#include \"FILE\""},
      {"#include <FILE>"},
      {"#include \"../../../../../../../..FILE\""},
      {"#include <cuda/../../../../../../../../..FILE>"},
      {"#include <.//../../../../../../../../..FILE>"},
      {"#inc\\\nlude \"FILE\""},
      {"%:include \"FILE\""},
      {"%\\\n:include \"FILE\""},
      {"\?\?=include \"FILE\"", nothing},
      {"\?\?=include \"FILE\"", content, "c++14"},
      {"#inc\?\?/\nlude \"FILE\"", content, "c++14"},
      {"# /* \n */ include \"FILE\""},
      {"/* \n */ #include \"FILE\""},
      {"#include\f\"FILE\""},
      {"\v#include \"FILE\""},
      {"int a;\r#include \"FILE\"", nothing},
      {"\xEF\xBB\xBF#include \"FILE\"", nothing},
      {"#incl\\u0075de \"FILE\"", nothing},
      {"#include /* *\?\?/\n/ <cuda_fp16.h> /* */ <FILE>"},
      {"#include /* *\\ \n/ <cuda_fp16.h> /* */ <FILE>"},
      {"#include /* *\\\v\n/ <cuda_fp16.h> /* */ <FILE>"},
      {"#include /* *\\\f\n/ <cuda_fp16.h> /* */ <FILE>"},
      {"#include /* *\\\r\n/ <FILE>"},
      {"#include /* \xE9*/ <cuda_fp16.h> /* */ <FILE>", nothing},
      {"enum class E {\n#include /* *\\ \n/ <cuda_fp16.h> /* */ <FILE>\n};\ntemplate <auto V> struct Show;\n"
       "__global__ void show(int*) { Show<(E)0> s; }"},
      {"template <class T> struct Show;\nstruct\n#include \"FILE\"\n{};\nShow<sesame_open> s;", content},
      {"#define F \"FILE\"\n#include F"},
      {"#define I(x) <x>\n#include I(FILE)"},
      {"#define INC include\n#INC \"FILE\"", nothing, "c++17", false},
      {"#define thrust FILE>\n#include <thrust/system/detail/adl/unique.h>"},
      {"#define thrust FILE>\n#include <cccl/thrust/system/detail/adl/unique.h>"},
      {"#include_next \"FILE\""},
      {"#import \"FILE\"", nothing},
      {"#embed \"FILE\"", nothing},
      {"const unsigned char x[] = {\n#embed \"FILE\"\n};", nothing, "c++20"},
      {"#using \"FILE\"", nothing},
      {"#line 1 \"FILE\"\nint x = y;", nothing},
      {"# 1 \"FILE\"\nint x = y;", nothing},
      {"_Pragma(\"include(FILE)\")", nothing, "c++17", false},
      {"#pragma include \"FILE\"", nothing, "c++17", false},
      {"#pragma include_alias(\"mma.h\", \"FILE\")\n#include \"mma.h\"", nothing, "c++17", false},
      {"#pragma GCC dependency \"FILE\"", nothing, "c++17", false},
      {"__global__ void p() { asm volatile(\".include \\\"FILE\\\"\"); }", nothing, "c++17", false},
      {"__global__ void p() { asm volatile(\".file 7 \\\"FILE\\\"\\n.loc 7 1 1\\nfoo bar;\"); }", nothing,
       "c++17", false},
      {"#if __has_include(\"FILE\")\n#error foreign_exists\n#endif", existence},
      {"#define H __has_include\n#if H(<FILE>)\n#error foreign_exists\n#endif", existence},
      {"#define F <FILE>\n#if __has_include(F)\n#error foreign_exists\n#endif", existence},
      {"#define P(a, b) a##b\n#if P(__has_, include)(\"FILE\")\n#error foreign_exists\n#endif", existence},
      {"#include <cuda/std/array>\n#if _CCCL_HAS_INCLUDE(\"FILE\")\n#error foreign_exists\n#endif",
       existence},
      {"#include <cuda/std/array>\n#if _CCCL_PP_CAT(__has_, include)(\"FILE\")\n#error "
       "foreign_exists\n#endif",
       existence},
      {"#include <cuda/std/array>\n#if _CCCL_PP_CAT(__, _CCCL_PP_CAT(ha, s_include))(\"FILE\")\n#error "
       "foreign_exists\n#endif",
       existence, "c++17", false},
      {"import \"FILE\";", existence, "c++20"},
      {"import <FILE>;", existence, "c++20"},
      {"#define X \"FILE\"\n/* */ import X;", existence, "c++20"},
  };
}

}  // namespace kgen::compile
