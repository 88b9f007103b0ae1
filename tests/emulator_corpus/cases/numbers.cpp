#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <cmath>

#include "emulator_corpus/cases.hpp"
#include "emulator_corpus/expectation.hpp"
#include "emulator_corpus/values.hpp"

namespace kgen::corpus {
namespace {

/// `value` rounded to a grid: nearest even, towards zero, up, down.
double rounded_on_grid(double value, double unit, int direction) {
  const double scaled = value / unit;
  const double whole = direction == 0   ? std::nearbyint(scaled)
                       : direction == 1 ? std::trunc(scaled)
                       : direction == 2 ? std::ceil(scaled)
                                        : std::floor(scaled);
  return whole * unit;
}
double rounded_narrow(double value, int mantissa_bits, int least_exponent, int direction) {
  if (value == 0) return value;
  return rounded_on_grid(value, std::ldexp(1.0, std::max(std::ilogb(value), least_exponent) - mantissa_bits),
                         direction);
}

Case convert_floats() {
  const int n = 100;
  auto x = reals(n, 330, -3000, 3000);
  for (std::size_t i = 0; i < 40; ++i) x[i] = std::ldexp(x[i], -static_cast<int>(i));
  x[50] = 2.5f, x[51] = -3.5f, x[52] = 0.5f;
  std::vector<int> whole;
  std::vector<__half> halves;
  std::vector<__nv_bfloat16> brains;
  for (const float f : x) {
    const double v = number_of(f);
    for (const double i : {std::nearbyint(v), std::trunc(v), std::ceil(v), std::floor(v), std::nearbyint(v),
                           std::trunc(v), std::ceil(v), std::round(v)})
      whole.push_back(static_cast<int>(i));
    for (int direction = 0; direction < 4; ++direction) {
      // A zero that came of a negative number keeps its sign.
      halves.push_back(__half(std::copysign(rounded_narrow(v, 10, -14, direction), v)));
      brains.push_back(__nv_bfloat16(std::copysign(rounded_narrow(v, 7, -126, direction), v)));
    }
  }
  return {"convert_floats",
          "numbers",
          {input("x", x), output("integers", whole), output("halves", halves), output("brains", brains)},
          {{"convert_floats", {1}, {128}, {"x", "integers", "halves", "brains", n}}}};
}

Case convert_wide() {
  const int n = 60;
  auto x = doubles(n, 331, -1e9, 1e9);
  for (std::size_t i = 0; i < 30; ++i) x[i] = std::ldexp(x[i], static_cast<int>(i));
  std::vector<std::int64_t> whole;
  std::vector<float> floats;
  std::vector<double> back;
  for (const double v : x) {
    const auto magnitude = static_cast<std::uint64_t>(std::abs(v));
    whole.push_back(static_cast<std::int64_t>(std::nearbyint(v)));
    whole.push_back(static_cast<std::int64_t>(std::floor(v)));
    whole.push_back(static_cast<std::int64_t>(magnitude));
    floats.push_back(static_cast<float>(v));
    floats.push_back(static_cast<float>(rounded_narrow(v, 23, -126, 2)));
    back.push_back(static_cast<double>(static_cast<std::int64_t>(v)));
    back.push_back(number_of(static_cast<float>(magnitude)));
    back.push_back(v);
  }
  return {"convert_wide",
          "numbers",
          {input("x", x), output("integers", whole), output("floats", floats), output("back", back)},
          {{"convert_wide", {1}, {64}, {"x", "integers", "floats", "back", n}}}};
}

Case half_arithmetic() {
  const int n = 80;
  const auto a = converted<__half>(reals(2 * n, 332, -8, 8)), b = converted<__half>(reals(2 * n, 333, -8, 8));
  std::vector<__half> want;
  for (std::size_t i = 0; i < 2 * n; i += 2) {
    const auto both = [&](auto f) {
      for (std::size_t j = i; j < i + 2; ++j)
        want.push_back(__half(static_cast<double>(f(number_of(a[j]), number_of(b[j])))));
    };
    both([](double u, double v) { return u + v; });
    both([](double u, double v) { return u * v; });
    both([](double u, double v) { return u * v + u; });
    both([](double u, double v) { return std::max(u, v); });
    both([](double u, double v) { return -u - v; });
    both([](double u, double v) { return std::clamp(std::abs(u) + v, 0.0, 1.0); });
  }
  return {"half_arithmetic",
          "numbers",
          {input("a", a), input("b", b), output("y", want)},
          {{"half_arithmetic", {1}, {96}, {"a", "b", "y", n}}}};
}

Case half_comparisons() {
  const float some[] = {0.0f, -0.0f, 1.0f, -1.0f, 2.5f, INFINITY, -INFINITY, NAN};
  std::vector<__half> a, b;
  std::vector<std::uint32_t> want;
  for (int i = 0; i < 64; ++i) {
    const float x[2] = {some[i % 8], some[(i + 3) % 8]}, y[2] = {some[i / 8], some[(i / 8 + i) % 8]};
    for (const float v : x) a.emplace_back(v);
    for (const float v : y) b.emplace_back(v);
    const auto both = [&](std::uint32_t true_bits, auto holds) {
      want.push_back((holds(x[0], y[0]) ? true_bits : 0) | (holds(x[1], y[1]) ? true_bits << 16 : 0));
    };
    both(0x3c00, [](float u, float v) { return u < v; });
    both(0x3c00, [](float u, float v) { return !(u < v); });
    both(0x3c00, [](float u, float) { return std::isnan(u); });
    both(0xffff, [](float u, float v) { return u == v; });
    both(0xffff, [](float u, float v) { return u != v; });
    both(0xffff, [](float u, float v) { return u <= v; });
    both(0xffff, [](float u, float v) { return !(u <= v); });
  }
  return {"half_comparisons",
          "numbers",
          {input("a", a), input("b", b), output("y", want)},
          {{"half_comparisons", {1}, {64}, {"a", "b", "y", 64}}}};
}

using Function = double (*)(double);

Case float_library() {
  const std::size_t n = 100;
  const auto x = reals(n, 334, -20, 20);
  static constexpr Function kFunctions[] = {
      [](double v) { return std::sin(v); },
      [](double v) { return std::cos(v); },
      [](double v) { return std::tan(v); },
      [](double v) { return std::exp(v * 0.25); },
      [](double v) { return std::log(std::abs(v)); },
      [](double v) { return std::pow(std::abs(v), 1.5); },
      [](double v) { return std::erf(v); },
      [](double v) { return std::tgamma(number_of(std::fma(std::abs(static_cast<float>(v)), 0.25f, 0.5f))); },
      [](double v) { return std::lgamma(std::abs(v) + 0.25); },
      [](double v) { return std::atan2(v, 3.0); },
      [](double v) { return std::tanh(v); },
      [](double v) { return std::cbrt(v); },
      [](double v) { return std::log1p(std::abs(v)); },
      [](double v) { return std::asinh(v); },
      [](double v) { return std::exp2(v * 0.5); },
      [](double v) { return std::log10(std::abs(v)); },
      [](double v) { return std::fmod(v, number_of(1.7f)); },
      [](double v) { return std::hypot(v, 2.0); },
      [](double v) { return std::erfc(v * 0.25); },
      [](double v) { return std::acos(number_of(static_cast<float>(v) * 0.04f)); }};
  std::vector<float> want;
  for (const Function f : kFunctions) {
    for (const float v : x) want.push_back(static_cast<float>(f(number_of(v))));
  }
  // CUDA C++ Programming Guide, "Mathematical Functions": at most 5 to 8 ulp for these on such arguments.
  return {"float_library",
          "numbers",
          {input("x", x), output("y", want, {3e-7, 2e-6})},
          {{"float_library", {1, 20}, {128}, {"x", "y", int{n}}}}};
}

Case double_library() {
  const std::size_t n = 50;
  const auto x = doubles(n, 335, -5, 5);
  static const double kRoot2 = std::sqrt(2.0), kPi = std::acos(-1.0);
  static constexpr Function kFunctions[] = {[](double v) { return std::sin(v); },
                                            [](double v) { return std::cos(v); },
                                            [](double v) { return std::tan(v); },
                                            [](double v) { return std::exp(v * 0.5); },
                                            [](double v) { return std::log(std::abs(v) + 0.125); },
                                            [](double v) { return std::pow(std::abs(v) + 0.125, 2.5); },
                                            [](double v) { return std::erf(v); },
                                            [](double v) { return std::tgamma((std::abs(v) + 0.125) * 0.5); },
                                            [](double v) { return std::lgamma(std::abs(v) + 0.125); },
                                            [](double v) { return std::atan2(v, 2.0); },
                                            [](double v) { return std::tanh(v); },
                                            [](double v) { return std::cbrt(v); },
                                            [](double v) { return std::sqrt(std::abs(v) + 0.125); },
                                            [](double v) { return 1 / std::sqrt(std::abs(v) + 0.125); },
                                            [](double v) { return std::expm1(v * 0.1); },
                                            [](double v) { return std::fmod(v, 0.7); },
                                            [](double v) { return std::asinh(v); },
                                            [](double v) { return std::sin(kPi * std::remainder(v, 2.0)); },
                                            [](double v) { return std::erfc(v * 0.25); },
                                            [](double v) { return ::j0(std::abs(v) + 0.125); },
                                            [](double v) { return 0.5 * std::erfc(-v / kRoot2); },
                                            [](double v) { return std::remainder(v, 0.7); }};
  std::vector<double> want;
  for (const Function f : kFunctions) {
    for (const double v : x) want.push_back(f(v));
  }
  return {"double_library",
          "numbers",
          {input("x", x), output("y", want, {5e-15, 5e-15})},
          {{"double_library", {1}, {64}, {"x", "y", int{n}}}}};
}

Case fast_intrinsics() {
  const std::size_t n = 60;
  const auto x = reals(n, 336, -3, 3);
  static constexpr Function kFunctions[] = {[](double v) { return std::sin(v); },
                                            [](double v) { return std::cos(v); },
                                            [](double v) { return std::exp(v); },
                                            [](double v) { return std::log(v + 4); },
                                            [](double v) { return std::pow(v + 4, 1.5); },
                                            [](double v) { return v / 3; },
                                            [](double v) { return 1 / std::sqrt(v + 4); },
                                            [](double v) { return 1 / (v + 4); },
                                            [](double v) { return std::sqrt(v + 4); },
                                            [](double v) { return std::clamp(v, 0.0, 1.0); },
                                            [](double v) { return v / 3; }};
  std::vector<float> want;
  for (const Function f : kFunctions) {
    for (const float v : x) want.push_back(static_cast<float>(f(number_of(v))));
  }
  return {"fast_intrinsics",
          "numbers",
          {input("x", x), output("y", want, {1e-6, 2e-6})},
          {{"fast_intrinsics", {1}, {64}, {"x", "y", int{n}}}}};
}

Case dissect() {
  const std::size_t n = 40;
  auto x = doubles(n, 337, -4, 4);
  for (std::size_t i = 0; i < n; ++i) x[i] = std::ldexp(x[i], static_cast<int>(i * 3) - 50);
  std::vector<double> want;
  std::vector<int> exponents;
  for (std::size_t i = 0; i < n; ++i) {
    int e = 0;
    double whole = 0;
    want.push_back(std::frexp(x[i], &e));
    want.push_back(std::modf(x[i], &whole));
    want.push_back(whole);
    want.push_back(std::ldexp(x[i], static_cast<int>(i % 7) - 3));
    want.push_back(std::nextafter(x[i], 1e30));
    want.push_back(std::copysign(std::fma(x[i], x[i], -1.0), x[i]));
    exponents.push_back(e);
    exponents.push_back(std::ilogb(x[i]) * 10 + (std::signbit(x[i]) ? 1 : 0) + 2);
  }
  return {"dissect",
          "numbers",
          {input("x", x), output("y", want), output("exponents", exponents)},
          {{"dissect", {1}, {64}, {"x", "y", "exponents", int{n}}}}};
}

}  // namespace

std::vector<Case> number_cases() {
  return {convert_floats(), convert_wide(),   half_arithmetic(), half_comparisons(),
          float_library(),  double_library(), fast_intrinsics(), dissect()};
}

}  // namespace kgen::corpus
