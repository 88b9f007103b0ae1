#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "emulator_corpus/cases.hpp"
#include "emulator_corpus/expectation.hpp"
#include "emulator_corpus/values.hpp"

namespace kgen::corpus {
namespace {

using Byte = unsigned char;

/// Of a narrow format with the given mantissa bits, least normal exponent and largest value: the nearest,
/// ties to even, saturated.
double rounded_to(double value, int mantissa_bits, int least_exponent, double largest) {
  if (value == 0) return value;
  const int exponent = std::max(std::ilogb(value), least_exponent);
  const double unit = std::ldexp(1.0, exponent - mantissa_bits);
  return std::clamp(std::nearbyint(value / unit) * unit, -largest, largest);
}
double e4m3_of(double value) {
  return rounded_to(value, 3, -6, 448);
}
double e5m2_of(double value) {
  return rounded_to(value, 2, -14, 57344);
}
/// Bits of a value that the format holds.
Byte bits_of(double value, int mantissa_bits, int bias) {
  const int sign = std::signbit(value) ? 128 : 0;
  const double magnitude = std::abs(value);
  const int exponent = magnitude == 0 ? -bias : std::ilogb(magnitude);
  if (exponent < 1 - bias)
    return static_cast<Byte>(sign | static_cast<int>(std::ldexp(magnitude, bias - 1 + mantissa_bits)));
  const int mantissa =
      static_cast<int>(std::ldexp(magnitude, mantissa_bits - exponent)) - (1 << mantissa_bits);
  return static_cast<Byte>(sign | (exponent + bias) << mantissa_bits | mantissa);
}
double value_of(Byte bits, int mantissa_bits, int bias) {
  const int exponent = (bits & 127) >> mantissa_bits, mantissa = bits & ((1 << mantissa_bits) - 1);
  const double magnitude = exponent == 0
                               ? std::ldexp(mantissa, 1 - bias - mantissa_bits)
                               : std::ldexp(mantissa + (1 << mantissa_bits), exponent - bias - mantissa_bits);
  return (bits & 128) != 0 ? -magnitude : magnitude;
}

Case quantize_int8() {
  const std::size_t rows = 4, cols = 90;
  auto x = reals(rows * cols, 110, -7, 7);
  std::fill_n(x.begin() + 90, 90, 0.0f);
  std::vector<signed char> want;
  std::vector<float> scales;
  for (std::size_t r = 0; r < rows; ++r) {
    float largest = 0;
    for (std::size_t c = 0; c < cols; ++c) largest = std::max(largest, std::abs(x[r * cols + c]));
    scales.push_back(largest / 127.0f);
    for (std::size_t c = 0; c < cols; ++c) {
      const float value = largest == 0 ? 0 : std::nearbyint(x[r * cols + c] / scales[r]);
      want.push_back(static_cast<signed char>(std::clamp(value, -127.0f, 127.0f)));
    }
  }
  return {"quantize_int8",
          "quantisation",
          {input("x", x), output("q", want), output("scales", scales)},
          {{"quantize_int8", {2}, {32, 2}, {"x", "q", "scales", int{cols}}}}};
}

Case dequantize_int8() {
  const std::size_t rows = 3, cols = 64;
  const auto q = integers<signed char>(rows * cols, 111, -128, 127);
  const auto scales = reals(rows, 112, 0.01f, 0.1f);
  std::vector<float> want;
  for (std::size_t i = 0; i < q.size(); ++i) want.push_back(static_cast<float>(q[i]) * scales[i / cols]);
  return {"dequantize_int8",
          "quantisation",
          {input("q", q), input("scales", scales), output("x", want)},
          {{"dequantize_int8", {1}, {64}, {"q", "scales", "x", 16, 48}}}};
}

Case quantize_fp8() {
  auto x = reals(300, 113, -8, 8);
  for (std::size_t i = 0; i < 100; ++i) x[i] = std::ldexp(x[i], static_cast<int>(i % 24) - 16);
  std::vector<Byte> want;
  for (const float v : x) want.push_back(bits_of(e4m3_of(number_of(v) * 64), 3, 7));
  return {"quantize_fp8",
          "quantisation",
          {input("x", x), output("q", want)},
          {{"quantize_fp8", {3}, {128}, {"x", "q", 64.0f, 300}}}};
}

Case fp8_to_half() {
  std::vector<Byte> q, p;
  std::vector<float> x;
  std::vector<__half> y;
  for (int i = 0; i < 256; ++i) {
    const auto bits = static_cast<Byte>(i);
    q.push_back((bits & 127) == 127 ? Byte{0} : bits);
    p.push_back((bits & 127) > 124 ? Byte{0} : bits);
    x.push_back(static_cast<float>(value_of(q.back(), 3, 7)));
    y.push_back(value_of(p.back(), 2, 15));
  }
  return {"fp8_to_half",
          "quantisation",
          {input("q", q), input("p", p), output("x", x), output("y", y)},
          {{"fp8_to_half", {1}, {64}, {"q", "x", "p", "y", 64}}}};
}

Case quantize_e5m2() {
  std::vector<__half> x;
  for (const auto bits : random_bits(500, 114))
    x.push_back(std::bit_cast<__half>(static_cast<std::uint16_t>(bits & 0xbbff)));
  std::vector<Byte> want;
  for (const __half v : x) want.push_back(bits_of(e5m2_of(number_of(v)), 2, 15));
  return {"quantize_e5m2",
          "quantisation",
          {input("x", x), output("q", want)},
          {{"quantize_e5m2", {4}, {128}, {"x", "q", 500}}}};
}

struct Int4 {
  std::vector<unsigned> words;
  std::vector<float> scales;
  std::vector<int> zeros;
  std::vector<int> values;
};
Int4 int4_of(const std::vector<float>& x) {
  Int4 out;
  out.words.resize(x.size() / 8);
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (i % 32 == 0) {
      const auto [low, high] = std::minmax_element(&x[i], &x[i] + 32);
      out.scales.push_back((*high - *low) / 15.0f);
      out.zeros.push_back(static_cast<int>(std::nearbyint(-*low / out.scales.back())));
    }
    const int value = static_cast<int>(std::nearbyint(x[i] / out.scales.back())) + out.zeros.back();
    out.values.push_back(std::clamp(value, 0, 15));
    out.words[i / 8] |= static_cast<unsigned>(out.values.back()) << (4 * (i % 8));
  }
  return out;
}

Case quantize_int4() {
  const auto x = reals(40 * 32, 115, -2, 1);
  const Int4 q = int4_of(x);
  return {"quantize_int4",
          "quantisation",
          {input("x", x), output("q", q.words), output("scales", q.scales), output("zeros", q.zeros)},
          {{"quantize_int4", {2}, {32}, {"x", "q", "scales", "zeros", 40}}}};
}

Case int4_gemv() {
  const std::size_t rows = 5, cols = 512;
  const Int4 q = int4_of(reals(rows * cols, 116));
  const auto x = converted<__half>(reals(cols, 117));
  std::vector<float> want;
  for (std::size_t r = 0; r < rows; ++r) {
    double sum = 0;
    for (std::size_t i = r * cols; i < (r + 1) * cols; ++i)
      sum += (q.values[i] - q.zeros[i / 32]) * number_of(q.scales[i / 32]) * number_of(x[i % cols]);
    want.push_back(static_cast<float>(sum));
  }
  return {"int4_gemv",
          "quantisation",
          {input("q", q.words), input("scales", q.scales), input("zeros", q.zeros), input("x", x),
           output("y", want, {1e-4, 0})},
          {{"int4_gemv", {rows}, {32}, {"q", "scales", "zeros", "x", "y", int{cols}}}}};
}

Case int8_matmul() {
  const std::size_t m = 3, n = 40, k = 64;
  const auto a = integers<signed char>(m * k, 118, -128, 127),
             b = integers<signed char>(n * k, 119, -128, 127);
  std::vector<int> want;
  for (std::size_t i = 0; i < m * n; ++i) {
    int sum = 0;
    for (std::size_t j = 0; j < k; ++j) sum += a[i / n * k + j] * b[i % n * k + j];
    want.push_back(sum);
  }
  return {"int8_matmul",
          "quantisation",
          {input("a", a), input("b", b), output("c", want)},
          {{"int8_matmul", {2, m}, {32}, {"a", "b", "c", int{n}, 16}}}};
}

Case quantize_blocks() {
  auto values = reals(6 * 32, 120);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = std::ldexp(values[i], static_cast<int>(i / 32) * 5 - 9);
  std::fill_n(values.begin() + 64, 32, 0.0f);
  const auto x = converted<__nv_bfloat16>(values);
  std::vector<Byte> want;
  std::vector<signed char> exponents;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (i % 32 == 0) {
      double largest = 0;
      for (std::size_t j = i; j < i + 32; ++j) largest = std::max(largest, std::abs(number_of(x[j])));
      exponents.push_back(static_cast<signed char>(largest == 0 ? 0 : std::ilogb(largest) - 8));
    }
    want.push_back(bits_of(e4m3_of(std::ldexp(number_of(x[i]), -exponents.back())), 3, 7));
  }
  return {"quantize_blocks",
          "quantisation",
          {input("x", x), output("q", want), output("exponents", exponents)},
          {{"quantize_blocks", {6}, {32}, {"x", "q", "exponents"}}}};
}

Case round_stochastically() {
  const auto x = reals(200, 121);
  std::vector<std::uint16_t> want;
  for (std::uint32_t i = 0; i < 200; ++i) {
    std::uint32_t h = i * 0x9e3779b9u ^ 1234u;
    h = (h ^ h >> 16) * 0x85ebca6bu;
    h = (h ^ h >> 13) * 0xc2b2ae35u;
    want.push_back(
        static_cast<std::uint16_t>((std::bit_cast<std::uint32_t>(x[i]) + ((h ^ h >> 16) & 0xffff)) >> 16));
  }
  return {"round_stochastically",
          "quantisation",
          {input("x", x), output("y", want)},
          {{"round_stochastically", {2}, {128}, {"x", "y", 1234u, 200}}}};
}

}  // namespace

std::vector<Case> quantisation_cases() {
  return {quantize_int8(), dequantize_int8(), quantize_fp8(), fp8_to_half(),     quantize_e5m2(),
          quantize_int4(), int4_gemv(),       int8_matmul(),  quantize_blocks(), round_stochastically()};
}

}  // namespace kgen::corpus
