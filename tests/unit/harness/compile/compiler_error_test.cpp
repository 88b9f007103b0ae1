#include <gmock/gmock.h>

#include "real_compiler.hpp"

namespace kgen::compile {
namespace {

using testing::HasSubstr;

class CompilerErrorTest : public RealCompiler {};

TEST_F(CompilerErrorTest, NamesTheCandidatesOwnLine) {
  const CompileResult result = compile(
      "#include <cuda_fp16.h>\n\n__global__ void k(float* x) {\n  x[0] = undefined_name;\n}\n", {"k"});
  EXPECT_FALSE(result.ok);
  EXPECT_EQ(result.failure, CompileFailure::compile_error);
  ASSERT_EQ(result.diagnostics.size(), 1u) << result.log;
  EXPECT_EQ(result.diagnostics[0].line, 4);
  EXPECT_EQ(result.diagnostics[0].source_line, "  x[0] = undefined_name;");
  EXPECT_EQ(result.message, "line 4: identifier \"undefined_name\" is undefined");
}

TEST_F(CompilerErrorTest, AMissingKernelListsThoseThatExist) {
  const CompileResult result =
      compile("__global__ void one(float* x) {}\n__global__ void two(float* x) {}\n", {"three"});
  EXPECT_EQ(result.failure, CompileFailure::kernel_missing);
  EXPECT_THAT(result.message, HasSubstr("'three'"));
  EXPECT_THAT(result.message, HasSubstr("one, two"));
}

TEST_F(CompilerErrorTest, AnErrorInTheCandidateComesBeforeAMissingKernel) {
  const CompileResult result = compile("__global__ void k(float* x) { x = y; }\n", {"other"});
  EXPECT_EQ(result.failure, CompileFailure::compile_error);
  EXPECT_THAT(result.message, HasSubstr("\"y\""));
}

TEST_F(CompilerErrorTest, ADeviceFunctionIsNoKernel) {
  const CompileResult result =
      compile("__device__ void helper(float* x) { x[0] = 1; }\n__global__ void k(float* x) { helper(x); }\n",
              {"helper"});
  EXPECT_EQ(result.failure, CompileFailure::kernel_missing);
  EXPECT_THAT(result.message, HasSubstr("no __global__ function"));
}

TEST_F(CompilerErrorTest, OverloadedKernelsAndTemplatesWithoutArgumentsAreExplained) {
  const CompileResult overloaded =
      compile("__global__ void k(float* x) {}\n__global__ void k(int* x) {}\n", {"k"});
  EXPECT_EQ(overloaded.failure, CompileFailure::kernel_ambiguous);
  EXPECT_THAT(overloaded.message, HasSubstr("overloaded"));
  const CompileResult bare = compile("template <int N> __global__ void k(float* x) {}\n", {"k"});
  EXPECT_EQ(bare.failure, CompileFailure::kernel_ambiguous);
  EXPECT_THAT(bare.message, HasSubstr("k<128>"));
}

TEST_F(CompilerErrorTest, AnErrorInInlinePtxNamesTheLine) {
  const CompileResult result = compile(
      "__global__ void k(float* x) {\n  float y;\n  asm volatile(\"bogus.f32 %0, %1;\" : \"=f\"(y) : "
      "\"f\"(x[0]));\n  x[1] = y;\n}\n",
      {"k"});
  EXPECT_FALSE(result.ok);
  ASSERT_FALSE(result.diagnostics.empty());
  EXPECT_EQ(result.diagnostics[0].line, 3) << result.log;
  EXPECT_THAT(result.diagnostics[0].message, HasSubstr("bogus.f32"));
}

TEST_F(CompilerErrorTest, AnErrorInsideAHeaderNamesTheLineThatLedThere) {
  const CompileResult result = compile(
      "#include <cuda/std/array>\n__global__ void k(float* x) {\n  cuda::std::array<float, 3> a{};\n"
      "  x[0] = cuda::std::get<5>(a);\n}\n",
      {"k"});
  EXPECT_FALSE(result.ok);
  ASSERT_FALSE(result.diagnostics.empty());
  EXPECT_EQ(result.diagnostics[0].line, 4) << result.log;
}

TEST_F(CompilerErrorTest, AHeaderThatDoesNotExistIsAnErrorAtItsLine) {
  const CompileResult result = compile("\n#include <cuda/nosuch>\n__global__ void k(float* x) {}\n", {"k"});
  EXPECT_EQ(result.failure, CompileFailure::compile_error);
  ASSERT_FALSE(result.diagnostics.empty());
  EXPECT_EQ(result.diagnostics[0].line, 2);
}

TEST_F(CompilerErrorTest, AnUnterminatedCommentOrConditionIsTheCandidatesError) {
  EXPECT_EQ(compile("__global__ void k(float* x) {}\n/* never closed", {"k"}).failure,
            CompileFailure::compile_error);
  EXPECT_EQ(compile("#if 0\n__global__ void k(float* x) {}\n", {"k"}).failure, CompileFailure::compile_error);
  EXPECT_FALSE(compile("__global__ void k(float* x) {\n", {"k"}).ok);
  EXPECT_TRUE(compile("__global__ void k(float* x) {} // \\", {"k"}).ok);
}

TEST_F(CompilerErrorTest, AnUnknownArchitectureSaysSo) {
  CompileRequest request;
  request.source = "__global__ void k() {}\n";
  request.kernels = {"k"};
  request.arch = "sm_12345";
  const CompileResult result = compiler_->compile(request);
  EXPECT_EQ(result.failure, CompileFailure::unsupported_arch);
  EXPECT_THAT(result.message, HasSubstr("sm_12345"));
}

TEST_F(CompilerErrorTest, AKernelNameCannotCarryCode) {
  const CompileResult result = compile("__global__ void k() {}\n", {"k); int x; (void)(&k"});
  EXPECT_EQ(result.failure, CompileFailure::kernel_missing);
}

TEST_F(CompilerErrorTest, ALogOfManyMegabytesIsCut) {
  std::string source;
  const std::string name(20000, 'n');
  for (int i = 0; i < 90; ++i)
    source += "int v" + std::to_string(i) + " = " + name + std::to_string(i) + ";\n";
  const CompileResult result = compile(source, {});
  EXPECT_FALSE(result.ok);
  EXPECT_LT(result.log.size(), 20000u);
  EXPECT_LE(result.diagnostics.size(), 50u);
  for (const core::Diagnostic& diagnostic : result.diagnostics) EXPECT_LE(diagnostic.message.size(), 3000u);
}

}  // namespace
}  // namespace kgen::compile
