// Reads that the compiler made in front of their guard: of bytes that nothing wrote, and thrown away or not.
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "emulated_kernels.hpp"

namespace kgen::emulator {
namespace {

using Kind = Diagnosis::Kind;

/// What NVRTC makes of a guarded read of `part[1]`, which one warp leaves unwritten.
class GuardedRead : public EmulatedKernels {
 protected:
  /// What stops it and what it writes where `part[1]` counts from more than so many warps on.
  std::pair<std::optional<Diagnosis>, float> run_if_more_than(const std::string& warps,
                                                              const std::string& type) {
    load("extern \"C\" __global__ void kernel(const float* x, float* y) {\n__shared__ " + type +
         " part[2];\nconst " + type + R"( own = x[threadIdx.x];
if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = own;
__syncthreads();
)" + type +
         R"( sum = part[0];
if (blockDim.x > 32 * )" +
         warps + R"() sum += part[1];
y[threadIdx.x] = sum;
})");
    if (!module_) return {};
    const U64 x = upload("x", std::vector<float>(64, 1.0f)), y = allocate<float>("y", 64);
    const auto stopped = launch(1, 32, x, y);
    return {stopped, download<float>(y).front()};
  }
};

TEST_F(GuardedRead, IsNoneInFrontOfItsCondition) {
  for (const char* const type : {"float", "double", "int", "unsigned long long", "unsigned char"}) {
    const auto [stopped, sum] = run_if_more_than("1", type);
    EXPECT_FALSE(stopped) << type << ": " << stopped->message;
    EXPECT_EQ(sum, 1.0f) << type;
  }
}

TEST_F(GuardedRead, IsFoundWhereTheConditionHolds) {
  for (const char* const type : {"float", "double", "int", "unsigned long long", "unsigned char"}) {
    const auto [stopped, sum] = run_if_more_than("0", type);
    ASSERT_TRUE(stopped) << type;
    EXPECT_EQ(stopped->kind, Kind::uninitialised_read) << type;
    EXPECT_EQ(stopped->line, 7) << type << ": " << stopped->message;
    EXPECT_NE(stopped->message.find("of `kernel::part` at byte "), std::string::npos) << stopped->message;
  }
}

constexpr const char* kLoad = "ld.shared.u32 %r5, [part+4];";

/// NVRTC reads four neighbours at once where it can.
class GuardedVector : public EmulatedKernels {
 protected:
  std::optional<Diagnosis> run_with(const std::string& guard, int warps) {
    load(R"(extern "C" __global__ void kernel(const float* x, float* y) {
__shared__ __align__(16) float part[4];
if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = x[threadIdx.x];
__syncthreads();
if (threadIdx.x > 0) return;
float sum = part[0];
for (int i = 1; i < 4; ++i) sum += )" +
         guard + R"( ? part[i] : 0.0f;
y[0] = sum;
})");
    if (!module_) return {};
    const U64 x = upload("x", std::vector<float>(128, 1.0f)), y = allocate<float>("y", 1);
    const auto stopped = launch(1, static_cast<U32>(32 * warps), x, y);
    if (!stopped) {
      EXPECT_EQ(download<float>(y).front(), static_cast<float>(warps));
    }
    return stopped;
  }
};

TEST_F(GuardedVector, MayEndInWhatNothingWrote) {
  for (const int warps : {1, 2, 3, 4}) {
    const auto stopped = run_with("32 * i < blockDim.x", warps);
    EXPECT_FALSE(stopped) << warps << ": " << stopped->message;
  }
}

TEST_F(GuardedVector, MayNotBeUsedOneTooFar) {
  const auto stopped = run_with("32 * i <= blockDim.x", 2);
  ASSERT_TRUE(stopped);
  EXPECT_EQ(stopped->kind, Kind::uninitialised_read) << stopped->message;
  EXPECT_NE(stopped->message.find("byte 8"), std::string::npos) << stopped->message;
}

/// PTX that reads the unwritten `part[1]` or `own[1]` at line 5 into %r5 and comes to %r9 at line 9. Of the
/// word at byte 8 the first byte is written, of the one at byte 12 the lower half.
struct Reading {
  std::string name, rest;
  U32 value = 0;  ///< of %r9 where the guard does not hold
  std::string load = kLoad;
  U32 byte = 4;  ///< the first that nothing has written
};
void PrintTo(const Reading& one, std::ostream* to) {
  *to << one.name;
}

/// %p1: the guard holds, %p2: it does not, %p0: always true.
class ReadInFront : public EmulatedKernels, public testing::WithParamInterface<Reading> {
 protected:
  std::optional<Diagnosis> run_where(bool guard_holds) {
    load_ptx(R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry kernel(.param .u64 kernel_param_0, .param .u64 kernel_param_1, .param .u32 kernel_param_2) {
.reg .pred %p<10>; .reg .b16 %rs<10>; .reg .b32 %r<20>; .reg .b64 %rd<10>;
.shared .align 16 .b8 part[64]; .local .align 4 .b8 own[8];
ld.param.u64 %rd1, [kernel_param_0]; ld.param.u64 %rd2, [kernel_param_1]; ld.param.u32 %r1, [kernel_param_2];
mov.u32 %r2, %tid.x; mul.wide.u32 %rd3, %r2, 4; add.s64 %rd4, %rd2, %rd3;
st.shared.u32 [part], 7; st.shared.u8 [part+8], 5; st.shared.u16 [part+12], 600; st.local.u32 [own], 7; bar.sync 0;
setp.ne.u32 %p1, %r1, 0; not.pred %p2, %p1; setp.eq.u32 %p0, %r1, %r1;
.loc 1 5 1
)" + GetParam().load +
             "\n.loc 1 9 1\n" + GetParam().rest + R"(
st.global.u32 [%rd4], %r9; ret;
}
.file 1 "kernel.cu"
)");
    if (!module_) return {};
    const U64 x = upload("x", std::vector<U32>(32, 1)), y = allocate<U32>("y", 32);
    const auto stopped = launch(1, 32, x, y, U32{guard_holds});
    value_ = download<U32>(y).front();
    return stopped;
  }
  void expect_found(const std::optional<Diagnosis>& stopped) {
    ASSERT_TRUE(stopped) << "nothing was found";
    EXPECT_EQ(stopped->kind, Kind::uninitialised_read) << stopped->message;
    EXPECT_EQ(stopped->line, 5) << stopped->message;
    const std::string byte = "byte " + std::to_string(GetParam().byte);
    EXPECT_NE(stopped->message.find("nothing has written"), std::string::npos) << stopped->message;
    EXPECT_TRUE(stopped->message.find("at " + byte + " that") != std::string::npos ||
                stopped->message.ends_with(byte))
        << stopped->message;
  }
  U32 value_ = 0;
};

class ReadThrownAway : public ReadInFront {};

TEST_P(ReadThrownAway, IsNoFinding) {
  const auto stopped = run_where(false);
  EXPECT_FALSE(stopped) << stopped->message;
  EXPECT_EQ(value_, GetParam().value);
}

TEST_P(ReadThrownAway, IsFoundWhereItIsChosenAfterAll) {
  expect_found(run_where(true));
}

const Reading kThrownAway[] = {
    {"Integer", "selp.b32 %r9, %r5, 3, %p1;", 3},
    {"SecondValue", "add.s32 %r6, %r5, 1; min.u32 %r7, %r6, %r2; selp.b32 %r9, 4, %r7, %p2;", 4},
    {"Conjunction", "setp.gt.u32 %p3, %r5, 2; and.pred %p4, %p1, %p3; selp.u32 %r9, 1, 0, %p4;", 0},
    {"Disjunction", "setp.gt.u32 %p3, %r5, 2; or.pred %p4, %p3, %p2; selp.u32 %r9, 1, 0, %p4;", 1},
    {"CombinedComparison", "setp.gt.and.u32 %p4, %r5, 2, %p1; selp.u32 %r9, 1, 0, %p4;", 0},
    {"AlternativeComparison", "setp.gt.or.u32 %p4, %r5, 2, !%p1; selp.u32 %r9, 1, 0, %p4;", 1},
    {"ConjunctionInFrontOfABranch",
     "setp.gt.u32 %p3, %r5, 2; and.pred %p4, %p3, %p1; mov.u32 %r9, 1; @%p4 bra $D; mov.u32 %r9, 2; $D:", 2},
    {"TwoPartsOfAConjunction",
     "setp.gt.u32 %p3, %r5, 2; setp.lt.u32 %p5, %r5, 9; and.pred %p6, %p3, %p5; and.pred %p4, %p6, %p1; "
     "selp.u32 %r9, 1, 0, %p4;",
     0},
    {"ChosenOnceThenThrownAway", "selp.b32 %r6, %r5, 3, %p0; selp.b32 %r9, %r6, 4, %p1;", 4},
    {"ConditionOfWhatIsThrownAway",
     "setp.gt.u32 %p3, %r5, 2; selp.b32 %r6, 3, 5, %p3; selp.b32 %r9, %r6, 4, %p1;", 4},
    {"CarriedByALoop",
     "mov.u32 %r6, 0; mov.u32 %r7, 0; $L: add.u32 %r6, %r6, %r5; add.u32 %r7, %r7, 1; "
     "setp.lt.u32 %p7, %r7, 3; @%p7 bra $L; selp.b32 %r9, %r6, 8, %p1;",
     8},
    {"UsedBehindItsGuard",
     "setp.gt.u32 %p3, %r5, 2; and.pred %p4, %p1, %p3; selp.u32 %r9, 1, 2, %p4; @%p2 bra $D; "
     "add.u32 %r9, %r5, 1; $D:",
     2},
    {"OverwrittenBeforeItIsChosen", "@%p2 mov.u32 %r5, 6; selp.b32 %r9, %r5, 3, %p0;", 6},
    {"MovedInFrontOfABranch", "mov.u32 %r9, 2; @%p2 bra $D; add.u32 %r9, %r5, 1; $D:", 2},
    {"MovedInFrontOfALoop",
     "mov.u32 %r9, 0; @%p2 bra $D; $L: add.u32 %r9, %r9, %r5; setp.lt.u32 %p7, %r9, 3; @%p7 bra $L; $D:", 0},
    {"LocalMemory", "selp.b32 %r9, %r5, 3, %p1;", 3, "ld.local.u32 %r5, [own+4];"},
    {"GenericAddress", "selp.b32 %r9, %r5, 3, %p1;", 3,
     "mov.u64 %rd5, part; cvta.shared.u64 %rd6, %rd5; ld.u32 %r5, [%rd6+4];"},
    {"ElementOfAVector", "selp.b32 %r6, %r5, 3, %p1; add.u32 %r9, %r4, %r6;", 10,
     "ld.shared.v2.u32 {%r4, %r5}, [part];"},
    {"ElementOfAVectorInLocalMemory", "selp.b32 %r6, %r5, 3, %p1; add.u32 %r9, %r4, %r6;", 10,
     "ld.local.v2.u32 {%r4, %r5}, [own];"},
    {"HalfOfAWideRead", "mov.b64 {%r4, %r5}, %rd5; selp.b32 %r6, %r5, 3, %p1; add.u32 %r9, %r4, %r6;", 10,
     "ld.shared.u64 %rd5, [part];"},
    {"HalfOfAWord",
     "mov.b32 {%rs1, %rs2}, %r5; cvt.u32.u16 %r6, %rs1; cvt.u32.u16 %r7, %rs2; selp.b32 %r8, %r7, 3, %p1; "
     "add.u32 %r9, %r6, %r8;",
     603, "ld.shared.u32 %r5, [part+12];", 14},
    {"ArithmeticOnHalves",
     "mov.b32 %r6, 0; add.f16x2 %r7, %r5, %r6; shr.u32 %r8, %r7, 16; selp.b32 %r8, %r8, 0, %p1; "
     "and.b32 %r7, %r7, 65535; add.u32 %r9, %r7, %r8;",
     600, "ld.shared.u32 %r5, [part+12];", 14},
    {"ArithmeticThatIsNotStored",
     "mov.u32 %r9, 2; mad.lo.u32 %r6, %r5, %r5, 1; @%p2 bra $D; mov.u32 %r9, %r6; $D:", 2},
};
INSTANTIATE_TEST_SUITE_P(Readings, ReadThrownAway, testing::ValuesIn(kThrownAway),
                         [](const auto& one) { return one.param.name; });

/// Part of what is read is unwritten, and never used.
class ReadInPart : public ReadInFront {};

TEST_P(ReadInPart, IsNoFinding) {
  for (const bool guard_holds : {false, true}) {
    const auto stopped = run_where(guard_holds);
    EXPECT_FALSE(stopped) << stopped->message;
    EXPECT_EQ(value_, GetParam().value);
  }
}

constexpr const char* kByte = "ld.shared.u32 %r5, [part+8];";
const Reading kInPart[] = {
    {"OtherElement", "mov.u32 %r9, %r4;", 7, "ld.shared.v4.u32 {%r4, %r5, %r6, %r7}, [part];"},
    {"ConstantMask", "and.b32 %r9, %r5, 255;", 5, kByte},
    {"ConstantFill", "or.b32 %r6, %r5, 0xffffff00; xor.b32 %r9, %r6, 0xffffff00;", 5, kByte},
    {"FieldOfBits", "bfe.u32 %r9, %r5, 0, 8;", 5, kByte},
    {"SignedField", "bfe.s32 %r9, %r5, 0, 8;", 5, kByte},
    {"Permutation", "prmt.b32 %r9, %r5, 0, 0x4440;", 5, kByte},
    {"ShiftsToAndFro", "shl.b32 %r6, %r5, 24; shr.u32 %r9, %r6, 24;", 5, kByte},
    {"Narrowed", "cvt.u32.u8 %r9, %r5;", 5, kByte},
    {"Selected", "selp.b32 %r6, %r5, %r5, %p1; cvt.u32.u8 %r9, %r6;", 5, kByte},
    {"StoredInPart", "st.shared.u8 [part+20], %r5; bar.sync 0; ld.shared.u8 %r9, [part+20];", 5, kByte},
    {"PackedAgain", "mov.b32 {%rs1, %rs2}, %r5; mov.b32 %r6, {%rs1, %rs1}; and.b32 %r9, %r6, 0xff00ff;",
     0x50005, kByte},
    {"Overwritten", "mov.u32 %r5, 4; add.u32 %r9, %r5, 1;", 5},
};
INSTANTIATE_TEST_SUITE_P(Readings, ReadInPart, testing::ValuesIn(kInPart),
                         [](const auto& one) { return one.param.name; });

class ReadInUse : public ReadInFront {};

TEST_P(ReadInUse, IsFoundWhateverTheGuardSays) {
  expect_found(run_where(false));
}

const Reading kInUse[] = {
    {"Stored", "mov.u32 %r9, %r5;"},
    {"ChosenAndStored", "selp.b32 %r6, %r5, 3, %p1; add.u32 %r9, %r5, %r6;"},
    {"BothValuesOfASelection", "selp.b32 %r9, %r5, %r5, %p1;"},
    {"BothPartsOfAConjunction",
     "setp.gt.u32 %p3, %r5, 2; setp.lt.u32 %p4, %r5, 9; and.pred %p5, %p3, %p4; selp.u32 %r9, 1, 0, %p5;"},
    {"Address",
     "and.b32 %r6, %r5, 4; selp.b32 %r7, %r6, 0, %p1; mov.u32 %r8, part; add.u32 %r8, %r8, %r6; "
     "ld.shared.u32 %r9, [%r8]; add.u32 %r9, %r9, %r7;"},
    {"Shuffled", "shfl.sync.idx.b32 %r6, %r5, 0, 31, -1; selp.b32 %r9, %r6, 3, %p1;"},
    {"Branch", "setp.gt.u32 %p3, %r5, 2; mov.u32 %r9, 1; @%p3 bra $D; mov.u32 %r9, 2; $D:"},
    {"Guard", "setp.gt.u32 %p3, %r5, 2; and.pred %p4, %p3, %p1; mov.u32 %r9, 1; @%p3 mov.u32 %r9, 2;"},
    {"SecondElement", "add.u32 %r9, %r4, %r5;", 0, "ld.shared.v2.u32 {%r4, %r5}, [part];"},
    {"FourthElement", "mov.u32 %r9, %r7;", 0, "ld.shared.v4.u32 {%r4, %r5, %r6, %r7}, [part];", 14},
    {"BitsOfTwoBytes", "bfe.u32 %r9, %r5, 4, 8;", 0, kByte, 9},
    {"MaskOfAnotherByte", "and.b32 %r9, %r5, 0x100;", 0, kByte, 9},
    {"PermutationOfAnotherByte", "prmt.b32 %r9, %r5, 0, 0x4441;", 0, kByte, 9},
    {"SignOfAnotherByte", "shr.s32 %r9, %r5, 24;", 0, kByte, 9},
    {"ShiftThatBringsABitIn", "shr.u32 %r6, %r5, 1; and.b32 %r9, %r6, 255;", 0, kByte, 9},
    {"ShiftByARegister", "shr.u32 %r6, %r5, %r2; and.b32 %r9, %r6, 255;", 0, kByte, 9},
    {"OtherHalf", "mov.b32 {%rs1, %rs2}, %r5; cvt.u32.u16 %r9, %rs2;", 0, "ld.shared.u32 %r5, [part+12];",
     14},
    {"ProductOfHalves", "mul.f16x2 %r9, %r5, %r5;", 0, "ld.shared.u32 %r5, [part+12];", 14},
    {"ChosenByIt", "setp.gt.u32 %p3, %r5, 2; selp.b32 %r9, 1, 2, %p3;"},
    {"StoredInSharedMemory", "st.shared.u32 [part+20], %r5; mov.u32 %r9, 1;"},
    {"Added", "red.shared.add.u32 [part], %r5; mov.u32 %r9, 1;"},
    {"AfterAnotherRead", "ld.shared.u32 %r6, [part+24]; selp.b32 %r7, %r6, 1, %p1; add.u32 %r9, %r5, %r7;"},
    {"Volatile", "selp.b32 %r9, %r5, 3, %p1;", 0, "ld.volatile.shared.u32 %r5, [part+4];"},
    {"CopyThatNobodyAwaits", "selp.b32 %r9, %r5, 3, %p1;", 0,
     "cp.async.ca.shared.global [part+4], [%rd1], 4; cp.async.commit_group; ld.shared.u32 %r5, [part+4];"},
};
INSTANTIATE_TEST_SUITE_P(Readings, ReadInUse, testing::ValuesIn(kInUse),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace kgen::emulator
