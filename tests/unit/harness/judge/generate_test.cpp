#include "harness/judge/shared/generate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "harness/judge/device_source.hpp"
#include "harness/judge/host_kernels.hpp"

namespace kgen::judge {
namespace {

FillParams params_of(GeneratorCode kind, int dtype = kF32) {
  FillParams p;
  p.kind = kind;
  p.dtype = dtype;
  p.key = stream_key(7, 0);
  p.row_length = 100;
  return p;
}

TEST(Generate, DependsOnSeedTensorAndIndexAlone) {
  const FillParams p = params_of(kNormal);
  FillParams other_seed = p, other_tensor = p;
  other_seed.key = stream_key(8, 0);
  other_tensor.key = stream_key(7, 1);
  int same_seed = 0, same_tensor = 0;
  for (I64 i = 999; i >= 0; --i) {
    EXPECT_EQ(fill_bits(p, i), fill_bits(p, i));
    same_seed += fill_bits(p, i) == fill_bits(other_seed, i);
    same_tensor += fill_bits(p, i) == fill_bits(other_tensor, i);
  }
  EXPECT_LT(same_seed, 3);
  EXPECT_LT(same_tensor, 3);
}

TEST(Generate, FoldsWholeNumbersIntoTheirRangeAndMeetsBothEnds) {
  FillParams p = params_of(kIntegers, kI32);
  p.below = 10;
  p.low = -3, p.high = 25;
  std::set<U64> seen;
  for (I64 i = 0; i < 1000; ++i) seen.insert(fill_bits(p, i));
  EXPECT_EQ(seen.size(), 10u);
  EXPECT_EQ(*seen.begin(), 0u);
  EXPECT_EQ(*seen.rbegin(), 9u);
  p.kind = kConstant;
  p.low = -1;
  EXPECT_EQ(fill_bits(p, 5), 9u);
  p.kind = kNormal;
  p.stddev = 1e30;
  for (I64 i = 0; i < 100; ++i) EXPECT_LT(fill_bits(p, i), 10u);
}

TEST(Generate, EndsOfGroupsRiseToTheLastAndLeaveSomeGroupsEmpty) {
  FillParams p = params_of(kIntegers, kI32);
  p.below = 1001;
  p.ends = 1;
  p.row_length = 7;
  int empty = 0, large = 0, rows = 0;
  std::set<U64> seen;
  for (I64 row = 0; row < 200; ++row, ++rows) {
    U64 before = 0;
    for (I64 i = row * 7; i < row * 7 + 7; ++i) {
      const U64 end = fill_bits(p, i);
      ASSERT_GE(end, before) << i;
      empty += end == before;
      large += end - before > 500;
      seen.insert(end);
      before = end;
    }
    ASSERT_EQ(before, 1000u) << row;
  }
  EXPECT_GT(empty, rows / 4);
  EXPECT_GT(large, rows / 8);
  EXPECT_GT(seen.size(), 300u);
}

TEST(Generate, EndsOfGroupsMayAllBeOne) {
  FillParams p = params_of(kConstant, kI32);
  p.below = 11;
  p.ends = 1;
  p.row_length = 3;
  p.low = -1;
  for (I64 i = 0; i < 6; ++i) EXPECT_EQ(fill_bits(p, i), 10u);
  p.low = 0;
  for (I64 i = 0; i < 6; ++i) EXPECT_EQ(fill_bits(p, i), i % 3 == 2 ? 10u : 0u);
  p.row_length = 1;
  EXPECT_EQ(fill_bits(p, 4), 10u);
}

// Numbers fixed here so that a seed in a record gives the same inputs in every later version.
TEST(Generate, StaysTheSameFromVersionToVersion) {
  EXPECT_EQ(mix64(1), 0x5692161d100b05e5ull);
  EXPECT_EQ(random_bits(stream_key(1, 2), 3, 0), random_bits(stream_key(1, 2), 3, 0));
  U64 all = 0;
  for (int kind = kNormal; kind < kGeneratorCodes; ++kind) {
    FillParams p = params_of(static_cast<GeneratorCode>(kind), kBf16);
    p.density = 0.9;
    for (I64 i = 0; i < 1000; ++i) all = mix64(all ^ fill_bits(p, i));
    if (kind == kMaskedRuns) {
      EXPECT_EQ(all, 4099527296738125555ull);
    }
  }
  EXPECT_EQ(all, 5329963684788940519ull);
}

// Few elements too: a page table of four rows is a line throughout.
TEST(Generate, RunsBeginWithALine) {
  for (U64 key = 1; key < 20; ++key) {
    FillParams p = params_of(kRuns, kI32);
    p.key = key;
    p.low = 0;
    p.high = 1000000;
    for (I64 i = 1; i < 64; ++i) EXPECT_EQ(fill_bits(p, i), fill_bits(p, i - 1) + 1) << key << " " << i;
  }
}

// Groups of equal size, as a router without favourites makes them, in some rows and not in others.
TEST(Generate, EndsOfGroupsAreEquallyFarApartInSomeRows) {
  FillParams p = params_of(kIntegers, kI32);
  p.below = 97;
  p.ends = 1;
  p.row_length = 8;
  p.low = 0;
  p.high = 96;
  int equal = 0;
  for (I64 row = 0; row < 30; ++row) {
    bool is_equal = true;
    for (I64 i = 0; i < 8; ++i)
      is_equal = is_equal && fill_bits(p, row * 8 + i) == static_cast<U64>(12 * (i + 1));
    equal += is_equal ? 1 : 0;
  }
  EXPECT_GE(equal, 10);
  EXPECT_LT(equal, 20);
}

/// Patterns among 65536 elements from `first` on, how often.
std::map<U64, int> patterns_from(const FillParams& p, I64 first, int shift) {
  std::map<U64, int> seen;
  for (I64 i = first; i < first + 65536; ++i) ++seen[fill_bits(p, i) >> shift];
  return seen;
}

TEST(Generate, BitsAreEveryPattern) {
  for (const auto& [dtype, shift, patterns] : {std::tuple{kF16, 0, 65536U}, std::tuple{kBf16, 0, 65536U},
                                               std::tuple{kF8e4m3, 0, 256U}, std::tuple{kF32, 16, 65536U}})
    EXPECT_EQ(patterns_from(params_of(kBits, dtype), 12345, shift).size(), patterns) << dtype;
  FillParams p = params_of(kBits, kF32);
  std::map<U64, int> lower;
  for (I64 i = 0; i < 65536; ++i) ++lower[fill_bits(p, i) & 0xffff];
  EXPECT_GT(lower.size(), 40000U) << "the lower half is drawn";
  p.density = 0.5;
  EXPECT_NEAR(patterns_from(p, 0, 0)[0], 32768, 1000);
  EXPECT_NE(fill_bits(params_of(kBits, kF16), 1) - fill_bits(params_of(kBits, kF16), 0), 1U);
}

TEST(Generate, FiniteBitsAreEveryNumber) {
  for (const int dtype : {kF16, kBf16, kF8e4m3, kF8e5m2, kF32}) {
    const FillParams p = params_of(kFiniteBits, dtype);
    const FloatFormat format = format_of(dtype);
    const int magnitude_bits = format.exponent_bits + format.mantissa_bits;
    std::set<U64> seen;
    for (I64 i = 0; i < 65536; ++i) {
      const U64 bits = fill_bits(p, i);
      EXPECT_LE(bits & ((1ull << magnitude_bits) - 1), largest_finite_bits(format));
      EXPECT_EQ(fill_value(p, i), decode_float(format, bits));
      seen.insert(bits);
    }
    if (magnitude_bits < 16) {
      EXPECT_EQ(seen.size(), 2 * (largest_finite_bits(format) + 1)) << dtype;
    }
  }
}

TEST(Generate, NormalHasTheMomentsOfAStandardNormal) {
  const FillParams p = params_of(kNormal, kF64);
  constexpr I64 kCount = 1000000;
  double m1 = 0, m2 = 0, m3 = 0, m4 = 0;
  for (I64 i = 0; i < kCount; ++i) {
    const double z = fill_value(p, i);
    m1 += z;
    m2 += z * z;
    m3 += z * z * z;
    m4 += z * z * z * z;
  }
  EXPECT_NEAR(m1 / kCount, 0.0, 0.005);
  EXPECT_NEAR(m2 / kCount, 1.0, 0.007);
  EXPECT_NEAR(m3 / kCount, 0.0, 0.02);
  EXPECT_NEAR(m4 / kCount, 2.969, 0.05);
}

TEST(Generate, NormalIsShiftedScaledAndThinned) {
  FillParams p = params_of(kNormal);
  p.mean = 200;
  p.stddev = 3;
  p.density = 0.25;
  int zeros = 0;
  double sum = 0;
  for (I64 i = 0; i < 100000; ++i) {
    const double value = fill_value(p, i);
    zeros += value == 0;
    sum += value;
  }
  EXPECT_NEAR(zeros, 75000, 600);
  EXPECT_NEAR(sum / (100000 - zeros), 200, 0.1);
}

TEST(Generate, IntegersCoverTheirRangeEvenly) {
  FillParams p = params_of(kIntegers);
  p.low = -3;
  p.high = 3;
  std::map<double, int> seen;
  for (I64 i = 0; i < 70000; ++i) ++seen[fill_value(p, i)];
  ASSERT_EQ(seen.size(), 7u);
  for (const auto& [value, count] : seen) EXPECT_NEAR(count, 10000, 500) << value;
}

TEST(Generate, OneHotHasOneHotElementInEveryRowAndAtTheEndsOfOneRowInFourEach) {
  FillParams p = params_of(kOneHot);
  p.low = -240;
  p.high = 12;
  std::set<I64> places;
  std::vector<I64> of_rows;
  for (I64 row = 0; row < 400; ++row) {  // half of them have it anywhere
    int hot = 0;
    for (I64 c = 0; c < p.row_length; ++c) {
      if (fill_value(p, row * p.row_length + c) == 12) {
        ++hot;
        places.insert(c);
        of_rows.push_back(c);
      }
    }
    EXPECT_EQ(hot, 1);
  }
  EXPECT_GT(places.size(), 70u);
  for (std::size_t row = 0; row + 4 <= of_rows.size(); ++row) {
    const std::set<I64> four(of_rows.begin() + static_cast<std::ptrdiff_t>(row),
                             of_rows.begin() + static_cast<std::ptrdiff_t>(row + 4));
    EXPECT_TRUE(four.contains(0) && four.contains(p.row_length - 1)) << row;
  }
}

TEST(Generate, FullMantissaValuesNeedEveryBitOfTheirType) {
  for (const int dtype : {kF32, kF16, kBf16}) {
    FillParams p = params_of(kFullMantissa, dtype);
    p.per_row = 2;
    int nonzero = 0;
    for (I64 i = 0; i < 10000; ++i) {
      const double value = fill_value(p, i);
      if (value == 0) continue;
      ++nonzero;
      EXPECT_EQ(decode(dtype, encode(dtype, value)), value);
      EXPECT_EQ(encode(dtype, value) & 1, 1u);
      EXPECT_GE(std::fabs(value), 1.0);
      EXPECT_LT(std::fabs(value), 2.0);
    }
    EXPECT_NEAR(nonzero, 199, 3);  // two a row of a hundred, which may coincide
  }
}

TEST(Generate, FullMantissaValuesOfTf32AreThoseThatProductsKeep) {
  FillParams p = params_of(kFullMantissa, kTf32);
  p.per_row = 100;
  for (I64 i = 0; i < 1000; ++i) EXPECT_EQ(fill_bits(p, i) & 0x3fffu, 0x2000u) << i;
}

// Rows along the first axis of a matrix of 30 x 7.
TEST(Generate, RowsMayLieAlongAnyAxis) {
  FillParams p = params_of(kFullMantissa);
  p.row_length = 30;
  p.row_stride = 7;
  FillParams hot = p;
  hot.kind = kOneHot;
  std::set<I64> places;
  for (I64 matrix = 0; matrix < 8; ++matrix) {
    for (I64 column = 0; column < 7; ++column) {
      int nonzero = 0, ones = 0;
      for (I64 r = 0; r < 30; ++r) {
        const I64 at = (matrix * 30 + r) * 7 + column;
        nonzero += fill_value(p, at) != 0;
        if (fill_value(hot, at) == 1) ++ones, places.insert(r);
      }
      EXPECT_EQ(nonzero, 1);
      EXPECT_EQ(ones, 1);
    }
  }
  EXPECT_GT(places.size(), 12u);
}

TEST(Generate, NonFiniteMixesInWhatSumsOfAnyOrderAgreeOn) {
  FillParams p = params_of(kNonFinite, kF16);
  p.density = 0.5;
  int nan = 0, infinite = 0, negative_zero = 0;
  double largest = 0;
  for (I64 i = 0; i < 8000; ++i) {
    const double value = decode(kF16, fill_bits(p, i));
    nan += is_nan(value);
    infinite += is_infinite(value);
    negative_zero += value == 0 && std::signbit(value);
    if (std::isfinite(value)) largest = std::max(largest, std::fabs(value));
  }
  EXPECT_NEAR(nan, 1000, 150);
  EXPECT_NEAR(infinite, 2000, 200);
  EXPECT_NEAR(negative_zero, 1000, 150);
  EXPECT_LT(largest, 9);
}

TEST(Generate, SpecialMixesEverySpecialValueIn) {
  FillParams p = params_of(kSpecial, kF16);
  p.density = 0.5;
  int nan = 0, infinite = 0, negative_zero = 0, largest = 0, subnormal = 0;
  for (I64 i = 0; i < 12000; ++i) {
    const double value = decode(kF16, fill_bits(p, i));
    nan += is_nan(value);
    infinite += is_infinite(value);
    negative_zero += value == 0 && std::signbit(value);
    largest += std::fabs(value) == 65504.0;
    subnormal += value != 0 && std::fabs(value) < 0x1p-14;
  }
  EXPECT_NEAR(nan, 1000, 150);
  EXPECT_NEAR(infinite, 2000, 200);
  EXPECT_NEAR(negative_zero, 1000, 150);
  EXPECT_NEAR(largest, 1000, 150);
  EXPECT_NEAR(subnormal, 1000, 150);
}

TEST(Generate, SpecialNaNsHaveEverySignAndManyPayloads) {
  for (const int dtype : {kF32, kTf32, kF16, kBf16}) {
    FillParams p = params_of(kSpecial, dtype);
    p.density = 0;
    std::set<U64> patterns;
    const auto format = format_of(dtype);
    const U64 quiet = 1ull << (format.mantissa_bits - 1), sign = 1ull << (8 * bytes_of_code(dtype) - 1);
    const U64 seen_by_products = dtype == kTf32 ? ~0x1fffull : ~0ull;
    int signalling = 0, negative = 0;
    for (I64 i = 0; i < 12000; ++i) {
      const U64 bits = fill_bits(p, i);
      if (!is_nan(decode(dtype, bits))) continue;
      EXPECT_TRUE(is_nan(decode(dtype, bits & seen_by_products)));
      patterns.insert(bits);
      signalling += (bits & quiet) == 0;
      negative += (bits & sign) != 0;
    }
    EXPECT_GT(patterns.size(), 50u) << dtype;
    EXPECT_GT(signalling, 100) << dtype;
    EXPECT_NEAR(negative, 750, 150) << dtype;
    const U64 canonical = encode(dtype, std::numeric_limits<double>::quiet_NaN());
    for (const U64 common : {canonical, canonical | sign, sign - 1})
      EXPECT_TRUE(patterns.contains(common)) << dtype << " " << common;
  }
}

TEST(Generate, LogScaleCoversEveryBinadeThatTheTypeHas) {
  FillParams p = params_of(kLogScale, kBf16);
  p.low = -20;
  p.high = 120;
  std::map<int, int> binades;
  for (I64 i = 0; i < 14100; ++i) ++binades[std::ilogb(fill_value(p, i))];
  EXPECT_EQ(binades.size(), 141u);
  EXPECT_EQ(binades.begin()->first, -20);
  for (const auto& [binade, count] : binades) EXPECT_NEAR(count, 100, 60) << binade;
  p.dtype = kF16;
  p.low = -100;
  double largest = 0, smallest = 1, sum = 0;
  for (I64 i = 0; i < 10000; ++i) {
    const double value = decode(kF16, fill_bits(p, i));
    largest = std::max(largest, std::fabs(value));
    smallest = std::min(smallest, std::fabs(value));
    sum += value < 0 ? -1 : 1;
  }
  EXPECT_GT(largest, 30000);
  EXPECT_LE(largest, 32768);
  EXPECT_GE(smallest, 0x1p-14);  // no subnormal
  EXPECT_NEAR(sum, 0, 400);
}

TEST(Generate, PowersOfTwoAreBareAndLeaveRoomAtTheTop) {
  for (const int dtype : {kF32, kTf32, kF16, kBf16}) {
    FillParams p = params_of(kPowerOfTwo, dtype);
    p.low = -40;
    p.high = 40;
    std::set<int> exponents;
    for (I64 i = 0; i < 5000; ++i) {
      int exponent = 0;
      EXPECT_EQ(std::fabs(std::frexp(decode(dtype, fill_bits(p, i)), &exponent)), 0.5);
      exponents.insert(exponent - 1);
    }
    EXPECT_EQ(exponents.size(), dtype == kF16 ? 27u : 81u);
    EXPECT_EQ(*exponents.rbegin(), dtype == kF16 ? 12 : 40);
  }
}

TEST(Generate, RampsAscendDescendAndHaveTeeth) {
  FillParams p = params_of(kRamp, kF32);
  p.low = 96;
  p.high = 192;
  p.row_length = 1000;
  std::map<int, int> falls;  // in a row -> rows
  std::set<double> rises;
  for (I64 row = 0; row < 300; ++row) {
    int fell = 0;
    double low = 1e9, high = -1e9;
    for (I64 c = 0; c < 1000; ++c) {
      const double value = fill_value(p, row * 1000 + c);
      low = std::min(low, value);
      high = std::max(high, value);
      if (c > 0) fell += value < fill_value(p, row * 1000 + c - 1);
    }
    ++falls[fell];
    rises.insert(high);
    EXPECT_EQ(low, 0);
    EXPECT_GT(high, 95);
    EXPECT_LT(high, 192);
  }
  EXPECT_EQ(falls, (std::map<int, int>{{0, 100}, {7, 100}, {999, 100}}));
  EXPECT_GT(rises.size(), 250u);
}

TEST(Generate, MaskedRunsAreRunsOfUnlikeLengthThatLeaveAPlace) {
  FillParams p = params_of(kMaskedRuns, kF16);
  p.row_length = 64;
  int prefixes = 0, suffixes = 0, windows = 0, outside = 0;
  std::set<int> lengths;
  for (I64 row = 0; row < 400; ++row) {
    std::string runs;  // of masked places 'm' and others '.', a letter a run
    int masked = 0;
    for (I64 c = 0; c < 64; ++c) {
      const double value = decode(kF16, fill_bits(p, row * 64 + c));
      const char kind = value == -std::numeric_limits<double>::infinity() ? 'm' : '.';
      EXPECT_FALSE(is_nan(value));
      masked += kind == 'm';
      if (runs.empty() || runs.back() != kind) runs += kind;
    }
    EXPECT_LT(masked, 64);
    lengths.insert(masked);
    prefixes += runs == "m.";
    suffixes += runs == ".m";
    windows += runs == ".m.";
    outside += runs == "m.m";
  }
  // A hundred rows each; a window that begins with the row, or ends with it, is a prefix or a suffix.
  for (const int count : {prefixes, suffixes, windows, outside}) EXPECT_GT(count, 30);
  EXPECT_GT(lengths.size(), 40u);
  p.row_length = 1;
  for (I64 i = 0; i < 50; ++i) EXPECT_FALSE(is_infinite(fill_value(p, i)));
}

TEST(Generate, OfFewRowsOneBeginsAndOneEndsMasked) {
  for (int key = 0; key < 200; ++key) {
    FillParams p = params_of(kMaskedRuns, kF32);
    p.key = mix64(static_cast<U64>(key));
    p.row_length = 65537;
    const auto is_masked_at = [&](I64 row, I64 column) {
      return is_infinite(fill_value(p, row * p.row_length + column));
    };
    // A window that begins with the row leaves nothing before it: one time in thousands.
    EXPECT_TRUE(is_masked_at(0, 0) || is_masked_at(1, 0)) << key;
    EXPECT_TRUE(is_masked_at(0, 65536) || is_masked_at(1, 65536) || is_masked_at(2, 65536)) << key;
  }
}

TEST(HostKernels, FillInParallelAsElementByElement) {
  FillParams p = params_of(kUniform, kBf16);
  std::vector<std::byte> data(2 * 200001);
  fill_on_host(data.data(), p, 200001);
  for (I64 i = 0; i < 200001; i += 997) EXPECT_EQ(load_element(data.data(), 2, i), fill_bits(p, i));
}

TEST(HostKernels, HashTellsOrderLengthAndEveryBit) {
  std::vector<std::byte> data(1003);
  fill_on_host(data.data(), params_of(kIntegers, kU8), 1003);
  data.back() = std::byte{3};
  const U64 hash = hash_on_host(data.data(), 1003, 5);
  EXPECT_NE(hash, hash_on_host(data.data(), 1002, 5));
  EXPECT_NE(hash, hash_on_host(data.data(), 1003, 6));
  for (const std::size_t at : {std::size_t{0}, std::size_t{500}, std::size_t{1002}}) {
    data[at] ^= std::byte{0x10};
    EXPECT_NE(hash, hash_on_host(data.data(), 1003, 5));
    data[at] ^= std::byte{0x10};
  }
  std::swap_ranges(data.begin(), data.begin() + 8, data.begin() + 8);
  EXPECT_NE(hash, hash_on_host(data.data(), 1003, 5));
}

TEST(HostKernels, FindTheFirstByteThatIsNotThePattern) {
  std::vector<std::byte> data(100, std::byte{0xff});
  EXPECT_EQ(find_other_on_host(data.data(), 100, 0xff), -1);
  data[42] = std::byte{0};
  EXPECT_EQ(find_other_on_host(data.data(), 100, 0xff), 42);
}

TEST(DeviceSource, HoldsTheSharedHeadersAndNoInclude) {
  const std::string source = device_source();
  EXPECT_EQ(source.find("#include"), std::string::npos);
  EXPECT_EQ(source.find("#pragma once"), std::string::npos);
  EXPECT_NE(source.find("fill_value"), std::string::npos);
  EXPECT_NE(source.find("error_ratio"), std::string::npos);
  EXPECT_NE(source.find("kgen_compare"), std::string::npos);
}

}  // namespace
}  // namespace kgen::judge
