#include "harness/compile/compile_pool.hpp"

#include <gmock/gmock.h>

#include <cstdio>
#include <string_view>

#include "harness/compile/compile_main.hpp"

namespace kgen::compile {
namespace {

using testing::HasSubstr;

CompileRequest plain_kernel(int n) {
  CompileRequest request;
  request.source = "__global__ void k(x_t* x) { x[0] = x_t(" + std::to_string(n) + "); }\n";
  request.type_aliases = {{"x", "bf16"}};
  request.kernels = {"k"};
  return request;
}

CompileRequest of_source(std::string source) {
  CompileRequest request;
  request.source = std::move(source);
  request.kernels = {"k"};
  return request;
}

/// A real pool whose processes are this program in the compile role.
class CompilePoolTest : public testing::Test {
 protected:
  static std::unique_ptr<CompilePool> start(int processes, std::chrono::milliseconds limit) {
    CompilePoolOptions options;
    options.process.command = {"/proc/self/exe", "compile"};
    options.processes = processes;
    options.time_limit = limit;
    auto pool = CompilePool::start(std::move(options));
    if (pool) return *std::move(pool);
    std::printf("skipped: %s\n", pool.error().text().c_str());
    return nullptr;
  }
};

#define NEED(pool) \
  if (!(pool)) GTEST_SKIP() << "no compile process on this machine"

TEST_F(CompilePoolTest, CompilesAllInOrder) {
  const auto pool = start(2, std::chrono::seconds(60));
  NEED(pool);
  std::vector<CompileRequest> requests;
  for (int i = 0; i < 12; ++i) requests.push_back(plain_kernel(i));
  requests[5].source = "__global__ void k(x_t* x) { y; }\n";
  const std::vector<CompileResult> results = pool->compile_all(requests);
  ASSERT_EQ(results.size(), 12u);
  for (std::size_t i = 0; i < results.size(); ++i) EXPECT_EQ(results[i].ok, i != 5) << results[i].message;
  EXPECT_THAT(results[5].message, HasSubstr("\"y\""));
  EXPECT_EQ(results[0].kernels.at(0).parameters.at(0).pointee, "bf16");
  EXPECT_EQ(results[0].cubin.substr(1, 3), "ELF");
}

TEST_F(CompilePoolTest, AnswersARepeatedRequestFromMemory) {
  const auto pool = start(1, std::chrono::seconds(60));
  NEED(pool);
  const CompileResult first = pool->compile(plain_kernel(1));
  const CompileResult second = pool->compile(plain_kernel(1));
  EXPECT_TRUE(first.ok) << first.message;
  EXPECT_FALSE(first.cached);
  EXPECT_TRUE(second.cached);
  EXPECT_EQ(first.cubin, second.cubin);
}

TEST_F(CompilePoolTest, ReportsVersionAndSandbox) {
  const auto pool = start(1, std::chrono::seconds(60));
  NEED(pool);
  EXPECT_FALSE(pool->facts().nvrtc_version.empty());
  std::printf("landlock: %s; seccomp: %s; rlimits: %s\n", pool->facts().sandbox.landlock.c_str(),
              pool->facts().sandbox.seccomp.c_str(), pool->facts().sandbox.rlimits.c_str());
  EXPECT_FALSE(pool->facts().sandbox.landlock.empty());
  EXPECT_EQ(pool->facts().sandbox.file_gate, "ok");
  EXPECT_EQ(pool->facts().sandbox.seccomp, "ok");
}

TEST_F(CompilePoolTest, ACompileThatDoesNotEndCostsOneProcess) {
  const auto pool = start(1, std::chrono::seconds(2));
  NEED(pool);
  const CompileResult endless =
      pool->compile(of_source("template <int N, int M> struct F { static const long v = F<N - 1, 2 * M>::v + "
                              "F<N - 1, 2 * M + 1>::v; };\n"
                              "template <int M> struct F<0, M> { static const long v = M; };\n"
                              "__global__ void k(long* x) { x[0] = F<28, 1>::v; }\n"));
  EXPECT_EQ(endless.failure, CompileFailure::timed_out) << endless.message << endless.log;
  EXPECT_THAT(endless.message, HasSubstr("2000 ms"));
  EXPECT_TRUE(pool->compile(plain_kernel(1)).ok);
}

TEST_F(CompilePoolTest, ACrashOfTheCompilerIsAFailedCompile) {
  const auto pool = start(1, std::chrono::seconds(60));
  NEED(pool);
  const std::string deep = std::string(1'000'000, '(') + "1" + std::string(1'000'000, ')');
  const CompileResult crashed =
      pool->compile(of_source("__global__ void k(int* x) { x[0] = " + deep + "; }\n"));
  EXPECT_FALSE(crashed.ok);
  std::printf("deep nesting: %s: %s\n", std::string(name_of(crashed.failure)).c_str(),
              crashed.message.c_str());
  EXPECT_TRUE(pool->compile(plain_kernel(2)).ok);
}

TEST_F(CompilePoolTest, EndlessTemplateRecursionIsAnErrorOfTheCandidate) {
  const auto pool = start(1, std::chrono::seconds(60));
  NEED(pool);
  const CompileResult result =
      pool->compile(of_source("template <int N> struct F { static const int v = F<N + 1>::v; };\n__global__ "
                              "void k(int* x) { x[0] = F<0>::v; }\n"));
  EXPECT_FALSE(result.ok);
  EXPECT_NE(result.failure, CompileFailure::unavailable) << result.message;
  EXPECT_LT(result.log.size(), 20000u);
  EXPECT_TRUE(pool->compile(plain_kernel(3)).ok);
}

TEST_F(CompilePoolTest, AMissingProgramIsAnErrorThatNamesIt) {
  CompilePoolOptions options;
  options.process.command = {"/nonexistent/kgen-worker", "compile"};
  const auto pool = CompilePool::start(std::move(options));
  ASSERT_FALSE(pool.has_value());
  EXPECT_THAT(pool.error().text(), HasSubstr("/nonexistent/kgen-worker"));
}

}  // namespace
}  // namespace kgen::compile

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "compile") return kgen::compile::compile_main(3);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
