#include "harness/emulator/ptx_parser.hpp"

#include <gtest/gtest.h>

#include "harness/emulator/decode.hpp"

namespace kgen::emulator::ptx {
namespace {

constexpr const char* kHeader = ".version 8.7\n.target sm_90a\n.address_size 64\n";
constexpr const char* kKernel = R"(
.global .align 4 .b8 table[8] = {1, 2, 255, 0xff, 0, 0, 0, 7};
.const .f32 scale[2] = {0f3F800000, 2.5};
.visible .entry k(
	.param .u64 k_param_0,
	.param .align 8 .b8 k_param_1[24]
)
.maxntid 128, 1, 1
{
	.reg .pred 	%p<2>;
	.reg .b32 	%r<4>;
	.reg .b64 	%rd<3>;
	.shared .align 16 .b8 tile[64];
	.loc	1 3 5
	ld.param.u64 	%rd1, [k_param_0];
	.loc	2 112 73, function_name $L__info_string0, inlined_at 1 7 9
	ld.global.nc.v2.u32 	{%r1, %r2}, [%rd1+-8];
	.loc	2 608 5, function_name $L__info_string1, inlined_at 2 112 73
	{ .reg .b32 %r<2>; mov.b32 %r1, 5; st.shared.b32 [tile+4], %r1; }
	setp.lt.s32 	%p1, %r1, -7;
	@!%p1 bra 	$L__BB0_2;
	bra.uni $L__BB0_2;
$L__BB0_2:
	ret;
}
	.file	1 "kgen/candidate.cu"
	.file	2 "/usr/include/cuda_bf16.hpp"
)";

TEST(PtxParser, ReadsAKernelWithItsLines) {
  const auto module = parse_module(std::string(kHeader) + kKernel, "candidate.cu");
  ASSERT_TRUE(module) << module.error().text();
  EXPECT_EQ(module->target, "sm_90a");
  ASSERT_EQ(module->variables.size(), 2u);
  EXPECT_EQ(module->variables[0].values[2].bits, 255u);
  EXPECT_EQ(module->variables[1].values[1].bits, 0x40200000u);
  ASSERT_EQ(module->functions.size(), 1u);
  const Function& kernel = module->functions[0];
  EXPECT_EQ(kernel.parameters[1].bytes(), 24);
  EXPECT_EQ(kernel.most_threads[0], 128);
  ASSERT_EQ(kernel.code.size(), 8u);
  EXPECT_EQ(kernel.code[0].line, 3);
  EXPECT_EQ(kernel.code[1].line, 7);
  EXPECT_EQ(kernel.code[1].operands[0].parts.size(), 2u);
  EXPECT_EQ(static_cast<std::int64_t>(kernel.code[1].operands[1].bits), -8);
  EXPECT_EQ(kernel.code[2].line, 7) << "through two levels of headers";
  EXPECT_EQ(kernel.code[2].scope, 1);
  EXPECT_TRUE(kernel.code[5].guard_negated);
}

TEST(PtxParser, EveryTruncationIsAnErrorOrSmallerAndNeverACrash) {
  const std::string whole = std::string(kHeader) + kKernel;
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const auto module = parse_module(whole.substr(0, length), "candidate.cu");
    if (module) {
      (void)decode(*module, {{"table", 1}, {"scale", 2}});
    } else {
      EXPECT_NE(module.error().message.find("PTX line"), std::string::npos) << length;
    }
  }
}

TEST(PtxParser, DirectivesNeedNoSpaceBetweenThem) {
  const auto module = parse_module(
      std::string(kHeader) + ".entry k() { .reg.b16 h; .reg.b32 %r<2>; cvt.u32.u16 %r1, h; ret; }", "k");
  ASSERT_TRUE(module) << module.error().text();
  EXPECT_TRUE(decode(*module, {}));
}

TEST(PtxParser, TheWarpsSizeIsANumberWhereverOneMayStand) {
  const auto module = parse_module(std::string(kHeader) + R"(.global .b32 sizes[WARP_SZ] = {WARP_SZ};
.entry k() { .reg .b32 %r<2>; .reg .b64 %rd<1>;
mov.u32 %r0, WARP_SZ; add.s32 %r1, %r0, -WARP_SZ; st.global.v2.b32 [%rd0+WARP_SZ], {%r1, WARP_SZ}; ret; })",
                                   "k");
  ASSERT_TRUE(module) << module.error().text();
  EXPECT_EQ(module->variables[0].bytes(), 128);
  EXPECT_EQ(module->variables[0].values[0].bits, 32u);
  const auto& code = module->functions[0].code;
  EXPECT_EQ(code[0].operands[1].bits, 32u);
  EXPECT_EQ(static_cast<std::int64_t>(code[1].operands[2].bits), -32);
  EXPECT_EQ(code[2].operands[0].bits, 32u);
  const auto program = decode(*module, {{"sizes", 1}});
  ASSERT_TRUE(program) << program.error().text();
}

// A kernel may have an instruction that the emulator lacks and never come to it: the module is taken.
TEST(PtxParser, TakesTheLongestOperandsOfHopper) {
  std::string registers;
  for (int i = 0; i < 128; ++i) registers += (i == 0 ? "%f" : ", %f") + std::to_string(i);
  const auto module =
      parse_module(std::string(kHeader) + ".entry k() { .reg .f32 %f<128>; .reg .b64 %rd<2>;\n" +
                       "wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {" + registers +
                       "}, %rd0, %rd1, 1, 1, 1, 0, 0; ret; }",
                   "k");
  ASSERT_TRUE(module) << module.error().text();
  const auto program = decode(*module, {});
  ASSERT_TRUE(program) << program.error().text();
  ASSERT_FALSE(program->code.empty());
  EXPECT_EQ(program->code[0].flow, Flow::not_emulated);
}

TEST(PtxParser, NamesTheLineOfWhatIsNoPtx) {
  const auto error = [](const std::string& text) {
    return parse_module(kHeader + text, "k").error().message;
  };
  EXPECT_NE(error(".entry k()\n{ add.s32 %r1 %r2; }").find("PTX line 5"), std::string::npos);
  EXPECT_NE(error("\x01").find("unexpected character"), std::string::npos);
  EXPECT_NE(error(".global .b8 x[99999999999999999999];").find("PTX line 4"), std::string::npos);
  EXPECT_NE(error(".entry k() { ret;").find("the end of the text"), std::string::npos);
}

TEST(PtxDecoder, RefusesWhatHasNoMeaning) {
  const auto error = [](const std::string& body) {
    const auto module = parse_module(
        kHeader + std::string(".entry k() { .reg .b32 %r<3>; .reg .pred %p<2>;\n") + body + "}", "k");
    const auto program = decode(module.value(), {});
    return program ? std::string("accepted") : program.error().message;
  };
  EXPECT_NE(error("bra nowhere;").find("unknown label 'nowhere'"), std::string::npos);
  EXPECT_NE(error("mov.b32 %r7, 1;").find("register"), std::string::npos);
  EXPECT_NE(error("add.s32 %r1, %r2;").find("operand is missing"), std::string::npos);
  EXPECT_NE(error("@%r1 ret;").find("unknown predicate"), std::string::npos);
  EXPECT_NE(error("ld.global.u32 %r1, [nothing];").find("unknown variable"), std::string::npos);
  EXPECT_NE(error("add.f64 %p1, %r1, %r2;").find("another"), std::string::npos);
  EXPECT_EQ(error("tcgen05.fence::before_thread_sync;"), "accepted") << "it stops the lanes that reach it";
}

}  // namespace
}  // namespace kgen::emulator::ptx
