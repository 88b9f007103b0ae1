#include <algorithm>
#include <cmath>
#include <numeric>

#include "compile_cubin.hpp"
#include "run_fixture.hpp"
#include "util/clock.hpp"

namespace kgen::test {
namespace {

class RunProcessGpu : public RunFixture {};

std::vector<float> ramp(std::size_t count) {
  std::vector<float> out(count);
  std::iota(out.begin(), out.end(), 1.0f);
  return out;
}

TEST_F(RunProcessGpu, ComputesOnMemoryThatTheJudgeShares) {
  const auto x = ramp(1000);
  const SharedTensor in("x", x), out("y", std::vector<float>(1000));
  auto process = loaded("good", {kernel("scale")});
  ASSERT_OK(process.map(0, {{in.shared(), out.shared()}}));
  const auto sequence = one(launch("scale", 8, {buffer("x"), buffer("y"), scalar(1000LL), scalar(3.0f)}));
  ASSERT_OK(process.launch_once(0, sequence, kPlenty));
  const auto y = out.values<float>();
  for (std::size_t i = 0; i < y.size(); ++i) ASSERT_EQ(y[i], 3 * x[i]) << i;
  EXPECT_TRUE(in.guards_intact() && out.guards_intact());
  EXPECT_EQ(in.values<float>(), x);
}

TEST_F(RunProcessGpu, ChangesSetsAndShapesWithoutReloading) {
  auto process = loaded("good", {kernel("scale")});
  std::vector<SharedTensor> ins, outs;
  for (int set = 0; set < 8; ++set) {
    const std::size_t n = 100 + 77 * static_cast<std::size_t>(set);
    ins.emplace_back("x", ramp(n));
    outs.emplace_back("y", std::vector<float>(n));
    ASSERT_OK(process.map(set, {{ins.back().shared(), outs.back().shared()}}));
  }
  for (int set = 0; set < 8; ++set) {
    const auto n = 100LL + 77LL * set;
    ASSERT_OK(process.launch_once(
        set,
        one(launch("scale", 4,
                   {buffer("x"), buffer("y"), scalar(n), scalar(0.5f + static_cast<float>(set))})),
        kPlenty));
    EXPECT_EQ(outs[static_cast<std::size_t>(set)].values<float>().back(),
              static_cast<float>(n) * (0.5f + static_cast<float>(set)));
  }
  ASSERT_OK(process.unmap_all());
  EXPECT_FALSE(process.launch_once(0, {}, kPlenty));
}

TEST_F(RunProcessGpu, AnEmptyBufferIsANullPointer) {
  const SharedTensor out("out", std::vector<int>{0});
  auto process = loaded("good", {kernel("is_null")});
  ASSERT_OK(process.map(0, {{{"nothing", "", 0, 0}, out.shared()}}));
  ASSERT_OK(
      process.launch_once(0, one(launch("is_null", 1, {buffer("nothing"), buffer("out")}, 1)), kPlenty));
  EXPECT_EQ(out.values<int>()[0], 1);
}

TEST_F(RunProcessGpu, FillsByElementOfAnySize) {
  const SharedTensor bytes("b", std::string(5, 'x').data(), 5), halves("h", std::vector<std::uint16_t>(5));
  const SharedTensor words("w", std::vector<std::uint32_t>(5)), doubles("d", std::vector<double>(5));
  auto process = loaded("good", {});
  ASSERT_OK(process.map(0, {{bytes.shared(), halves.shared(), words.shared(), doubles.shared()}}));
  const run::LaunchSequence fills{
      {},
      {run::FillBuffer{"b", 1, 0x7f, 4}, run::FillBuffer{"h", 2, 0x3c00, 5},
       run::FillBuffer{"w", 4, 0xdeadbeef, 5}, run::FillBuffer{"d", 8, 0x3ff8000000000001, 5}}};
  ASSERT_OK(process.launch_once(0, fills, kPlenty));
  EXPECT_EQ(bytes.values<char>(), (std::vector<char>{0x7f, 0x7f, 0x7f, 0x7f, 'x'}));
  EXPECT_EQ(halves.values<std::uint16_t>(), std::vector<std::uint16_t>(5, 0x3c00));
  EXPECT_EQ(words.values<std::uint32_t>(), std::vector<std::uint32_t>(5, 0xdeadbeef));
  EXPECT_EQ(doubles.values<std::uint64_t>(), std::vector<std::uint64_t>(5, 0x3ff8000000000001));
  EXPECT_TRUE(doubles.guards_intact());
}

TEST_F(RunProcessGpu, TellsWhatTheDriverKnowsOfAKernel) {
  auto process = RunFixture::pool().acquire();
  ASSERT_TRUE(process);
  ASSERT_OK_AND_TAKE(
      const auto facts,
      process->load(test_cubin("good"), {kernel("scale", 256), kernel("big_shared", 128, 200 * 1024)}));
  ASSERT_EQ(facts.size(), 2u);
  EXPECT_GT(facts[0].registers, 0);
  EXPECT_EQ(facts[0].blocks_per_sm, 8);
  EXPECT_DOUBLE_EQ(facts[0].occupancy, 1.0);
  EXPECT_EQ(facts[1].blocks_per_sm, 1);
  EXPECT_EQ(facts[1].occupancy_limit, "shared memory");
}

TEST_F(RunProcessGpu, SeesEveryVariableThatALaunchChanged) {
  const SharedTensor out("out", std::vector<int>{0});
  auto process = loaded("good", {kernel("count_calls"), kernel("add_one")});
  ASSERT_OK(process.map(0, {{out.shared()}}));
  ASSERT_OK_AND_TAKE(const auto before, process.globals());
  for (const auto& variable : before) {
    std::printf("  %s: %lld bytes, %s\n", variable.name.c_str(), static_cast<long long>(variable.bytes),
                variable.hash.empty() ? variable.why.c_str() : "read");
  }
  ASSERT_OK(process.launch_once(0, one(launch("add_one", 1, {buffer("out")}, 1)), kPlenty));
  ASSERT_OK_AND_TAKE(const auto untouched, process.globals());
  EXPECT_TRUE(run::changed_globals(before, untouched).empty());
  ASSERT_OK(process.launch_once(0, one(launch("count_calls", 1, {buffer("out")}, 1)), kPlenty));
  ASSERT_OK_AND_TAKE(const auto after, process.globals());
  const auto changed = run::changed_globals(before, after);
  EXPECT_EQ(changed.size(), 2u);  // calls and the static hidden_calls
}

TEST_F(RunProcessGpu, NothingInSharedMemoryOutlivesALaunch) {
  constexpr std::int64_t kBlocks = 264;
  const SharedTensor out("out", std::vector<unsigned>(kBlocks * 1024));
  auto process = loaded("good", {kernel("mark_shared", 256), kernel("read_shared", 256)});
  ASSERT_OK(process.map(0, {{out.shared()}}));
  ASSERT_OK(process.launch_once(0, one(launch("mark_shared", kBlocks, {scalar(0x5eed1234u)}, 256)), kPlenty));
  ASSERT_OK(process.launch_once(0, one(launch("read_shared", kBlocks, {buffer("out")}, 256)), kPlenty));
  const auto words = out.values<unsigned>();
  EXPECT_EQ(std::count(words.begin(), words.end(), 0x5eed1234u), 0);
  const auto patterns = std::count(words.begin(), words.end(), 0xffffffffu);
  std::printf("  %td of %zu words hold the NaN pattern\n", patterns, words.size());
  EXPECT_EQ(static_cast<std::size_t>(patterns), words.size());
}

TEST_F(RunProcessGpu, APrintfCannotForgeAnAnswer) {
  const SharedTensor out("out", std::vector<int>{0});
  auto process = loaded("good", {kernel("forge")});
  ASSERT_OK(process.map(0, {{out.shared()}}));
  ASSERT_OK(process.launch_once(0, one(launch("forge", 1, {buffer("out"), scalar(20000)}, 1)), kPlenty));
  EXPECT_EQ(out.values<int>()[0], 5);
  EXPECT_NE(process.output().find("0.001"), std::string::npos);
  EXPECT_LE(process.output().size(), 64u * 1024u);
  std::printf("captured %zu bytes\n", process.output().size());
}

TEST_F(RunProcessGpu, StartsWithItsDenyListInForce) {
  auto process = RunFixture::pool().acquire();
  ASSERT_TRUE(process);
  ASSERT_OK_AND_TAKE(const auto ready, process->wait_ready());
  std::printf("start %.0f ms, sandbox: %s\n", ready.start_ms, ready.sandbox.c_str());
  EXPECT_NE(ready.sandbox.find("seccomp deny-list"), std::string::npos);
  EXPECT_TRUE(ready.denies);
}

TEST_F(RunProcessGpu, RoundTripsAreShort) {
  const SharedTensor out("out", std::vector<int>(4));
  auto process = loaded("good", {kernel("add_one")});
  ASSERT_OK(process.map(0, {{out.shared()}}));
  const auto sequence = one(launch("add_one", 4, {buffer("out")}, 1));
  const util::Stopwatch watch;
  for (int i = 0; i < 100; ++i) ASSERT_OK(process.launch_once(0, sequence, kPlenty));
  std::printf("launch_once round trip: %.3f ms\n", watch.elapsed_ms() / 100);
  EXPECT_EQ(out.values<int>(), std::vector<int>(4, 100));
}

}  // namespace
}  // namespace kgen::test
