#include "harness/compile/kernel_signature.hpp"

#include <gtest/gtest.h>

namespace kgen::compile {
namespace {

TEST(KernelSignature, NamesOfDtypesAreThoseOfTheOpFormat) {
  EXPECT_EQ(dtype_of_cpp_type("float"), "f32");
  EXPECT_EQ(dtype_of_cpp_type("__nv_bfloat16"), "bf16");
  EXPECT_EQ(dtype_of_cpp_type("unsigned long"), "u64");
  EXPECT_EQ(dtype_of_cpp_type("long long"), "i64");
  EXPECT_EQ(dtype_of_cpp_type("unsigned int"), "u32");
  EXPECT_EQ(dtype_of_cpp_type("float4"), "");
  EXPECT_EQ(cpp_type_of_dtype("f8e4m3"), "__nv_fp8_e4m3");
  EXPECT_EQ(cpp_type_of_dtype("f7"), "");
}

TEST(KernelSignature, OtherNamesHaveNoParameters) {
  EXPECT_FALSE(parameters_of_lowered_name("plain"));
  EXPECT_FALSE(parameters_of_lowered_name("_Z4gemmILb1EEvPKf"));
  EXPECT_FALSE(parameters_of_lowered_name(""));
}

}  // namespace
}  // namespace kgen::compile
