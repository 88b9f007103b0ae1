#include "harness/compile/ptx_entries.hpp"

#include <gmock/gmock.h>

namespace kgen::compile {
namespace {

using testing::ElementsAre;

constexpr const char* kPtx = R"(
	// .globl	plain
.visible .entry plain(
	.param .u64 .ptr .global .align 1 plain_param_0,
	.param .align 64 .b8 plain_param_1[128],
	.param .f32 plain_param_2,
	.param .u8 plain_param_3
)
.maxntid 128, 2, 1
.minnctapersm 2
.explicitcluster
.reqnctapercluster 4, 1, 1
{
	ret;
}
.weak .entry bare()
{
	// .entry no_entry(
	ret;
})";

TEST(PtxEntries, ReadParameterSizesAndBounds) {
  const auto entries = ptx_entries(kPtx);
  ASSERT_EQ(entries.size(), 2u);
  const PtxEntry& plain = entries.at("plain");
  EXPECT_THAT(plain.parameter_bytes, ElementsAre(8, 128, 4, 1));
  EXPECT_EQ(plain.max_threads, 256);
  EXPECT_EQ(plain.min_blocks, 2);
  EXPECT_THAT(plain.cluster, ElementsAre(4, 1, 1));
  EXPECT_TRUE(entries.at("bare").parameter_bytes.empty());
  EXPECT_EQ(entries.at("bare").max_threads, 0);
}

}  // namespace
}  // namespace kgen::compile
