#include <gtest/gtest.h>

#include "harness/emulator/atomic_ops.hpp"
#include "harness/emulator/video_ops.hpp"

namespace kgen::emulator {
namespace {

using enum ScalarType;

TEST(Atomic, FollowsTheDefinitionOfEachOperation) {
  EXPECT_EQ(atomic_result(AtomicOp::add, u32, 0xffffffffu, 2), 1u);
  EXPECT_EQ(atomic_result(AtomicOp::add, u64, ~0ull, 2), 1u);
  EXPECT_EQ(atomic_result(AtomicOp::inc, u32, 4, 5), 5u);
  EXPECT_EQ(atomic_result(AtomicOp::inc, u32, 5, 5), 0u);
  EXPECT_EQ(atomic_result(AtomicOp::dec, u32, 0, 5), 5u);
  EXPECT_EQ(atomic_result(AtomicOp::dec, u32, 9, 5), 5u);
  EXPECT_EQ(atomic_result(AtomicOp::dec, u32, 3, 5), 2u);
  EXPECT_EQ(atomic_result(AtomicOp::min, s32, 0xffffffffu, 1), 0xffffffffu);
  EXPECT_EQ(atomic_result(AtomicOp::min, u32, 0xffffffffu, 1), 1u);
  EXPECT_EQ(atomic_result(AtomicOp::max, s64, ~0ull, 1), 1u);
  EXPECT_EQ(atomic_result(AtomicOp::cas, b32, 7, 7, 9), 9u);
  EXPECT_EQ(atomic_result(AtomicOp::cas, b16, 0x10007u, 8, 9), 7u);
  EXPECT_EQ(atomic_result(AtomicOp::exch, b64, 1, 2), 2u);
  EXPECT_EQ(atomic_result(AtomicOp::logical_xor, b32, 0xff, 0x0f), 0xf0u);
  EXPECT_EQ(atomic_result(AtomicOp::logical_and, b32, 0xff, 0x0f), 0x0fu);
  EXPECT_EQ(atomic_result(AtomicOp::logical_or, b32, 0xf0, 0x0f), 0xffu);
}

TEST(Atomic, AddsFloatsOfEveryWidth) {
  EXPECT_EQ(atomic_result(AtomicOp::add, f32, 0x3f800000u, 0x3f800000u), 0x40000000u);
  EXPECT_EQ(atomic_result(AtomicOp::add, f32, 0x00000001u, 0x00000001u, 0, true), 0u);
  EXPECT_EQ(atomic_result(AtomicOp::add, f32, 0x00000001u, 0x00000001u, 0, false), 2u);
  EXPECT_EQ(atomic_result(AtomicOp::add, f64, 0x3ff0000000000000ull, 0x3ff0000000000000ull),
            0x4000000000000000ull);
  EXPECT_EQ(atomic_result(AtomicOp::add, f16x2, 0x3c003c00u, 0x3c004000u), 0x40004200u);
  EXPECT_EQ(atomic_result(AtomicOp::add, bf16x2, 0x3f803f80u, 0x3f80bf80u), 0x40000000u);
  EXPECT_EQ(atomic_result(AtomicOp::max, f16x2, 0x3c00bc00u, 0x40008000u), 0x40008000u);
}

TEST(ScalarVideo, SelectsPartsSaturatesAndMerges) {
  EXPECT_EQ(scalar_video({.op = VideoOp::add, .a_signed = true, .a_part = Part::b0, .b_part = Part::h1},
                         0xffu, 0x00050000u, 0),
            4u);
  EXPECT_EQ(scalar_video({.op = VideoOp::sub, .sat = true}, 1, 2, 0), 0u);
  EXPECT_EQ(scalar_video({.op = VideoOp::sub, .result_signed = true, .sat = true}, 1, 2, 0), ~0u);
  EXPECT_EQ(scalar_video({.op = VideoOp::absdiff, .second = SecondOp::add}, 3, 10, 100), 107u);
  EXPECT_EQ(
      scalar_video({.op = VideoOp::add, .result_part = Part::b1, .sat = true, .second = SecondOp::merge}, 200,
                   100, 0x11223344u),
      0x1122ff44u);
  EXPECT_EQ(scalar_video({.op = VideoOp::shl}, 1, 40, 0), 0u);
  EXPECT_EQ(scalar_video({.op = VideoOp::shl, .wrap = true}, 1, 33, 0), 2u);
  EXPECT_EQ(scalar_video({.op = VideoOp::shr, .a_signed = true}, 0x80000000u, 31, 0), ~0u);
  EXPECT_EQ(scalar_video({.op = VideoOp::set, .a_signed = true, .b_signed = true, .compare = Compare::lt},
                         ~0u, 0, 0),
            1u);
  EXPECT_EQ(scalar_video({.op = VideoOp::max,
                          .result_signed = true,
                          .a_signed = true,
                          .b_signed = true,
                          .second = SecondOp::min},
                         5, ~0u, ~1u),
            ~1u);
}

TEST(ScalarVideo, MultipliesWidelyAndScales) {
  EXPECT_EQ(video_mad({.plus_one = true}, 2, 3, 4), 11u);
  EXPECT_EQ(video_mad({.negate_product = true}, 2, 3, 10), 4u);
  EXPECT_EQ(video_mad({.negate_c = true}, 2, 3, 10), static_cast<std::uint32_t>(-4));
  EXPECT_EQ(video_mad({.a_signed = true, .b_signed = true, .sat = true}, 0x80000000u, 0x80000000u, 0),
            0x7fffffffu);
}

TEST(SimdVideo, WorksLaneByLane) {
  EXPECT_EQ(simd_video({.op = VideoOp::add}, 0x01020304u, 0x10203040u, 0), 0x11223344u);
  EXPECT_EQ(simd_video({.op = VideoOp::add, .sat = true}, 0xff020304u, 0x10203040u, 0), 0xff223344u);
  EXPECT_EQ(simd_video({.op = VideoOp::absdiff, .accumulate = true}, 0x01020304u, 0x04030201u, 100), 108u);
  EXPECT_EQ(simd_video({.op = VideoOp::max, .mask = 0x5}, 0x01020304u, 0x04030201u, 0xaabbccddu),
            0xaa03cc04u);
  EXPECT_EQ(simd_video({.op = VideoOp::sub,
                        .lanes = 2,
                        .result_signed = true,
                        .a_signed = true,
                        .b_signed = true,
                        .sat = true,
                        .mask = 3,
                        .a_select = 0x10,
                        .b_select = 0x32},
                       0x80000005u, 0x00010003u, 0),
            0x80000002u);
  EXPECT_EQ(
      simd_video({.op = VideoOp::avrg, .a_signed = true, .b_signed = true}, 0xff000103u, 0xfe010204u, 0),
      0xfe010204u);
  EXPECT_EQ(simd_video({.op = VideoOp::set, .compare = Compare::ge}, 0x01020304u, 0x01030204u, 0),
            0x01000101u);
}

}  // namespace
}  // namespace kgen::emulator
