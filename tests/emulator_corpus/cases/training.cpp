#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "emulator_corpus/cases.hpp"
#include "emulator_corpus/expectation.hpp"
#include "emulator_corpus/values.hpp"

namespace kgen::corpus {
namespace {

Case swiglu() {
  const std::size_t rows = 3, half = 100;
  const auto x = converted<__nv_bfloat16>(reals(rows * 2 * half, 250, -6, 6));
  std::vector<__nv_bfloat16> want;
  for (std::size_t i = 0; i < rows * half; ++i) {
    const std::size_t at = i / half * 2 * half + i % half;
    const double gate = number_of(x[at]), up = number_of(x[at + half]);
    want.push_back(__nv_bfloat16(gate / (1 + std::exp(-gate)) * up));
  }
  return {"swiglu",
          "training",
          {input("x", x), output("y", want, {1e-6, 0x1p-7})},
          {{"swiglu", {rows, 2}, {32}, {"x", "y", static_cast<int>(half / 2)}}}};
}

Case activations() {
  const std::size_t n = 200;
  const auto x = reals(n, 251, -10, 10);
  std::vector<float> want;
  const auto add = [&](auto f) {
    for (const float v : x) want.push_back(static_cast<float>(f(number_of(v))));
  };
  add([](double v) { return std::max(v, 0.0); });
  add([](double v) { return 0.5 * v * std::erfc(-v / std::sqrt(2.0)); });
  add([](double v) {
    return 0.5 * v * (1 + std::tanh(std::sqrt(2 / 3.14159265358979) * (v + 0.044715 * v * v * v)));
  });
  add([](double v) { return v / (1 + std::exp(-v)); });
  add([](double v) { return v * std::tanh(std::log1p(std::exp(v))); });
  add([](double v) { return v > 0 ? v : std::expm1(v); });
  add([](double v) { return std::log1p(std::exp(v)); });
  add([](double v) { return v * std::clamp(v + 3, 0.0, 6.0) / 6; });
  return {"activations",
          "training",
          {input("x", x), output("y", want, {2e-6, 2e-6})},
          {{"activations", {2, 8}, {128}, {"x", "y", int{n}}}}};
}

Case cross_entropy() {
  const std::size_t rows = 4, classes = 130;
  const double smoothing = 0.125;
  const auto logits = reals(rows * classes, 252, -20, 20);
  const std::vector<int> labels = {7, -100, 129, 64};
  std::vector<float> loss, gradient;
  for (std::size_t r = 0; r < rows; ++r) {
    double sum = 0, all = 0;
    for (std::size_t c = 0; c < classes; ++c) {
      sum += std::exp(number_of(logits[r * classes + c]));
      all += number_of(logits[r * classes + c]);
    }
    const auto label = static_cast<std::size_t>(std::max(labels[r], 0));
    const double value =
        std::log(sum) - (1 - smoothing) * number_of(logits[r * classes + label]) - smoothing * all / classes;
    loss.push_back(labels[r] < 0 ? 0.0f : static_cast<float>(value));
    for (std::size_t c = 0; c < classes; ++c) {
      const double target = smoothing / classes + (c == label ? 1 - smoothing : 0);
      const double g = std::exp(number_of(logits[r * classes + c])) / sum - target;
      gradient.push_back(labels[r] < 0 ? 0.0f : static_cast<float>(g));
    }
  }
  return {"cross_entropy",
          "training",
          {input("logits", logits), input("labels", labels), output("loss", loss, {1e-5, 1e-6}),
           output("gradient", gradient, {1e-6, 1e-5})},
          {{"cross_entropy", {rows}, {32}, {"logits", "labels", "loss", "gradient", int{classes}, 0.125f}}}};
}

Case softmax_backward() {
  const std::size_t rows = 3, cols = 90;
  const auto y = reals(rows * cols, 253, 0, 0.02f), dy = reals(rows * cols, 254);
  std::vector<float> want;
  for (std::size_t i = 0; i < y.size(); ++i) {
    double dot = 0;
    for (std::size_t c = i / cols * cols; c < (i / cols + 1) * cols; ++c)
      dot += number_of(y[c]) * number_of(dy[c]);
    want.push_back(static_cast<float>(number_of(y[i]) * (number_of(dy[i]) - dot)));
  }
  return {"softmax_backward",
          "training",
          {input("y", y), input("dy", dy), output("dx", want, {1e-8, 1e-5})},
          {{"softmax_backward", {rows}, {32}, {"y", "dy", "dx", int{cols}}}}};
}

struct AdamSettings {
  float rate = 0.01f, beta1 = 0.9f, beta2 = 0.95f, epsilon = 1e-8f, decay = 0.1f, correction1 = 0.271f,
        correction2 = 0.142625f;
};

Case adam_step() {
  const std::size_t n = 100;
  const AdamSettings s;
  const auto weights = reals(n, 255), first = reals(n, 256, -0.1f, 0.1f), second = reals(n, 257, 0, 0.01f);
  const auto gradient = converted<__half>(reals(n, 258));
  std::vector<float> want_weights, want_first, want_second;
  for (std::size_t i = 0; i < n; ++i) {
    const double g = number_of(gradient[i]);
    const double m = number_of(s.beta1) * number_of(first[i]) + (1 - number_of(s.beta1)) * g;
    const double v = number_of(s.beta2) * number_of(second[i]) + (1 - number_of(s.beta2)) * g * g;
    const double step = m / number_of(s.correction1) / (std::sqrt(v / number_of(s.correction2)) + 1e-8);
    want_first.push_back(static_cast<float>(m));
    want_second.push_back(static_cast<float>(v));
    want_weights.push_back(static_cast<float>(
        number_of(weights[i]) - number_of(s.rate) * (step + number_of(s.decay) * number_of(weights[i]))));
  }
  return {"adam_step",
          "training",
          {changed("weights", weights, want_weights, {2e-7, 1e-6}), input("gradient", gradient),
           changed("first", first, want_first, {1e-8, 1e-6}),
           changed("second", second, want_second, {1e-9, 1e-6})},
          {{"adam_step", {1}, {128}, {"weights", "gradient", "first", "second", s, int{n}}}}};
}

Case clip_gradients() {
  const auto gradient = reals(1000, 259, -2, 2);
  double total = 0;
  for (const float g : gradient) total += number_of(g) * number_of(g);
  std::vector<float> want;
  for (const float g : gradient) want.push_back(static_cast<float>(number_of(g) * 3 / std::sqrt(total)));
  return {"clip_gradients",
          "training",
          {changed("gradient", gradient, want, {0, 3e-7}), workspace<double>("parts", 4),
           zeros<unsigned>("done", 1)},
          {{"clip_gradients", {4}, {128}, {"gradient", "parts", "done", 3.0f, 1000}}}};
}

/// Philox4x32-10, checked against the answer that Random123 publishes for a counter and key of zeros.
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> c, std::uint32_t k0, std::uint32_t k1) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53} * c[0], b = std::uint64_t{0xCD9E8D57} * c[2];
    c = {static_cast<std::uint32_t>(b >> 32) ^ c[1] ^ k0, static_cast<std::uint32_t>(b),
         static_cast<std::uint32_t>(a >> 32) ^ c[3] ^ k1, static_cast<std::uint32_t>(a)};
    k0 += 0x9E3779B9, k1 += 0xBB67AE85;
  }
  return c;
}

Case dropout() {
  const std::size_t n = 70;
  const auto x = reals(4 * n, 260);
  if (philox({0, 0, 0, 0}, 0, 0)[0] != 0x6627e8d5u) return {};
  std::vector<float> want;
  std::vector<unsigned char> mask;
  for (std::uint32_t i = 0; i < n; ++i) {
    const auto bits = philox({i, 0, 7, 0}, 99, 42);
    for (std::size_t j = 0; j < 4; ++j) {
      mask.push_back(bits[j] < 0xc0000000u ? 1 : 0);
      want.push_back(mask.back() != 0 ? x[4 * i + j] / 0.75f : 0.0f);
    }
  }
  return {"dropout",
          "training",
          {input("x", x), output("y", want), output("mask", mask)},
          {{"dropout", {2}, {64}, {"x", "y", "mask", 99u, 0.75f, int{n}}}}};
}

}  // namespace

std::vector<Case> training_cases() {
  return {swiglu(),    activations(),    cross_entropy(), softmax_backward(),
          adam_step(), clip_gradients(), dropout()};
}

}  // namespace kgen::corpus
