// The judge's own device code, run on the emulator, against its twin on the host: bit for bit the same.
#include <gtest/gtest.h>

#include <algorithm>

#include "../emulator/emulated_kernels.hpp"
#include "harness/judge/device_source.hpp"
#include "harness/judge/host_kernels.hpp"
#include "support/varied_fills.hpp"

namespace kgen::judge {
namespace {

constexpr unsigned kBlocks = 3, kThreads = 64;

class DeviceTwin : public emulator::EmulatedKernels {
 protected:
  void SetUp() override {
    emulator::EmulatedKernels::SetUp();
    if (IsSkipped()) return;
    kernel_name = "kgen_fill";
    load(device_source());
  }

  /// Runs one of the judge's kernels.
  template <class... Arguments>
  void run(const char* kernel, Arguments... arguments) {
    kernel_name = kernel;
    const auto stopped = launch(kBlocks, kThreads, arguments...);
    ASSERT_FALSE(stopped) << stopped->message;
  }
};

std::vector<std::byte> filled_on_host(const FillParams& params, I64 count) {
  std::vector<std::byte> out(static_cast<std::size_t>(count * bytes_of_code(params.dtype)));
  fill_on_host(out.data(), params, count);
  return out;
}

TEST_F(DeviceTwin, FillsBitForBitAsTheHost) {
  constexpr I64 kCount = 1511;
  for (const FillParams& params : support::varied_fills()) {
    const auto host = filled_on_host(params, kCount);
    const U64 out = allocate<std::byte>("out", host.size());
    run("kgen_fill", out, params, kCount);
    EXPECT_TRUE(download<std::byte>(out) == host)
        << "kind " << params.kind << " dtype " << params.dtype << " stride " << params.row_stride << " below "
        << params.below << " ends " << params.ends;
    memory_.release(out);
  }
}

/// Values with NaN, infinities and zeros of both signs in them.
FillParams special_values(int dtype) {
  FillParams params;
  params.kind = kSpecial;
  params.density = 0.7;
  params.dtype = dtype;
  params.key = 99;
  return params;
}

TEST_F(DeviceTwin, ComparesAsTheHost) {
  constexpr I64 kCount = 5003;
  for (const int dtype : {kF64, kF32, kF16, kBf16, kF8e4m3, kF8e5m2, kI32}) {
    const auto got = filled_on_host(special_values(dtype), kCount);
    std::vector<double> expected = decode_on_host(got.data(), dtype, kCount);
    for (std::size_t i = 0; i < expected.size(); i += 7)
      expected[i] *= 1.0 + 1e-3 * static_cast<double>(i % 13);
    for (std::size_t i = 0; i < expected.size(); i += 5)
      if (expected[i] == 0) expected[i] = -expected[i];
    ToleranceParams tolerance;
    tolerance.signed_zeros = 1;
    tolerance.dtype = dtype;
    tolerance.u_out = 0x1p-9;
    tolerance.propagate = 1;
    const auto host = compare_on_host(got.data(), expected, {}, tolerance);
    const U64 result = upload<U64>("result", {0, 0, ~U64{0}});
    run("kgen_compare", upload("got", got), upload("expected", expected), U64{0}, tolerance, kCount, result);
    const auto words = download<U64>(result);
    EXPECT_GT(host.wrong, 0) << dtype;
    EXPECT_EQ(static_cast<I64>(words[0]), host.wrong) << dtype;
    EXPECT_EQ(double_of(words[1]), host.worst_ratio) << dtype;
    EXPECT_EQ(static_cast<I64>(words[2]), host.first_wrong) << dtype;
  }
}

TEST_F(DeviceTwin, DecodesAsTheHost) {
  constexpr I64 kCount = 1003;
  for (int dtype = kF64; dtype < kU4x8; ++dtype) {
    const auto data = filled_on_host(special_values(dtype), kCount);
    const U64 out = allocate<U64>("out", kCount);
    run("kgen_decode", upload("data", data), dtype, out, kCount);
    const auto host = decode_on_host(data.data(), dtype, kCount);
    const auto words = download<U64>(out);
    run("kgen_absolute", out, kCount);
    const auto absolutes = download<U64>(out);
    for (std::size_t i = 0; i < kCount; ++i) {
      ASSERT_EQ(words[i], bits_of(host[i])) << dtype << " at " << i;
      ASSERT_EQ(absolutes[i], bits_of(absolute(host[i]))) << dtype << " at " << i;
    }
  }
}

TEST_F(DeviceTwin, HashesAndSearchesAsTheHost) {
  for (const std::size_t bytes : {1U, 7U, 8U, 4096U, 5001U}) {
    std::vector<std::byte> data(bytes, std::byte{0xa5});
    const U64 address = upload("data", data);
    const U64 hash = upload<U64>("hash", {7});
    run("kgen_hash", address, static_cast<I64>(bytes), U64{31}, hash);
    EXPECT_EQ(download<U64>(hash).front(), 7 + hash_on_host(data.data(), static_cast<I64>(bytes), 31))
        << bytes;

    const U64 whole = upload<U64>("whole", {0, ~U64{0}});
    run("kgen_find_other", address, static_cast<I64>(bytes), 0xa5U, whole);
    EXPECT_EQ(download<U64>(whole), (std::vector<U64>{0, ~U64{0}})) << bytes;
    data.back() = std::byte{};
    data[bytes / 2] = std::byte{1};
    const U64 broken = upload<U64>("broken", {0, ~U64{0}});
    run("kgen_find_other", upload("broken data", data), static_cast<I64>(bytes), 0xa5U, broken);
    const U64 others = bytes / 2 == bytes - 1 ? 1 : 2;
    EXPECT_EQ(download<U64>(broken), (std::vector<U64>{others, bytes / 2})) << bytes;
    EXPECT_EQ(find_other_on_host(data.data(), static_cast<I64>(bytes), 0xa5), static_cast<I64>(bytes / 2));
  }
}

}  // namespace
}  // namespace kgen::judge
