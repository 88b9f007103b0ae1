#include <gmock/gmock.h>

#include "real_compiler.hpp"

namespace kgen::compile {
namespace {

using core::ParameterType;
using Kind = ParameterType::Kind;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class CompilerTest : public RealCompiler {};

std::string texts(const std::vector<ParameterType>& parameters) {
  std::string all;
  for (const ParameterType& p : parameters) all += p.text + " " + std::to_string(p.bytes) + ";";
  return all;
}

TEST_F(CompilerTest, APlainKernelGivesCubinAndFacts) {
  CompileRequest request;
  request.source =
      "extern \"C\" __global__ __launch_bounds__(256, 2) void k(const float* x, float* y, int n) {\n"
      "  __shared__ float s[64]; s[threadIdx.x % 64] = x[n]; __syncthreads(); y[n] = s[n % 64]; }\n";
  request.kernels = {"k"};
  request.want_ptx = true;
  const CompileResult result = compiler_->compile(request);
  ASSERT_TRUE(result.ok) << result.message << result.log;
  EXPECT_EQ(result.cubin.substr(1, 3), "ELF");
  EXPECT_THAT(result.ptx, HasSubstr(".entry k("));
  ASSERT_EQ(result.kernels.size(), 1u);
  const CompiledKernel& k = result.kernels[0];
  EXPECT_EQ(k.lowered_name, "k");
  EXPECT_GT(k.registers, 4);
  EXPECT_EQ(k.static_shared_bytes, 256);
  EXPECT_EQ(k.barriers, 1);
  EXPECT_EQ(k.spill_store_bytes, 0);
  EXPECT_EQ(k.max_threads, 256);
  EXPECT_EQ(k.min_blocks, 2);
  EXPECT_EQ(result.log, "");
}

TEST_F(CompilerTest, ParameterTypesOfATemplateAreKnown) {
  const CompileResult result = compile(
      "struct Pair { int a, b; };\nenum class Mode : unsigned short { x };\n"
      "template <bool B, class T> __global__ void gemm(const T* __restrict__ a, float* b, void* v, const "
      "long long n, unsigned m,\n"
      "  bool flag, float alpha, double beta, __half h, Pair pair, Mode mode, signed char c, const "
      "__nv_bfloat16* z, uint64_t u,\n"
      "  float4* f4, const float* const* pp) {}\n",
      {"gemm<(2 > 1), float>"});
  ASSERT_TRUE(result.ok) << result.message << result.log;
  const std::vector<ParameterType>& p = result.kernels.at(0).parameters;
  ASSERT_EQ(p.size(), 16u) << texts(p);
  EXPECT_EQ(p[0].kind, Kind::pointer);
  EXPECT_EQ(p[0].pointee, "f32");
  EXPECT_TRUE(p[0].pointee_const);
  EXPECT_EQ(p[0].text, "const float*");
  EXPECT_FALSE(p[1].pointee_const);
  EXPECT_EQ(p[2].pointee, "void");
  EXPECT_EQ(p[3].kind, Kind::integer);
  EXPECT_TRUE(p[3].is_signed);
  EXPECT_EQ(p[3].bytes, 8u);
  EXPECT_FALSE(p[4].is_signed);
  EXPECT_EQ(p[5].bytes, 1u);
  EXPECT_EQ(p[6].kind, Kind::floating);
  EXPECT_EQ(p[7].bytes, 8u);
  EXPECT_EQ(p[8].kind, Kind::floating);
  EXPECT_EQ(p[9].kind, Kind::other);
  EXPECT_EQ(p[9].bytes, 8u);
  EXPECT_EQ(p[10].kind, Kind::integer);
  EXPECT_EQ(p[10].bytes, 2u);
  EXPECT_FALSE(p[10].is_signed);
  EXPECT_TRUE(p[11].is_signed);
  EXPECT_EQ(p[12].pointee, "bf16");
  EXPECT_FALSE(p[13].is_signed);
  EXPECT_EQ(p[14].pointee, "float4");
  EXPECT_EQ(p[15].kind, Kind::pointer);
}

TEST_F(CompilerTest, TensorMapsAreParametersOf128Bytes) {
  const CompileResult result = compile(
      "#include <cuda.h>\nextern \"C\" __global__ void k(const __grid_constant__ CUtensorMap map, float* y) "
      "{\n"
      "  y[0] = (float)(reinterpret_cast<unsigned long long>(&map) & 127); }\n",
      {"k"});
  ASSERT_TRUE(result.ok) << result.message << result.log;
  EXPECT_EQ(result.kernels[0].parameters.at(0).kind, Kind::tensor_map);
  EXPECT_EQ(result.kernels[0].parameters.at(0).bytes, 128u);
}

TEST_F(CompilerTest, MacrosAndTypesOfTensorsStandBeforeTheCandidate) {
  CompileRequest request;
  request.source =
      "__global__ void k(const x_t* x, y_t* y) {\n  static_assert(BM == 128 && OFFSET == -5, \"\");\n"
      "  y[0] = y_t(float(x[0])); }\n#define KERNEL k\n";
  request.macros = {{"BM", 128}, {"OFFSET", -5}};
  request.type_aliases = {{"x", "bf16"}, {"y", "f8e4m3"}};
  request.kernels = {"KERNEL"};
  const CompileResult result = compiler_->compile(request);
  ASSERT_TRUE(result.ok) << result.message << result.log;
  EXPECT_EQ(result.kernels[0].parameters.at(0).pointee, "bf16");
  EXPECT_EQ(result.kernels[0].parameters.at(1).pointee, "f8e4m3");
}

TEST_F(CompilerTest, KernelsInNamespacesAndStaticOnesAreFound) {
  const CompileResult result = compile(
      "namespace n { __global__ void a(float* x) { x[0] = 1; } }\nstatic __global__ void b(int n, int* x) { "
      "x[n] = 1; }\n"
      "namespace { __global__ void c(int* x) { x[0] = 2; } }\n",
      {"n::a", "b", "c"});
  ASSERT_TRUE(result.ok) << result.message << result.log;
  EXPECT_EQ(result.kernels.size(), 3u);
}

TEST_F(CompilerTest, ClusterAndLaunchBoundsAreKnown) {
  const CompileResult result = compile(
      "__global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(384, 1) k(float* x) { x[0] = 1; }\n",
      {"k"});
  ASSERT_TRUE(result.ok) << result.message << result.log;
  EXPECT_THAT(result.kernels[0].cluster, ElementsAre(2, 1, 1));
  EXPECT_EQ(result.kernels[0].max_threads, 384);
}

TEST_F(CompilerTest, SpillsAreCounted) {
  CompileRequest request;
  request.source =
      "__global__ void k(const float* x, float* y) { float a[100];\n#pragma unroll\n"
      "for (int i = 0; i < 100; ++i) a[i] = x[i * 32 + threadIdx.x]; __syncthreads();\n#pragma unroll\n"
      "for (int i = 0; i < 100; ++i) y[i * 32 + threadIdx.x] = a[99 - i] * a[i]; }\n";
  request.kernels = {"k"};
  request.max_registers = 32;
  const CompileResult result = compiler_->compile(request);
  ASSERT_TRUE(result.ok) << result.message << result.log;
  EXPECT_GT(result.kernels[0].spill_store_bytes, 0);
  EXPECT_GT(result.kernels[0].spill_load_bytes, 0);
  EXPECT_LE(result.kernels[0].registers, 32);
}

TEST_F(CompilerTest, AnIgnoredSetmaxnregIsAPerformanceWarning) {
  const CompileResult result = compile(
      "__global__ void k(float* x) { asm volatile(\"setmaxnreg.inc.sync.aligned.u32 232;\"); x[0] = 1; }\n",
      {"k"});
  ASSERT_TRUE(result.ok) << result.message << result.log;
  EXPECT_THAT(result.performance_warnings, testing::Contains(HasSubstr("C7508")));
}

TEST_F(CompilerTest, PtxAloneCanBeAskedFor) {
  CompileRequest request;
  request.source = "__global__ void k(float* x) { x[0] = 1; }\n";
  request.kernels = {"k"};
  request.arch = "compute_90a";
  request.want_ptx = true;
  request.want_cubin = false;
  const CompileResult result = compiler_->compile(request);
  ASSERT_TRUE(result.ok) << result.message << result.log;
  EXPECT_EQ(result.cubin, "");
  EXPECT_THAT(result.ptx, HasSubstr(".target sm_90a"));
}

TEST_F(CompilerTest, WarningsOfAGoodKernelNameItsLines) {
  const CompileResult result = compile("\n\n__global__ void k(float* x) { int unused; x[0] = 1; }\n", {"k"});
  ASSERT_TRUE(result.ok);
  ASSERT_EQ(result.diagnostics.size(), 1u) << result.log;
  EXPECT_EQ(result.diagnostics[0].line, 3);
  EXPECT_EQ(result.diagnostics[0].severity, "warning");
}

TEST_F(CompilerTest, SourceThatIsNotUtf8IsNoTrouble) {
  const CompileResult good = compile("// caf\xE9\n__global__ void k(float* x) { x[0] = 1; }\n", {"k"});
  EXPECT_TRUE(good.ok) << good.message;
  const CompileResult bad = compile("__global__ void k(float* x) { x[0] = \xE9\xFF; }\n", {"k"});
  EXPECT_FALSE(bad.ok);
  EXPECT_THAT(bad.diagnostics.at(0).source_line, HasSubstr("x[0] = ??;"));
}

}  // namespace
}  // namespace kgen::compile
