#include <algorithm>

#include "compile_cubin.hpp"
#include "run_fixture.hpp"
#include "util/clock.hpp"

namespace kgen::test {
namespace {

using Kind = run::RunFailure::Kind;

struct Bad {
  std::string kernel;
  Kind kind;
  std::string fine;  ///< empty: any
};

class FaultsGpu : public RunFixture {
 protected:
  static const std::vector<Bad>& kinds() {
    static const std::vector<Bad> all = {{"illegal_address", Kind::fault, "illegal_address"},
                                         {"misaligned", Kind::fault, "misaligned"},
                                         {"trap", Kind::fault, "trap"},
                                         {"endless", Kind::timeout, ""},
                                         {"huge_shared", Kind::launch_error, ""},
                                         {"far_address", Kind::fault, "illegal_address"},
                                         {"failed_assert", Kind::fault, "assert"},
                                         {"stack_overflow", Kind::fault, ""},
                                         {"half_a_barrier", Kind::timeout, ""}};
    return all;
  }

  /// The driver took up to 0.6 s to report a trap (H200, driver 580): a hang is what lasts longer.
  static constexpr run::Milliseconds kLimit{1500};

  /// What became of one launch of a bad kernel. The process is gone when this returns.
  run::RunResult<void> launch_bad(const Bad& bad, const SharedTensor& out) {
    auto process = RunFixture::pool().acquire();
    if (!process) return tl::unexpected(run::RunFailure{Kind::world, "pool", "", process.error().text(), -1});
    const std::int64_t shared = bad.kernel == "huge_shared" ? 400 * 1024 : 0;
    KGEN_CHECK(process->load(test_cubin("bad"), {kernel(bad.kernel, 128, shared)}));
    KGEN_CHECK(process->map(0, {{out.shared()}}));
    auto step = launch(bad.kernel, 1, {buffer("out")});
    step.dynamic_shared_bytes = shared;
    return process->launch_once(0, one(step), kLimit);
  }
};

TEST_F(FaultsGpu, TwentyFiveInARowEachTheRightFailureAndTheNextEvaluationCorrect) {
  const SharedTensor victim("out", std::vector<int>{0});
  double worst_ms = 0;
  for (int i = 0; i < 25; ++i) {
    const Bad& bad = kinds()[static_cast<std::size_t>(i) % kinds().size()];
    const util::Stopwatch whole;
    const auto result = launch_bad(bad, victim);
    ASSERT_FALSE(result) << bad.kernel;
    EXPECT_EQ(result.error().kind, bad.kind) << bad.kernel << ": " << text_of(result.error());
    if (!bad.fine.empty()) {
      EXPECT_EQ(result.error().fine, bad.fine) << bad.kernel << ": " << text_of(result.error());
    }
    const double failed_ms = whole.elapsed_ms();

    // Recovery: until a good kernel's answer is there, computed by the next process for this one's context.
    const util::Stopwatch watch;
    const SharedTensor counts("out", std::vector<int>(16));
    auto process = loaded("good", {kernel("add_one")});
    ASSERT_OK(process.map(0, {{counts.shared()}}));
    ASSERT_OK(process.launch_once(0, one(launch("add_one", 16, {buffer("out")}, 1)), kPlenty));
    EXPECT_EQ(counts.values<int>(), std::vector<int>(16, 1));
    const double recovery_ms = watch.elapsed_ms();
    worst_ms = std::max(worst_ms, recovery_ms);
    std::printf("%2d %-16s %-12s %-18s %7.1f ms, recovery %6.1f ms  %s\n", i, bad.kernel.c_str(),
                std::string(run::name_of(result.error().kind)).c_str(), result.error().fine.c_str(),
                failed_ms, recovery_ms, result.error().cuda_error.c_str());
  }
  std::printf("worst recovery %.1f ms\n", worst_ms);
  EXPECT_LE(worst_ms, 500);
}

TEST_F(FaultsGpu, TheJudgesOwnMemoryOutlivesAFault) {
  const SharedTensor out("out", std::vector<int>{77});
  ASSERT_FALSE(launch_bad(kinds()[0], out));
  EXPECT_EQ(out.values<int>()[0], 77);
}

}  // namespace
}  // namespace kgen::test
