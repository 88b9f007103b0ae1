// Whole kernels written with <kgen/sm90.cuh>: the example that prompts show, and what a product and attention
// at full speed are made of.
#include <cmath>
#include <cstring>
#include <random>

#include "prompt/prompt_library.hpp"
#include "sm90_device.hpp"

namespace kgen::test {
namespace {

using Bf16 = std::uint16_t;

Bf16 to_bf16(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return static_cast<Bf16>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
float to_float(Bf16 value) {
  const std::uint32_t bits = static_cast<std::uint32_t>(value) << 16;
  float out = 0;
  std::memcpy(&out, &bits, sizeof out);
  return out;
}

std::vector<Bf16> integers(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Bf16> out(count);
  for (Bf16& value : out) value = to_bf16(static_cast<float>(static_cast<int>(random() % 9) - 4));
  return out;
}
std::vector<Bf16> normal(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> draw;
  std::vector<Bf16> out(count);
  for (Bf16& value : out) value = to_bf16(draw(random));
  return out;
}

/// c[m][n] of a[m][k] and b[k][n], or b[n][k] where `transposed`. Integers: every sum is exact.
std::vector<Bf16> product(const std::vector<Bf16>& a, const std::vector<Bf16>& b, std::size_t m,
                          std::size_t n, std::size_t k, bool transposed) {
  std::vector<Bf16> out(m * n);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      float sum = 0;
      for (std::size_t l = 0; l < k; ++l)
        sum += to_float(a[i * k + l]) * to_float(b[transposed ? j * k + l : l * n + j]);
      out[i * n + j] = to_bf16(sum);
    }
  }
  return out;
}

struct Shape {
  int m, n, k;
};

class Sm90KernelsGpu : public Sm90Gpu {};

TEST_F(Sm90KernelsGpu, TheExampleOfThePromptIsRight) {
  const auto module =
      Sm90Module::of_source(prompt::PromptLibrary::load().value().text("wgmma_example.cu"), {"linear"},
                            {{"STAGES", 4}, {"TMX_BYTES", 16384}, {"TMW_BYTES", 16384}});
  for (Shape s : {Shape{128, 128, 64}, Shape{200, 130, 1000}, Shape{1, 2, 8}}) {
    const auto m = static_cast<std::size_t>(s.m), n = static_cast<std::size_t>(s.n),
               k = static_cast<std::size_t>(s.k);
    const auto x = integers(m * k, 1), w = integers(n * k, 2);
    const DeviceArray device_x(x), device_w(w), device_y(m * n * 2);
    CUtensorMap map_x = tensor_map(device_x, core::DType::bf16, {k, m}, {64, 128}, "128B");
    CUtensorMap map_w = tensor_map(device_w, core::DType::bf16, {k, n}, {64, 128}, "128B");
    CUdeviceptr y = device_y.address();
    Grid grid{static_cast<unsigned>((s.n + 127) / 128), 384, 1024 + 4 * 32768};
    grid.blocks_y = static_cast<unsigned>((s.m + 127) / 128);
    ASSERT_EQ(module.launch("linear", grid, {&map_x, &map_w, &y, &s.m, &s.n, &s.k}), "");
    EXPECT_EQ(device_y.values<Bf16>(), product(x, w, m, n, k, true)) << s.m << " " << s.n << " " << s.k;
  }
}

TEST_F(Sm90KernelsGpu, APersistentProductWithMulticastIsRight) {
  const Sm90Module module("sm90_matmul.cu", {"matmul"}, {{"STAGES", 4}, {"GROUP", 8}});
  for (Shape s : {Shape{256, 256, 64}, Shape{300, 520, 200}, Shape{1100, 1032, 328}}) {
    const auto m = static_cast<std::size_t>(s.m), n = static_cast<std::size_t>(s.n),
               k = static_cast<std::size_t>(s.k);
    const auto a = integers(m * k, 1), b = integers(k * n, 2);
    const DeviceArray device_a(a), device_b(b), device_c(m * n * 2);
    CUtensorMap map_a = tensor_map(device_a, core::DType::bf16, {k, m}, {64, 128}, "128B");
    CUtensorMap map_b = tensor_map(device_b, core::DType::bf16, {n, k}, {64, 64}, "128B");
    CUtensorMap map_c = tensor_map(device_c, core::DType::bf16, {n, m}, {64, 64}, "128B");
    // Few clusters, so that each has several tiles and the ring goes on from one to the next.
    ASSERT_EQ(module.launch("matmul", {4, 384, 1024 + 4 * 49152 + 32768, 2},
                            {&map_a, &map_b, &map_c, &s.m, &s.n, &s.k}),
              "");
    EXPECT_EQ(device_c.values<Bf16>(), product(a, b, m, n, k, false)) << s.m << " " << s.n << " " << s.k;
  }
}

/// The largest difference to fp64, queries [2][s][128], one head of keys.
double attention_error(const std::vector<Bf16>& q, const std::vector<Bf16>& k, const std::vector<Bf16>& v,
                       const std::vector<Bf16>& o, std::size_t s, bool causal) {
  double worst = 0;
  for (std::size_t row = 0; row < 2 * s; ++row) {
    const std::size_t keys = causal ? row % s + 1 : s;
    std::vector<double> p(keys);
    double sum = 0;
    for (std::size_t j = 0; j < keys; ++j) {
      double dot = 0;
      for (std::size_t d = 0; d < 128; ++d) dot += to_float(q[row * 128 + d]) * to_float(k[j * 128 + d]);
      sum += p[j] = std::exp(dot / std::sqrt(128.0));
    }
    for (std::size_t d = 0; d < 128; ++d) {
      double want = 0;
      for (std::size_t j = 0; j < keys; ++j) want += p[j] / sum * to_float(v[j * 128 + d]);
      worst = std::max(worst, std::abs(want - to_float(o[row * 128 + d])));
    }
  }
  return worst;
}

TEST_F(Sm90KernelsGpu, AttentionOfTwoOverlappedProductsIsRight) {
  for (const bool causal : {false, true}) {
    const Sm90Module module("sm90_attention.cu", {"attention"}, {{"CAUSAL", causal ? 1 : 0}});
    for (const std::size_t s : {std::size_t{128}, std::size_t{300}, std::size_t{1024}}) {
      const auto q = normal(2 * s * 128, 1), k = normal(s * 128, 2), v = normal(s * 128, 3);
      const DeviceArray device_q(q), device_k(k), device_v(v), device_o(q.size() * 2);
      const auto map = [&](const DeviceArray& array, std::size_t heads, std::vector<std::uint32_t> box) {
        return tensor_map(array, core::DType::bf16, {64, s, 2, heads}, box, "128B", {256, 128, s * 256});
      };
      CUtensorMap mq = map(device_q, 2, {64, 128, 2, 1}), mk = map(device_k, 1, {64, 128, 2, 1}),
                  mv = map(device_v, 1, {64, 128, 2, 1}), mo = map(device_o, 2, {64, 64, 1, 1});
      int length = static_cast<int>(s), query_heads = 2, key_heads = 1;
      float scale = 0.088388347648318447f;
      Grid grid{static_cast<unsigned>((s + 127) / 128), 384, 1024 + 5 * 32768};
      grid.blocks_y = 2;
      ASSERT_EQ(
          module.launch("attention", grid, {&mq, &mk, &mv, &mo, &length, &query_heads, &key_heads, &scale}),
          "");
      EXPECT_LT(attention_error(q, k, v, device_o.values<Bf16>(), s, causal), 0.02)
          << s << " causal " << causal;
    }
  }
}

}  // namespace
}  // namespace kgen::test
