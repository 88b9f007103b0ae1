#include "core/dtype.hpp"

#include <gtest/gtest.h>

namespace kgen::core {
namespace {

TEST(DType, NamesRoundTrip) {
  for (int i = 0; i <= static_cast<int>(DType::u4x8); ++i) {
    const auto dtype = static_cast<DType>(i);
    EXPECT_EQ(parse_dtype(name_of(dtype)), dtype);
    EXPECT_EQ(facts_of(dtype).dtype, dtype);
  }
  EXPECT_FALSE(parse_dtype("float"));
}

TEST(DType, UnitRoundoffIsHalfAnUlpAtOne) {
  EXPECT_EQ(unit_roundoff(DType::f32), 0x1p-24);
  EXPECT_EQ(unit_roundoff(DType::f16), 0x1p-11);
  EXPECT_EQ(unit_roundoff(DType::bf16), 0x1p-8);
  EXPECT_EQ(unit_roundoff(DType::i32), 0.0);
}

TEST(DType, Tf32IsStoredAsF32) {
  EXPECT_EQ(facts_of(DType::tf32).cuda_type, facts_of(DType::f32).cuda_type);
  EXPECT_EQ(size_of(DType::tf32), 4u);
  EXPECT_EQ(unit_roundoff(DType::tf32), unit_roundoff(DType::f32));
}

}  // namespace
}  // namespace kgen::core
