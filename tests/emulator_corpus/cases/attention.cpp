#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <cmath>

#include "emulator_corpus/cases.hpp"
#include "emulator_corpus/expectation.hpp"
#include "emulator_corpus/values.hpp"

namespace kgen::corpus {
namespace {

std::vector<double> softmax(std::vector<double> logits) {
  const double largest = *std::ranges::max_element(logits);
  double sum = 0;
  for (double& v : logits) sum += v = std::exp(v - largest);
  for (double& v : logits) v /= sum;
  return logits;
}

/// Attention of one query on the keys of the rows given.
template <class T>
std::vector<double> attention(const T* q, const std::vector<T>& k, const std::vector<T>& v,
                              const std::vector<std::size_t>& rows, std::size_t dim, double scale) {
  std::vector<double> logits, out(dim);
  for (const std::size_t row : rows) {
    double sum = 0;
    for (std::size_t d = 0; d < dim; ++d) sum += number_of(q[d]) * number_of(k[row * dim + d]);
    logits.push_back(sum * scale);
  }
  const auto weights = softmax(logits);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t d = 0; d < dim; ++d) out[d] += weights[i] * number_of(v[rows[i] * dim + d]);
  }
  return out;
}

Case attend() {
  const std::size_t heads = 4, groups = 2, length = 37, dim = 64, window = 20;
  const auto q = reals(heads * length * dim, 230), k = reals(groups * length * dim, 231),
             v = reals(groups * length * dim, 232);
  std::vector<float> want;
  for (std::size_t i = 0; i < heads * length; ++i) {
    const std::size_t query = i % length, group = i / length / (heads / groups);
    std::vector<std::size_t> rows;
    for (std::size_t key = query + 1 - std::min(window, query + 1); key <= query; ++key)
      rows.push_back(group * length + key);
    for (const double value : attention(&q[i * dim], k, v, rows, dim, 0.25))
      want.push_back(static_cast<float>(value));
  }
  return {"attend",
          "attention",
          {input("q", q), input("k", k), input("v", v), output("out", want, {1e-5, 0})},
          {{"attend",
            {10, heads},
            {32, 4},
            {"q", "k", "v", "out", int{length}, int{heads}, int{groups}, int{window}, 0.25f}}}};
}

Case attend_pages() {
  const std::size_t sequences = 3, dim = 32, most_pages = 5, parts = 3;
  const std::vector<int> lengths = {40, 13, 22};
  const auto order = permutation(15, 233);
  const auto q = converted<__half>(reals(sequences * dim, 234)),
             k = converted<__half>(reals(15 * 8 * dim, 235)), v = converted<__half>(reals(15 * 8 * dim, 236));
  std::vector<__half> want;
  for (std::size_t s = 0; s < sequences; ++s) {
    std::vector<std::size_t> rows;
    for (std::size_t key = 0; key < static_cast<std::size_t>(lengths[s]); ++key)
      rows.push_back(static_cast<std::size_t>(order[s * most_pages + key / 8]) * 8 + key % 8);
    for (const double value : attention(&q[s * dim], k, v, rows, dim, 1 / std::sqrt(32.0)))
      want.push_back(__half(value));
  }
  return {
      "attend_pages",
      "attention",
      {input("q", q), input("keys", k), input("values", v), input("pages", order), input("lengths", lengths),
       workspace<float>("part_out", sequences * parts * dim), workspace<float>("part_max", sequences * parts),
       workspace<float>("part_sum", sequences * parts), output("out", want, {1e-5, 0x1p-10})},
      {{"attend_pages",
        {sequences, parts},
        {dim},
        {"q", "keys", "values", "pages", "lengths", "part_out", "part_max", "part_sum", int{most_pages}}},
       {"combine_parts", {sequences}, {dim}, {"part_out", "part_max", "part_sum", "out", int{parts}}}}};
}

Case rotate_positions() {
  const std::size_t tokens = 6, dim = 64;
  const auto x = reals(tokens * dim, 237);
  const auto positions = integers(tokens, 238, 0, 2000);
  std::vector<float> want = x;
  for (std::size_t t = 0; t < tokens; ++t) {
    for (std::size_t i = 0; i < dim / 2; ++i) {
      const double angle =
          positions[t] * std::pow(10000.0, -2.0 * static_cast<double>(i) / static_cast<double>(dim));
      const double a = number_of(x[t * dim + i]), b = number_of(x[t * dim + dim / 2 + i]);
      want[t * dim + i] = static_cast<float>(a * std::cos(angle) - b * std::sin(angle));
      want[t * dim + dim / 2 + i] = static_cast<float>(b * std::cos(angle) + a * std::sin(angle));
    }
  }
  // The angle itself is an f32: half an ulp of 2000 is 6e-5, and powf adds two of its own.
  return {"rotate_positions",
          "attention",
          {changed("x", x, want, {4e-4, 0}), input("positions", positions)},
          {{"rotate_positions", {tokens}, {dim / 2}, {"x", "positions", int{dim}, 10000.0f}}}};
}

Case append_keys() {
  const std::size_t dim = 48;
  const auto fresh = converted<__nv_bfloat16>(reals(5 * dim, 239)),
             before = converted<__nv_bfloat16>(reals(16 * dim, 240));
  const std::vector<long long> slots = {3, -1, 11, 15, 0};
  auto want = before;
  for (std::size_t i = 0; i < 5; ++i) {
    if (slots[i] >= 0) std::copy_n(&fresh[i * dim], dim, &want[static_cast<std::size_t>(slots[i]) * dim]);
  }
  return {"append_keys",
          "attention",
          {input("fresh", fresh), input("slots", slots), changed("cache", before, want)},
          {{"append_keys", {5}, {32}, {"fresh", "slots", "cache", int{dim}}}}};
}

Case biased_softmax() {
  const std::size_t rows = 9, cols = 70;
  const auto logits = reals(rows * cols, 241, -8, 8);
  auto mask = integers<unsigned char>(rows * cols, 242, 0, 1);
  std::fill_n(mask.begin() + 4 * cols, cols, static_cast<unsigned char>(0));
  std::vector<float> want(rows * cols);
  for (std::size_t r = 0; r < rows; ++r) {
    std::vector<double> open;
    for (std::size_t c = 0; c < cols; ++c) {
      const double distance = std::abs(static_cast<double>(r) - static_cast<double>(c));
      if (mask[r * cols + c] != 0) open.push_back(number_of(logits[r * cols + c]) - 0.125 * distance);
    }
    if (open.empty()) continue;
    const auto weights = softmax(open);
    std::size_t next = 0;
    for (std::size_t c = 0; c < cols; ++c)
      want[r * cols + c] = mask[r * cols + c] != 0 ? static_cast<float>(weights[next++]) : 0.0f;
  }
  return {"biased_softmax",
          "attention",
          {changed("logits", logits, want, {0, 5e-6}), input("mask", mask)},
          {{"biased_softmax", {rows}, {32}, {"logits", "mask", int{cols}, 0.125f}}}};
}

}  // namespace

std::vector<Case> attention_cases() {
  return {attend(), attend_pages(), rotate_positions(), append_keys(), biased_softmax()};
}

}  // namespace kgen::corpus
