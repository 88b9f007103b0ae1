#include "harness/compile/disassembler.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "real_compiler.hpp"

namespace kgen::compile {
namespace {

using testing::HasSubstr;

DisassemblerSetup fake_setup() {
  DisassemblerSetup setup{KGEN_FAKE_DISASSEMBLER, {KGEN_WORKER, "disassemble"}};
  setup.limit = std::chrono::milliseconds(20'000);
  return setup;
}

/// What stands in the way of the fake tool; empty: nothing.
std::string why_not(const std::string& cubin, const DisassemblerSetup& setup = fake_setup()) {
  const auto counted = count_machine_code(setup, cubin);
  return counted ? "" : counted.error().message;
}

#define SKIP_WITHOUT_SANDBOX()                                           \
  if (why_not("listing").find("without a sandbox") != std::string::npos) \
  GTEST_SKIP() << "this kernel does not enforce a layer: " << why_not("listing")

TEST(Disassembler, CountsWhatTheToolLists) {
  SKIP_WITHOUT_SANDBOX();
  const auto counted = count_machine_code(fake_setup(), "listing");
  ASSERT_TRUE(counted) << counted.error().text();
  EXPECT_EQ(counted->at("k"), (core::Metrics{{"sass__inst", 2}, {"sass__inst_LDG.128", 1}}));
}

TEST(Disassembler, TheToolHasNoRightBeyondItsTask) {
  SKIP_WITHOUT_SANDBOX();
  EXPECT_THAT(why_not("rights"), HasSubstr("exit code 3: rights: none"));
}

TEST(Disassembler, AToolThatDoesNotEndIsEnded) {
  SKIP_WITHOUT_SANDBOX();
  DisassemblerSetup setup = fake_setup();
  setup.limit = std::chrono::milliseconds(300);
  EXPECT_EQ(why_not("asleep", setup), "nvdisasm: no end after 300 ms");
}

TEST(Disassembler, AListingWithoutEndIsCut) {
  SKIP_WITHOUT_SANDBOX();
  DisassemblerSetup setup = fake_setup();
  setup.most_bytes = std::size_t{1} << 20;
  setup.limit = std::chrono::milliseconds(1500);
  EXPECT_FALSE(count_machine_code(setup, "endless"));
}

TEST(Disassembler, AToolThatTakesAllMemoryGetsFourGibibytes) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "AddressSanitizer reserves terabytes: memory is not limited";
#endif
  SKIP_WITHOUT_SANDBOX();
  EXPECT_THAT(why_not("greedy"), HasSubstr("exit code 4: out of memory"));
}

TEST(Disassembler, SaysWhatIsMissing) {
  DisassemblerSetup setup = fake_setup();
  setup.tool = "";
  const auto none = count_machine_code(setup, "listing");
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().message, HasSubstr("nvdisasm was not found"));
  EXPECT_THAT(none.error().hint, HasSubstr("cuda-nvdisasm"));
  setup.tool = "/nowhere/nvdisasm";
  EXPECT_THAT(why_not("listing", setup), HasSubstr("there is no tool"));
}

class RealDisassembler : public RealCompiler {};

/// The tool itself, where it is installed: it must list what ptxas wrote.
TEST_F(RealDisassembler, ListsAKernelsOwnInstructions) {
  DisassemblerSetup setup = fake_setup();
  setup.tool = find_disassembler();
  if (setup.tool.empty()) GTEST_SKIP() << "nvdisasm is not installed";
  const CompileResult compiled = compile(
      "extern \"C\" __global__ void copy(const float4* x, float4* y, float* z) {\n"
      "  __shared__ float s[32];\n"
      "  y[threadIdx.x] = x[threadIdx.x];\n"
      "  s[threadIdx.x % 32] = x[0].x; __syncthreads();\n"
      "  atomicAdd(z, __expf(s[threadIdx.x % 31])); }\n",
      {"copy"});
  ASSERT_TRUE(compiled.ok) << compiled.message;
  const auto counted = count_machine_code(setup, compiled.cubin);
  ASSERT_TRUE(counted) << counted.error().text();
  const core::Metrics& copy = counted->at("copy");
  for (const char* kind : {"LDG.128", "STG.128", "STS.32", "LDS.32", "BAR", "MUFU"})
    EXPECT_GE(core::metric(copy, core::metric_name(core::metrics::kSass, kind, "")), 1) << kind;
  EXPECT_GT(core::metric(copy, core::metrics::kSassAll), 10);
  EXPECT_THAT(why_not("this is no cubin", setup), HasSubstr("nvdisasm: it ended with"));
}

}  // namespace
}  // namespace kgen::compile
