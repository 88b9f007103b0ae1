#include "harness/judge/error_pattern.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "harness/judge/shared/random.hpp"

namespace kgen::judge {
namespace {

using testing::Test;

/// A right f32 output of 16 rows and 64 columns, to be spoiled.
struct ErrorPattern : Test {
  ErrorPattern() {
    params.dtype = kF32;
    params.u_out = 0x1p-24;
    view.tensor = "y";
    view.shape = {16, 64};
    view.dim_labels = {"rows", "cols"};
    view.poison = 0xffffffffull;
    for (U64 i = 0; i < 1024; ++i) view.expected.push_back(1.0 + unit_real(random_bits(3, i, 0)));
    view.got = view.expected;
    view.got_bits.resize(1024);
    for (std::size_t i = 0; i < 1024; ++i) view.got_bits[i] = encode(kF32, view.got[i]);
  }
  void set(std::size_t row, std::size_t col, double value) {
    view.got[row * 64 + col] = value;
    view.got_bits[row * 64 + col] = encode(kF32, value);
  }
  template <class Value>
  void spoil(const Value& value) {
    for (std::size_t r = 0; r < 16; ++r) {
      for (std::size_t c = 0; c < 64; ++c) set(r, c, value(r, c));
    }
  }
  double at(std::size_t r, std::size_t c) const { return view.expected[(r * 64 + c) % 1024]; }
  std::string pattern() const { return error_pattern(view, params, wrong_indices(view, params)); }
  bool says(const std::string& words) const { return pattern().find(words) != std::string::npos; }

  OutputView view;
  ToleranceParams params;
};

TEST_F(ErrorPattern, IsEmptyWhereNothingIsWrong) {
  EXPECT_EQ(pattern(), "");
}

TEST_F(ErrorPattern, NamesATail) {
  for (std::size_t r = 0; r < 16; ++r) {
    for (std::size_t c = 61; c < 64; ++c) set(r, c, 9.0 + static_cast<double>(r * c));
  }
  EXPECT_TRUE(says("all wrong elements have cols >= 61 (tail)")) << pattern();
}

TEST_F(ErrorPattern, NamesElementsNeverWritten) {
  for (std::size_t r = 0; r < 16; ++r) {
    view.got[r * 64 + 63] = decode(kF32, 0xffffffffull);
    view.got_bits[r * 64 + 63] = 0xffffffffull;
  }
  EXPECT_TRUE(says("cols == 63")) << pattern();
  EXPECT_TRUE(says("never written")) << pattern();
}

TEST_F(ErrorPattern, NamesOneRow) {
  for (std::size_t c = 0; c < 64; ++c) set(5, c, 7.0 + static_cast<double>(c * c));
  EXPECT_TRUE(says("rows == 5")) << pattern();
}

TEST_F(ErrorPattern, NamesRemainders) {
  for (std::size_t c = 0; c < 64; ++c) {
    for (std::size_t r = 3; r < 16; r += 4) set(r, c, 7.0 + static_cast<double>(c * r));
  }
  EXPECT_TRUE(says("rows % 4 == 3")) << pattern();
}

TEST_F(ErrorPattern, NamesZeros) {
  spoil([](auto, auto) { return 0.0; });
  EXPECT_EQ(pattern(), "every element is wrong; they are all zero");
}

TEST_F(ErrorPattern, NamesZerosOfTheWrongSign) {
  params.signed_zeros = 1;
  for (std::size_t c = 0; c < 64; c += 3) {
    view.expected[7 * 64 + c] = -0.0;
    set(7, c, 0.0);
  }
  EXPECT_TRUE(says("they are zeros of the wrong sign")) << pattern();
  set(8, 1, 0.0);
  EXPECT_TRUE(says("they are all zero")) << "one of them should be no zero: " << pattern();
  params.signed_zeros = 0;
  EXPECT_FALSE(says("wrong sign")) << pattern();
}

TEST_F(ErrorPattern, NamesAnInputThatWasCopied) {
  view.inputs = {{"x", std::vector<double>(1024)}};
  for (std::size_t i = 0; i < 1024; ++i) view.inputs[0].second[i] = -static_cast<double>(i) - 1;
  spoil([&](std::size_t r, std::size_t c) { return view.inputs[0].second[r * 64 + c]; });
  EXPECT_TRUE(says("they equal the input x")) << pattern();
}

TEST_F(ErrorPattern, NamesAFactor) {
  spoil([&](std::size_t r, std::size_t c) { return 0.5 * at(r, c); });
  EXPECT_TRUE(says("0.5 times the expected value")) << pattern();
}

TEST_F(ErrorPattern, NamesAShiftByOneElement) {
  spoil([&](std::size_t r, std::size_t c) { return at(r, c + 1); });
  EXPECT_TRUE(says("one element later (off by one)")) << pattern();
}

TEST_F(ErrorPattern, InfinitiesAreNoShiftedValues) {
  spoil([&](std::size_t r, std::size_t c) { return r % 2 == 0 ? INFINITY : -1e30 * at(r, c); });
  EXPECT_FALSE(says("off by one")) << pattern();
  spoil([](std::size_t r, std::size_t) { return r % 2 == 0 ? INFINITY : -INFINITY; });
  EXPECT_FALSE(says("off by one")) << pattern();
}

TEST_F(ErrorPattern, WhatBeginsNearTheStartIsNoTail) {
  for (std::size_t r = 0; r < 16; ++r) {
    for (std::size_t c = 1; c < 64; ++c) set(r, c, 9.0 + static_cast<double>(r * c));
  }
  EXPECT_TRUE(says("cols >= 1")) << pattern();
  EXPECT_FALSE(says("(tail)")) << pattern();
}

TEST_F(ErrorPattern, NamesAShiftByOneRow) {
  spoil([&](std::size_t r, std::size_t c) { return at(r + 15, c); });
  EXPECT_TRUE(says("one row earlier (off by one)")) << pattern();
}

TEST_F(ErrorPattern, NamesLostPrecision) {
  spoil([&](std::size_t r, std::size_t c) { return decode(kBf16, encode(kBf16, at(r, c))); });
  EXPECT_TRUE(says("precision is lost inside")) << pattern();
}

TEST_F(ErrorPattern, SpeaksOfTheWholeTensorFromAWindow) {
  view.first = 64 * 100;
  view.shape = {1000, 64};
  set(2, 7, 100.0);
  EXPECT_TRUE(says("rows == 102 and cols == 7")) << pattern();
}

TEST_F(ErrorPattern, SaysNothingOfRowsOutsideItsWindow) {
  view.shape = {1000, 64};
  view.has_all_wrong = false;
  for (std::size_t r = 0; r < 16; ++r) set(r, 63, 9.0 + static_cast<double>(r * r));
  EXPECT_TRUE(says("all wrong elements have cols == 63")) << pattern();
  EXPECT_FALSE(says("rows")) << pattern();
}

TEST_F(ErrorPattern, MismatchListsTheWorstFirst) {
  set(1, 2, 50.0);
  set(3, 4, 500.0);
  const auto mismatch = describe_mismatch(view, params, 2, 1024);
  ASSERT_EQ(mismatch.worst.size(), 2u);
  EXPECT_EQ(mismatch.worst[0].index, (std::vector<std::int64_t>{3, 4}));
  EXPECT_EQ(mismatch.worst[0].got, 500.0);
  EXPECT_EQ(mismatch.wrong, 2);
}

TEST_F(ErrorPattern, MismatchKeepsTheSignsOfZeros) {
  params.signed_zeros = 1;
  view.expected[70] = -0.0;
  set(1, 6, 0.0);
  const auto mismatch = describe_mismatch(view, params, 1, 1024);
  ASSERT_EQ(mismatch.worst.size(), 1u);
  EXPECT_TRUE(std::signbit(mismatch.worst[0].expected));
  EXPECT_FALSE(std::signbit(mismatch.worst[0].got));
}

}  // namespace
}  // namespace kgen::judge
