#include "core/sass_page.hpp"

#include <gtest/gtest.h>

namespace kgen::core {
namespace {

TEST(SassText, ListsMemoryFirstAndWideAccessesBeforeNarrow) {
  EXPECT_EQ(sass_text({{"sass__inst", 312},
                       {"sass__inst_MUFU", 8},
                       {"sass__inst_HMMA", 64},
                       {"sass__inst_STG.128", 4},
                       {"sass__inst_LDG.32", 2},
                       {"sass__inst_LDG.128", 4},
                       {"smsp__inst_executed.sum", 9}}),
            "312 instructions: LDG.128 x4, LDG.32 x2, STG.128 x4, HMMA x64, MUFU x8");
  EXPECT_EQ(sass_text({{"sass__inst", 3}}), "3 instructions");
  EXPECT_EQ(sass_text({}), "");
}

TEST(SassRemark, SaysNothingOfCodeWithWideAccesses) {
  EXPECT_EQ(sass_remark({{"sass__inst", 90}, {"sass__inst_LDG.128", 4}, {"sass__inst_LDG.32", 1}}, {}), "");
  EXPECT_EQ(sass_remark({}, {0, 1e9, 1e15}), "");  // nothing was listed
}

TEST(SassRemark, SpeaksOfNarrowGlobalAccesses) {
  EXPECT_EQ(sass_remark({{"sass__inst", 90}, {"sass__inst_LDG.16", 4}, {"sass__inst_STG.128", 1}}, {}),
            "global accesses move 4 bytes a lane or less (LDG.16 x4); 16 bytes a lane would be LDG.128 and "
            "STG.128");
}

TEST(SassRemark, SpeaksOfLocalMemoryAndOfGenericAccesses) {
  EXPECT_EQ(sass_remark({{"sass__inst", 90}, {"sass__inst_LDL.32", 2}, {"sass__inst_LD.32", 1}}, {}),
            "local memory is used (LDL.32 x2); the compiler could not tell the address space of LD.32 x1");
}

TEST(SassRemark, MissesTensorCoresOnlyWhereTheOpsProductCouldUseThem) {
  const Metrics plain = {{"sass__inst", 90}}, tensor = {{"sass__inst", 90}, {"sass__inst_HGMMA", 2}};
  const ProfileTask product{0, 1e9, 1e15}, f32{0, 1e9, 0};
  EXPECT_EQ(sass_remark(plain, product), "there is no tensor-core instruction (HMMA, HGMMA)");
  EXPECT_EQ(sass_remark(tensor, product), "");
  EXPECT_EQ(sass_remark(plain, f32), "");
}

}  // namespace
}  // namespace kgen::core
