#include "harness/sanitize/async_barriers.hpp"

#include <gtest/gtest.h>

namespace kgen::sanitize {
namespace {

/// Those of the kernels that use asynchronous barriers.
std::set<std::string> async_of(std::string_view ptx, const std::vector<std::string>& lowered) {
  LaunchedKernels kernels;
  add_launched(kernels, ptx, lowered);
  return kernels.async;
}

std::set<std::string> async_of_body(const std::string& body) {
  return async_of(".visible .entry k(\n.param .u64 p\n)\n{\n" + body + "\n}\n", {"k"});
}

TEST(AsyncBarriers, AreKnownByTheirInstructions) {
  const std::set<std::string> own{"k"};
  EXPECT_EQ(async_of_body("mbarrier.init.shared::cta.b64 [%r1], 1;"), own);
  EXPECT_EQ(async_of_body("wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16"), own);
  EXPECT_EQ(async_of_body("cp.async.bulk.tensor.2d.shared::cluster.global"), own);
  EXPECT_EQ(async_of_body("// none\nmbarrier.inval.shared.b64 [%r1];"), own);
  EXPECT_TRUE(async_of_body("// mbarrier.\n/* wgmma. */ bar.sync 0;").empty());
  EXPECT_TRUE(async_of_body("bar.sync 0; cp.async.ca.shared.global [%r1], [%rd1], 16;").empty());
}

constexpr const char* kModule = R"(
.version 9.0
.target sm_90a
.func (.param .b32 func_retval0) _Z4waitj(.param .b32 p) ;
.visible .entry _Z4loadPf(.param .u64 p)
{
  call.uni (retval0), _Z4waitj, (param0);
}
.visible .entry _ZN1a3sumILi1EEEvPf(.param .u64 p)
{
  bar.sync 0;
}
.visible .entry never(.param .u64 p)
{
  mbarrier.inval.shared.b64 [%r1];
}
.func (.param .b32 func_retval0) _Z4waitj(.param .b32 p)
{
  mbarrier.try_wait.shared.b64 p, [%r1], %r2;
}
)";

TEST(AsyncBarriers, CountWhereALaunchedKernelReachesThem) {
  EXPECT_EQ(async_of(kModule, {"_Z4loadPf", "_ZN1a3sumILi1EEEvPf"}), std::set<std::string>{"load"});
  EXPECT_TRUE(async_of(kModule, {"_ZN1a3sumILi1EEEvPf"}).empty());
}

TEST(AsyncBarriers, WhatATableOfFunctionsNamesAnyKernelMayCall) {
  const std::string table = ".global .u64 table[1] = {_Z4waitj};\n";
  EXPECT_EQ(async_of(table + kModule, {"_ZN1a3sumILi1EEEvPf"}), std::set<std::string>{"a::sum"});
}

TEST(AsyncBarriers, KernelsAreKnownByTheirBaseNames) {
  for (const char* name : {"void a::k<1, 2>(float *, int)", "a::k(float *)", "a::k", "_ZN1a1kILi1EEEvPf"})
    EXPECT_EQ(base_name_of(name), "a::k") << name;
  EXPECT_EQ(base_name_of("softmax_rows(const float *, float *, long long)"), "softmax_rows");
  for (const char* name : {"extern_c_kernel", "f"}) EXPECT_EQ(base_name_of(name), name);
}

}  // namespace
}  // namespace kgen::sanitize
