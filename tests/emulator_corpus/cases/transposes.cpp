#include <cuda_fp16.h>

#include "emulator_corpus/cases.hpp"
#include "emulator_corpus/expectation.hpp"
#include "emulator_corpus/values.hpp"

namespace kgen::corpus {
namespace {

template <class T>
std::vector<T> transposed(const std::vector<T>& x, std::size_t rows, std::size_t cols) {
  std::vector<T> out;
  for (std::size_t c = 0; c < cols; ++c) {
    for (std::size_t r = 0; r < rows; ++r) out.push_back(x[r * cols + c]);
  }
  return out;
}

template <class T>
Case transpose(const std::string& type) {
  const std::size_t rows = 45, cols = 70;
  const auto x = integers<T>(rows * cols, 100, -100, 100);
  return {"transpose_" + type,
          "transposes",
          {input("x", x), output("y", transposed(x, rows, cols))},
          {{"transpose<" + type + ">", {3, 2}, {32, 8}, {"x", "y", int{rows}, int{cols}}}}};
}

Case transpose_shuffles() {
  const auto x = integers(1024, 101, -9999, 9999);
  return {"transpose_shuffles",
          "transposes",
          {input("x", x), output("y", transposed(x, 32, 32))},
          {{"transpose_shuffles", {1}, {32}, {"x", "y"}}}};
}

Case nchw_to_nhwc() {
  const std::size_t batch = 2, channels = 5, height = 3, width = 40, image = channels * height * width;
  const auto x = converted<__half>(reals(batch * image, 102));
  std::vector<__half> want;
  for (std::size_t n = 0; n < batch; ++n) {
    const std::vector<__half> one(&x[n * image], &x[n * image] + image);
    const auto moved = transposed(one, channels, height * width);
    want.insert(want.end(), moved.begin(), moved.end());
  }
  return {"nchw_to_nhwc",
          "transposes",
          {input("x", x), output("y", want)},
          {{"nchw_to_nhwc", {2, height, batch}, {32}, {"x", "y", int{channels}, int{height}, int{width}}}}};
}

Case transpose_in_place() {
  const auto x = reals(48 * 48, 103);
  return {"transpose_in_place",
          "transposes",
          {changed("x", x, transposed(x, 48, 48))},
          {{"transpose_in_place", {3, 3}, {16, 16}, {"x", 48}}}};
}

struct Permutation {
  int extent[4] = {3, 4, 5, 6};
  int order[4] = {2, 0, 3, 1};
};

Case permute4() {
  const auto x = doubles(360, 104);
  std::vector<double> want;
  for (std::size_t c = 0; c < 5; ++c) {
    for (std::size_t a = 0; a < 3; ++a) {
      for (std::size_t d = 0; d < 6; ++d) {
        for (std::size_t b = 0; b < 4; ++b) want.push_back(x[((a * 4 + b) * 5 + c) * 6 + d]);
      }
    }
  }
  return {"permute4",
          "transposes",
          {input("x", x), output("y", want)},
          {{"permute4", {3}, {128}, {"x", "y", Permutation{}, 360}}}};
}

Case deinterleave() {
  const auto x = reals(400, 105), parts = transposed(x, 200, 2);
  return {"deinterleave",
          "transposes",
          {input("x", x), output("re", std::vector<float>(parts.begin(), parts.begin() + 200)),
           output("im", std::vector<float>(parts.begin() + 200, parts.end()))},
          {{"deinterleave", {2}, {64}, {"x", "re", "im", 100}}}};
}

Case rotate_image() {
  const std::size_t height = 13, width = 21;
  const auto x = integers<unsigned char>(height * width * 3, 106, 0, 255);
  std::vector<unsigned char> want;
  for (std::size_t c = 0; c < width; ++c) {
    for (std::size_t r = height; r-- > 0;)
      want.insert(want.end(), &x[(r * width + c) * 3], &x[(r * width + c) * 3] + 3);
  }
  return {"rotate_image",
          "transposes",
          {input("x", x), output("y", want)},
          {{"rotate_image", {2, 2}, {16, 8}, {"x", "y", int{height}, int{width}}}}};
}

Case transpose_bits() {
  const auto x = converted<unsigned>(random_bits(64, 107));
  std::vector<unsigned> want(64);
  for (std::size_t i = 0; i < 64; ++i) {
    for (std::size_t bit = 0; bit < 32; ++bit) want[i / 32 * 32 + bit] |= (x[i] >> bit & 1u) << i % 32;
  }
  return {"transpose_bits",
          "transposes",
          {input("x", x), output("y", want)},
          {{"transpose_bits", {2}, {32}, {"x", "y"}}}};
}

}  // namespace

std::vector<Case> transpose_cases() {
  return {transpose<float>("float"),
          transpose<signed char>("char"),
          transpose<double>("double"),
          transpose_shuffles(),
          nchw_to_nhwc(),
          transpose_in_place(),
          permute4(),
          deinterleave(),
          rotate_image(),
          transpose_bits()};
}

}  // namespace kgen::corpus
