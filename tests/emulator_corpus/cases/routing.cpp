#include <algorithm>
#include <cmath>
#include <numeric>

#include "emulator_corpus/cases.hpp"
#include "emulator_corpus/expectation.hpp"
#include "emulator_corpus/values.hpp"

namespace kgen::corpus {
namespace {

/// A layer of experts computed token by token.
struct ExpertLayer {
  static constexpr std::size_t tokens = 50, count = 6, inner = 32, cols = 40;
  std::vector<float> logits = reals(tokens * count, 220, -3, 3), x = reals(tokens * inner, 221),
                     weights = reals(count * inner * cols, 222);
  std::vector<int> experts, offsets, places, sources;
  std::vector<float> gates, products, out;

  ExpertLayer() {
    route();
    order();
    multiply();
  }
  void route() {
    for (std::size_t t = 0; t < tokens; ++t) {
      std::vector<std::size_t> by_logit(count);
      std::iota(by_logit.begin(), by_logit.end(), t * count);
      std::ranges::stable_sort(by_logit, std::greater<>(), [&](std::size_t i) { return logits[i]; });
      const double a = std::exp(number_of(logits[by_logit[0]])), b = std::exp(number_of(logits[by_logit[1]]));
      for (const std::size_t i : {by_logit[0], by_logit[1]})
        experts.push_back(static_cast<int>(i - t * count));
      gates.push_back(static_cast<float>(a / (a + b)));
      gates.push_back(static_cast<float>(b / (a + b)));
    }
  }
  void order() {
    sources.resize(experts.size());
    std::iota(sources.begin(), sources.end(), 0);
    std::ranges::stable_sort(sources, {}, [&](int pair) { return experts[static_cast<std::size_t>(pair)]; });
    places.resize(experts.size());
    for (std::size_t i = 0; i < sources.size(); ++i)
      places[static_cast<std::size_t>(sources[i])] = static_cast<int>(i);
    for (int e = 0; e <= static_cast<int>(count); ++e)
      offsets.push_back(static_cast<int>(std::ranges::count_if(experts, [&](int of) { return of < e; })));
  }
  void multiply() {
    out.resize(tokens * cols);
    for (const int source : sources) {
      const auto pair = static_cast<std::size_t>(source), expert = static_cast<std::size_t>(experts[pair]);
      for (std::size_t c = 0; c < cols; ++c) {
        double sum = 0;
        for (std::size_t k = 0; k < inner; ++k)
          sum += number_of(x[pair / 2 * inner + k]) * number_of(weights[(expert * inner + k) * cols + c]);
        products.push_back(static_cast<float>(sum));
        out[pair / 2 * cols + c] += static_cast<float>(sum * number_of(gates[pair]));
      }
    }
  }
};

/// Four launches after one another, each on what the one before made.
Case expert_layer() {
  const ExpertLayer layer;
  const int pairs = 2 * ExpertLayer::tokens, count = ExpertLayer::count, inner = ExpertLayer::inner,
            cols = ExpertLayer::cols;
  return {"expert_layer",
          "routing",
          {input("logits", layer.logits), input("x", layer.x), input("weights", layer.weights),
           output("experts", layer.experts), output("gates", layer.gates, {0, 1e-6}),
           output("offsets", layer.offsets), output("places", layer.places), output("sources", layer.sources),
           output("y", layer.products, {5e-6, 0}), output("out", layer.out, {5e-6, 0})},
          {{"top2_gates", {2}, {32}, {"logits", "experts", "gates", pairs / 2, count}},
           {"expert_offsets", {1}, {64}, {"experts", "offsets", pairs, count}},
           {"expert_places", {6}, {32}, {"experts", "offsets", "places", "sources", pairs}},
           {"grouped_matmul", {3, 1, 6}, {16, 16}, {"x", "weights", "offsets", "sources", "y", inner, cols}},
           {"combine_experts", {50}, {32}, {"y", "gates", "places", "out", cols}}}};
}

Case limit_capacity() {
  const auto experts = integers(90, 223, 0, 5);
  std::vector<int> used(6), slots;
  for (const int expert : experts) {
    const int place = used[static_cast<std::size_t>(expert)]++;
    slots.push_back(place < 12 ? place : -1);
  }
  return {"limit_capacity",
          "routing",
          {input("experts", experts), output("slots", slots)},
          {{"limit_capacity", {1}, {32}, {"experts", "slots", 90, 12}}}};
}

}  // namespace

std::vector<Case> routing_cases() {
  return {expert_layer(), limit_capacity()};
}

}  // namespace kgen::corpus
