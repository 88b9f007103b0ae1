#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <optional>

#include "sm90_device.hpp"

namespace kgen::test {
namespace {

class Sm90TmaGpu : public Sm90Gpu {
 protected:
  static const Sm90Module& module() {
    static const Sm90Module instance("sm90_tma.cu", {"load_box<1, Swizzle::none>",
                                                     "load_box<2, Swizzle::none>",
                                                     "load_box<2, Swizzle::b32>",
                                                     "load_box<2, Swizzle::b64>",
                                                     "load_box<2, Swizzle::b128>",
                                                     "load_box<3, Swizzle::b128>",
                                                     "load_box<4, Swizzle::b64>",
                                                     "load_box<5, Swizzle::b32>",
                                                     "load_with_hints",
                                                     "store_box<1, false>",
                                                     "store_box<2, false>",
                                                     "store_box<3, false>",
                                                     "store_box<4, false>",
                                                     "store_box<5, false>",
                                                     "store_box<2, true>",
                                                     "bulk_copy",
                                                     "multicast",
                                                     "neighbours",
                                                     "ring<3>",
                                                     "turns",
                                                     "elect",
                                                     "wait_for_nothing",
                                                     "registers"});
    return instance;
  }
};

/// A tensor of 32-bit words 0, 1, 2, ... and boxes of it, by index.
struct Words {
  std::vector<std::uint64_t> dims;
  std::vector<std::uint32_t> box;

  std::size_t size() const {
    return static_cast<std::size_t>(
        std::accumulate(dims.begin(), dims.end(), std::uint64_t{1}, std::multiplies<>()));
  }
  unsigned box_words() const { return std::accumulate(box.begin(), box.end(), 1u, std::multiplies<>()); }
  std::vector<unsigned> values() const {
    std::vector<unsigned> out(size());
    std::iota(out.begin(), out.end(), 1u);
    return out;
  }
  /// Index of the box's element `at`, the box at `corner`; nothing outside the tensor.
  std::optional<std::size_t> index(const std::vector<int>& corner, unsigned at) const {
    std::size_t out = 0, stride = 1;
    for (std::size_t d = 0; d < dims.size(); ++d) {
      const std::int64_t c = corner[d] + static_cast<std::int64_t>(at % box[d]);
      at /= box[d];
      if (c < 0 || c >= static_cast<std::int64_t>(dims[d])) return std::nullopt;
      out += static_cast<std::size_t>(c) * stride;
      stride *= dims[d];
    }
    return out;
  }
};

/// The corner that the kernels use: (c, 1, 2, 1, 1), cut to the rank.
std::vector<int> corner_of(std::size_t rank, int c) {
  std::vector<int> out = {c, 1, 2, 1, 1};
  out.resize(rank);
  return out;
}

struct BoxCase {
  Words words;
  std::string swizzle, code;
  int c = 0;
};

std::vector<BoxCase> box_cases() {
  return {{{{100}, {32}}, "none", "none", 80},  // ends outside
          {{{40, 9}, {12, 8}}, "none", "none", 4},
          {{{40, 9}, {8, 8}}, "32B", "b32", 4},
          {{{40, 9}, {16, 8}}, "64B", "b64", -4},  // begins outside
          {{{64, 30}, {32, 16}}, "128B", "b128", 36},
          {{{64, 10, 5}, {32, 4, 2}}, "128B", "b128", 8},
          {{{32, 5, 6, 3}, {16, 4, 3, 2}}, "64B", "b64", 16},
          {{{16, 4, 5, 3, 3}, {8, 2, 2, 2, 2}}, "32B", "b32", 4}};
}

TEST_F(Sm90TmaGpu, LoadsBoxesOfEveryRankAndSwizzleWithZerosOutside) {
  for (const BoxCase& box : box_cases()) {
    const std::size_t rank = box.words.dims.size();
    const DeviceArray in(box.words.values());
    const DeviceArray out(box.words.box_words() * sizeof(unsigned));
    CUtensorMap map = tensor_map(in, core::DType::u32, box.words.dims, box.words.box, box.swizzle);
    CUdeviceptr to = out.address();
    int bytes = static_cast<int>(box.words.box_words() * sizeof(unsigned)), c = box.c;
    const std::string kernel = "load_box<" + std::to_string(rank) + ", Swizzle::" + box.code + ">";
    ASSERT_EQ(module().launch(kernel, {1, 128, 16384}, {&map, &to, &bytes, &c}), "") << kernel;
    const std::vector<unsigned> got = out.values<unsigned>();
    for (unsigned at = 0; at < box.words.box_words(); ++at) {
      const auto index = box.words.index(corner_of(rank, box.c), at);
      ASSERT_EQ(got[at], index ? *index + 1 : 0) << kernel << " element " << at;
    }
  }
}

TEST_F(Sm90TmaGpu, LoadsWithCachePoliciesAfterAPrefetch) {
  const Words words{{64, 8}, {32, 8}};
  const DeviceArray in(words.values()), out(2 * words.box_words() * sizeof(unsigned));
  CUtensorMap map = tensor_map(in, core::DType::u32, words.dims, words.box);
  CUdeviceptr to = out.address();
  int bytes = static_cast<int>(words.box_words() * sizeof(unsigned));
  ASSERT_EQ(module().launch("load_with_hints", {1, 128, 16384}, {&map, &to, &bytes}), "");
  const std::vector<unsigned> got = out.values<unsigned>();
  for (unsigned at = 0; at < 2 * words.box_words(); ++at)
    ASSERT_EQ(got[at], *words.index({0, 0}, at % words.box_words()) + 1) << at;
}

TEST_F(Sm90TmaGpu, StoresBoxesOfEveryRankAndCutsThemOff) {
  const std::vector<Words> tensors = {{{100}, {32}},
                                      {{64, 5}, {32, 8}},
                                      {{64, 10, 3}, {32, 4, 2}},
                                      {{64, 5, 6, 3}, {32, 4, 3, 2}},
                                      {{64, 4, 5, 3, 3}, {32, 2, 2, 2, 2}}};
  for (const Words& words : tensors) {
    const std::size_t rank = words.dims.size();
    std::vector<unsigned> values(words.box_words());
    std::iota(values.begin(), values.end(), 7u);
    const DeviceArray in(values), out(words.size() * sizeof(unsigned));
    CUtensorMap map = tensor_map(out, core::DType::u32, words.dims, words.box, "128B");
    CUdeviceptr from = in.address();
    int bytes = static_cast<int>(words.box_words() * sizeof(unsigned)), c = rank == 1 ? 80 : 40;
    const std::string kernel = "store_box<" + std::to_string(rank) + ", false>";
    ASSERT_EQ(module().launch(kernel, {1, 128, 16384}, {&map, &from, &bytes, &c}), "") << kernel;
    std::vector<unsigned> want(words.size(), 0xa5a5a5a5u);
    for (unsigned at = 0; at < words.box_words(); ++at) {
      if (const auto index = words.index(corner_of(rank, c), at)) want[*index] = values[at];
    }
    EXPECT_EQ(out.values<unsigned>(), want) << kernel;
  }
}

TEST_F(Sm90TmaGpu, AddsABoxByElement) {
  const Words words{{64, 8}, {32, 4}};
  const std::vector<unsigned> before = words.values();
  const DeviceArray in(std::vector<unsigned>(words.box_words(), 1000)), out(before);
  CUtensorMap map = tensor_map(out, core::DType::u32, words.dims, words.box, "128B");
  CUdeviceptr from = in.address();
  int bytes = static_cast<int>(words.box_words() * sizeof(unsigned)), c = 32;
  ASSERT_EQ(module().launch("store_box<2, true>", {1, 128, 16384}, {&map, &from, &bytes, &c}), "");
  std::vector<unsigned> want = before;
  for (unsigned at = 0; at < words.box_words(); ++at) want[*words.index({32, 1}, at)] += 1000;
  EXPECT_EQ(out.values<unsigned>(), want);
}

TEST_F(Sm90TmaGpu, CopiesInBulkWithoutAMap) {
  std::vector<unsigned> values(3000);
  std::iota(values.begin(), values.end(), 1u);
  const DeviceArray in(values), out(values.size() * sizeof(unsigned));
  CUdeviceptr from = in.address(), to = out.address();
  int bytes = 12000;
  ASSERT_EQ(module().launch("bulk_copy", {1, 128, 16384}, {&from, &to, &bytes}), "");
  EXPECT_EQ(out.values<unsigned>(), values);
}

TEST_F(Sm90TmaGpu, MulticastFillsTheTilesOfBothBlocks) {
  const Words words{{32, 32}, {32, 16}};
  const DeviceArray in(words.values()), out(2 * words.size() * sizeof(unsigned));
  CUtensorMap map = tensor_map(in, core::DType::u32, words.dims, words.box, "128B");
  CUdeviceptr to = out.address();
  int bytes = static_cast<int>(words.box_words() * sizeof(unsigned)), rows = 16;
  ASSERT_EQ(module().launch("multicast", {2, 128, 16384, 2}, {&map, &to, &bytes, &rows}), "");
  std::vector<unsigned> want = words.values();
  want.insert(want.end(), want.begin(), want.begin() + static_cast<std::ptrdiff_t>(words.size()));
  EXPECT_EQ(out.values<unsigned>(), want);
}

TEST_F(Sm90TmaGpu, BlocksOfAClusterArriveAndReadAtEachOther) {
  const DeviceArray out(4 * sizeof(unsigned));
  CUdeviceptr to = out.address();
  ASSERT_EQ(module().launch("neighbours", {2, 128, 0, 2}, {&to}), "");
  EXPECT_EQ(out.values<unsigned>(), (std::vector<unsigned>{2, 101, 2, 100}));
}

TEST_F(Sm90TmaGpu, ARingOfStagesKeepsItsPhases) {
  constexpr int kTiles = 37;
  const Words words{{128, 2 * kTiles}, {128, 2}};
  const std::vector<unsigned> values = words.values();
  const DeviceArray in(values), out(256 * sizeof(unsigned));
  CUtensorMap map = tensor_map(in, core::DType::u32, words.dims, words.box);
  CUdeviceptr to = out.address();
  int tiles = kTiles;
  ASSERT_EQ(module().launch("ring<3>", {1, 384, 3072}, {&map, &to, &tiles}), "");
  std::vector<unsigned> want(256);
  for (std::size_t i = 0; i < values.size(); ++i) want[i % 256] += values[i];
  EXPECT_EQ(out.values<unsigned>(), want);
}

TEST_F(Sm90TmaGpu, WarpgroupsTakeTurnsByNamedBarriers) {
  constexpr int kTurns = 20;
  const DeviceArray out(2 * kTurns * sizeof(int));
  CUdeviceptr to = out.address();
  int count = kTurns;
  ASSERT_EQ(module().launch("turns", {1, 256}, {&to, &count}), "");
  const std::vector<int> got = out.values<int>();
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_EQ(got[i], static_cast<int>(i % 2)) << i;
}

TEST_F(Sm90TmaGpu, ElectsOneThreadAWarp) {
  const DeviceArray out(std::vector<int>(4));
  CUdeviceptr to = out.address();
  ASSERT_EQ(module().launch("elect", {1, 128}, {&to}), "");
  EXPECT_EQ(out.values<int>(), std::vector<int>(4, 1));
}

TEST_F(Sm90TmaGpu, MatricesAndPairsBetweenRegistersAndSharedMemory) {
  const DeviceArray out(512 * sizeof(std::uint16_t)), words(130 * sizeof(unsigned)),
      numbers(3 * sizeof(float));
  CUdeviceptr to = out.address(), to_words = words.address(), to_numbers = numbers.address();
  ASSERT_EQ(module().launch("registers", {1, 32}, {&to, &to_words, &to_numbers}), "");
  const std::vector<std::uint16_t> tile = out.values<std::uint16_t>();
  for (std::size_t i = 0; i < 256; ++i) {
    ASSERT_EQ(tile[i], i) << "stmatrix";
    ASSERT_EQ(tile[256 + i], i % 16 * 16 + i / 16) << "transposed";
  }
  std::vector<unsigned> want(130);
  want[128] = 0xc0003f80u;
  want[129] = 0xc0003c00u;
  EXPECT_EQ(words.values<unsigned>(), want);
  const std::vector<float> powers = numbers.values<float>();
  EXPECT_EQ(powers[0], 8.0f);
  EXPECT_EQ(powers[1], 0.0f);
  EXPECT_NEAR(powers[2], std::sqrt(2.0f), 1e-6f);
}

/// In a process of its own, because the fault spoils the context.
TEST_F(Sm90TmaGpu, AWaitThatCannotEndIsAnError) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_EXIT(
      {
        const std::string error = module().launch("wait_for_nothing", {1, 32}, {});
        std::fprintf(stderr, "the launch gave '%s'\n", error.c_str());
        std::_Exit(error.empty() ? 1 : 0);
      },
      testing::ExitedWithCode(0), "CUDA_ERROR");
}

}  // namespace
}  // namespace kgen::test
