#include "harness/compile/sass_listing.hpp"

#include <gtest/gtest.h>

namespace kgen::compile {
namespace {

using core::Metrics;

/// As nvdisasm lays out a cubin of two kernels: sections of data among those of code.
constexpr std::string_view kNvdisasm =
    R"(	.headerflags	@"EF_CUDA_TEXMODE_UNIFIED EF_CUDA_64BIT_ADDRESS EF_CUDA_ACCELERATORS EF_CUDA_SM90"
	.elftype	@"ET_EXEC"

//--------------------- .nv.info._Z4copyPfS_      --------------------------
	.section	.nv.info._Z4copyPfS_,"",@"SHT_CUDA_INFO"
        /*0000*/ 	.byte	0x04, 0x17
        /*0002*/ 	.short	(.L_3 - .L_2)

//--------------------- .text._Z4copyPfS_         --------------------------
	.section	.text._Z4copyPfS_,"ax",@progbits
	.align	128
        .global         _Z4copyPfS_
        .type           _Z4copyPfS_,@function
_Z4copyPfS_:
.text._Z4copyPfS_:
        /*0000*/                   LDC R1, c[0x0][0x28] ;
        /*0010*/                   S2R R0, SR_TID.X ;
        /*0020*/                   ULDC.64 UR4, c[0x0][0x208] ;
        /*0030*/                   LDG.E.128.CONSTANT R4, desc[UR4][R2.64] ;
        /*0040*/              @!P0 LDG.E R8, desc[UR4][R2.64+0x10] ;
        /*0050*/                   LDG.E.U16 R9, desc[UR4][R2.64+0x14] ;
        /*0060*/                   STG.E.128 desc[UR4][R6.64], R4 ;
        /*0070*/                   EXIT ;
.L_x_0:
        /*0080*/                   BRA `(.L_x_0);
        /*0090*/                   NOP;
        /*00a0*/                   NOP;

//--------------------- .text.tile                --------------------------
	.section	.text.tile,"ax",@progbits
.text.tile:
        /*0000*/                   LDGSTS.E.BYPASS.LTC128B.128 [R5], desc[UR4][R2.64] ;
        /*0010*/                   BAR.SYNC.DEFER_BLOCKING 0x0 ;
        /*0020*/                   LDSM.16.M88.4 R8, [R5] ;
        /*0030*/                   HMMA.16816.F32.BF16 R8, R12, R16, R8 ;
        /*0040*/                   HGMMA.64x256x16.F32.BF16 R24, gdesc[UR8], R24, !UPT ;
        /*0050*/               @P1 STL.64 [R1+0x8], R4 ;
        /*0060*/                   LDL R4, [R1+0x8] ;
        /*0070*/                   LDS.U.128 R4, [R6] ;
        /*0080*/                   MUFU.EX2 R4, R4 ;
        /*0090*/              @UP0 ATOMG.E.ADD.STRONG.GPU PT, R4, desc[UR4][R2.64], R5 ;
        /*00a0*/                   REDG.E.ADD.F32.FTZ.RN.STRONG.GPU desc[UR4][R2.64], R5 ;
        /*00b0*/                   EXIT ;
)";

/// As `cuobjdump -sass` does: encodings behind each line and below it.
constexpr std::string_view kCuobjdump = R"(
Fatbin elf code:
================
arch = sm_90a
code version = [1,8]

	code for sm_90a
		Function : _Z4copyPfS_
	.headerflags	@"EF_CUDA_SM90"
        /*0000*/                   LDC R1, c[0x0][0x28] ;                /* 0x00000a00ff017b82 */
                                                                         /* 0x000fe20000000800 */
        /*0010*/              @!P0 LDG.E.64 R4, desc[UR4][R2.64] ;       /* 0x0000000402047981 */
                                                                         /* 0x000ea2000c1e9b00 */
        /*0020*/                   EXIT ;                                /* 0x000000000000794d */
                                                                         /* 0x000fea0003800000 */
        /*0030*/                   BRA 0x30;                             /* 0xfffffffc00fc7947 */
		..........
)";

TEST(SassListing, CountsKindsByFunctionWithTheirWidths) {
  const auto counts = count_instructions(kNvdisasm);
  ASSERT_EQ(counts.size(), 2u);
  EXPECT_EQ(counts.at("_Z4copyPfS_"), (Metrics{{"sass__inst", 9},
                                               {"sass__inst_LDG.128", 1},
                                               {"sass__inst_LDG.32", 1},
                                               {"sass__inst_LDG.16", 1},
                                               {"sass__inst_STG.128", 1}}));
  EXPECT_EQ(counts.at("tile"), (Metrics{{"sass__inst", 12},
                                        {"sass__inst_LDGSTS.128", 1},
                                        {"sass__inst_BAR", 1},
                                        {"sass__inst_LDSM", 1},
                                        {"sass__inst_HMMA", 1},
                                        {"sass__inst_HGMMA", 1},
                                        {"sass__inst_STL.64", 1},
                                        {"sass__inst_LDL.32", 1},
                                        {"sass__inst_LDS.128", 1},
                                        {"sass__inst_MUFU", 1},
                                        {"sass__inst_ATOMG", 1},
                                        {"sass__inst_REDG", 1}}));
}

TEST(SassListing, ReadsWhatCuobjdumpPrintsToo) {
  const auto counts = count_instructions(kCuobjdump);
  ASSERT_EQ(counts.size(), 1u);
  EXPECT_EQ(counts.at("_Z4copyPfS_"), (Metrics{{"sass__inst", 4}, {"sass__inst_LDG.64", 1}}));
}

TEST(SassListing, Knows256BitLoadsOfBlackwell) {
  const auto counts = count_instructions(
      "Function : k\n/*0000*/ LDG.E.ENL2.256 R8, R4, desc[UR4][R2.64] ;\n"
      "/*0010*/ STG.E.ENL2.256 desc[UR4][R2.64], R8, R4 ;\n");
  EXPECT_EQ(counts.at("k"),
            (Metrics{{"sass__inst", 2}, {"sass__inst_LDG.256", 1}, {"sass__inst_STG.256", 1}}));
}

TEST(SassListing, PassesOverWhatIsNoInstruction) {
  EXPECT_TRUE(count_instructions("").empty());
  EXPECT_TRUE(count_instructions("/*0000*/ LDG.E R4, [R2] ;\n").empty());  // of no function
  for (const char* line :
       {"/**/ LDG.E R4 ;", "/*00g0*/ LDG.E R4 ;", "/*0010 LDG.E R4 ;", "/*0010*/", "/*0010*/ @P0",
        "/*0010*/ .word 0x4", "/*0010*/ ldg.e r4 ;", "LDG.E R4 ;", "/* 0x000fe2 */"}) {
    EXPECT_TRUE(count_instructions("Function : k\n" + std::string(line) + "\n").empty()) << line;
  }
}

TEST(SassListing, HoldsForAnyBytes) {
  std::string bytes;
  for (int i = 0; i < 4096; ++i) bytes += static_cast<char>(i * 167 + i / 13);
  EXPECT_TRUE(count_instructions(bytes).empty());
  const auto counts =
      count_instructions("Function : \xff\x01\n/*0*/ LDG.\xff.999999999999999999999 R4\n" + bytes);
  EXPECT_EQ(counts.at("\xff\x01").at("sass__inst_LDG.32"), 1);
}

}  // namespace
}  // namespace kgen::compile
