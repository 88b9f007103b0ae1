#include "harness/emulator/arith_f64.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "host_rounding.hpp"
#include "support/operand_source.hpp"

namespace kgen::emulator {
namespace {

/// Bits of a number; one pattern for every NaN, as payloads are nan_result's matter.
std::uint64_t number(std::uint64_t bits) {
  return is_nan_f64(bits) ? kF64.nan : bits;
}
template <typename Operation>
std::uint64_t host(Rounding rounding, Operation operation, std::uint64_t a, std::uint64_t b = 0,
                   std::uint64_t c = 0) {
  return number(bits_of_f64(in_rounding(rounding, operation, double_of(a), double_of(b), double_of(c))));
}

TEST(ArithF64, EveryRoundingAgreesWithTheHost) {
  support::OperandSource source(3);
  for (int i = 0; i < 15'000; ++i) {
    const std::uint64_t a = source.next(ScalarType::f64);
    const std::uint64_t b = source.next(ScalarType::f64);
    const std::uint64_t c =
        i % 2 == 0 ? source.next(ScalarType::f64) : (mul_f64(a, b) ^ kF64.sign()) + source.random() % 3;
    for (const Rounding r : kDirected) {
      const auto place = testing::Message()
                         << std::hex << a << ' ' << b << ' ' << c << " rounding " << int(r);
      ASSERT_EQ(number(add_f64(a, b, r)), host(
                                              r, [](double x, double y, double) { return x + y; }, a, b))
          << place;
      ASSERT_EQ(number(sub_f64(a, b, r)), host(
                                              r, [](double x, double y, double) { return x - y; }, a, b))
          << place;
      ASSERT_EQ(number(mul_f64(a, b, r)), host(
                                              r, [](double x, double y, double) { return x * y; }, a, b))
          << place;
      ASSERT_EQ(number(div_f64(a, b, r)), host(
                                              r, [](double x, double y, double) { return x / y; }, a, b))
          << place;
      ASSERT_EQ(number(sqrt_f64(a, r)), host(
                                            r, [](double x, double, double) { return std::sqrt(x); }, a))
          << place;
      ASSERT_EQ(number(fma_f64(a, b, c, r)),
                host(
                    r, [](double x, double y, double z) { return std::fma(x, y, z); }, a, b, c))
          << place;
    }
  }
}

TEST(ArithF64, NanPayloadsPassQuiet) {
  const std::uint64_t one = 0x3ff0000000000000ull;
  EXPECT_EQ(add_f64(0x7ff0000000000123ull, one), 0x7ff8000000000123ull);
  EXPECT_EQ(mul_f64(one, 0xfff8000000000456ull, Rounding::rz), 0xfff8000000000456ull);
  EXPECT_EQ(sqrt_f64(0xbff0000000000000ull), 0xfff8000000000000ull);
}

}  // namespace
}  // namespace kgen::emulator
