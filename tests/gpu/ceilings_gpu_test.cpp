#include <gtest/gtest.h>

#include <cstdio>

#include "harness/judge/ceiling_cache.hpp"
#include "harness/judge/ceiling_probes.hpp"
#include "harness/judge/ceilings.hpp"
#include "judge_workplace.hpp"
#include "util/clock.hpp"
#include "util/file.hpp"

namespace kgen::judge {
namespace {

std::vector<std::string> ceilings_command() {
  const char* worker = std::getenv("KGEN_WORKER");
  return {worker != nullptr ? worker : KGEN_BINARY_DIR "/harness/kgen-worker", "ceilings"};
}

/// Measured anew, in a cache of the test's own.
TEST(CeilingsGpu, AreMeasuredOnceNearTheDatasheetAndKept) {
  const Workplace& workplace = test_workplace().workplace;
  const auto folder = util::TemporaryFolder::create("kgen-ceilings-gpu").value();
  const CeilingSetup setup{ceilings_command(), folder.path()};
  const util::Stopwatch watch;
  const Ceilings first = find_ceilings(setup, workplace.facts, workplace.compile_all);
  std::printf("%s, in %.0f ms\n", first.report.text.c_str(), watch.elapsed_ms());
  ASSERT_TRUE(first.report.ok) << first.report.text;
  EXPECT_LT(watch.elapsed_ms(), 10'000);
  for (const CeilingProbe& probe : ceiling_probes(workplace.facts.compute_capability))
    EXPECT_GT(first.rates.*probe.rate, 0) << probe.kernel;
  const auto share = [&](double rate, core::DType dtype) {
    return rate / core::peak_product_flops(workplace.facts, dtype);
  };
  if (core::peak_product_flops(workplace.facts, core::DType::f16) > 0) {
    // A ceiling that a good kernel passes is none: cuBLASLt's best are at 80% of the datasheet.
    EXPECT_GT(share(first.rates.f16_flops, core::DType::f16), 0.75);
    EXPECT_GT(share(first.rates.bf16_flops, core::DType::bf16), 0.75);
    EXPECT_GT(share(first.rates.tf32_flops, core::DType::tf32), 0.75);
    EXPECT_GT(share(first.rates.fma_flops, core::DType::f32), 0.85);
  }
  const Ceilings second = find_ceilings({{"/bin/false"}, folder.path()}, workplace.facts, {});
  EXPECT_EQ(rates_text(second.rates), rates_text(first.rates));
}

/// Two measurements of an idle device agree.
TEST(CeilingsGpu, Repeat) {
  const Workplace& workplace = test_workplace().workplace;
  const CeilingSetup setup{ceilings_command(), {}};
  const Ceilings a = find_ceilings(setup, workplace.facts, workplace.compile_all);
  const Ceilings b = find_ceilings(setup, workplace.facts, workplace.compile_all);
  for (const CeilingProbe& probe : ceiling_probes(workplace.facts.compute_capability))
    EXPECT_NEAR(a.rates.*probe.rate / (b.rates.*probe.rate), 1, 0.05) << probe.kernel;
}

}  // namespace
}  // namespace kgen::judge
