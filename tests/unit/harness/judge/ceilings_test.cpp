#include "harness/judge/ceilings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/judge/ceiling_cache.hpp"
#include "harness/judge/ceiling_probes.hpp"
#include "harness/judge/roofline.hpp"
#include "reference_ops/builtin_ops.hpp"
#include "support/scoped_variable.hpp"
#include "util/file.hpp"
#include "util/json.hpp"

namespace kgen::judge {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

core::DeviceFacts h200() {
  core::DeviceFacts device = core::facts_for_arch("sm_90a").value();
  device.kind = core::DeviceKind::cuda;
  device.name = "NVIDIA H200";
  device.driver_version = "580.159.04";
  device.max_sm_clock_mhz = 1980;
  device.datasheet_bandwidth_gbs = 4814;
  device.measured_copy_gbs = 4230;
  return device;
}

core::MeasuredRates plausible() {
  return {8000, 60e12, 800e12, 800e12, 400e12, 1600e12};
}

class CeilingCache : public testing::Test {
 protected:
  util::TemporaryFolder folder_ = util::TemporaryFolder::create("kgen-ceilings-test").value();
  std::filesystem::path file(const core::DeviceFacts& device) {
    return ceilings_file(folder_.path(), device);
  }
};

TEST_F(CeilingCache, GivesBackWhatWasMeasured) {
  const core::DeviceFacts device = h200();
  EXPECT_FALSE(read_ceilings(file(device), device));
  ASSERT_TRUE(write_ceilings(file(device), device, plausible()));
  const auto read = read_ceilings(file(device), device);
  ASSERT_TRUE(read);
  EXPECT_EQ(core::to_json(*read), core::to_json(plausible()));
}

TEST_F(CeilingCache, BelongsToOneDeviceAndOneDriver) {
  const core::DeviceFacts device = h200();
  ASSERT_TRUE(write_ceilings(file(device), device, plausible()));
  core::DeviceFacts driver = device, other = device;
  driver.driver_version = "590.1";
  other.name = "NVIDIA H100";
  for (const core::DeviceFacts& one : {driver, other}) {
    EXPECT_NE(file(one), file(device));
    EXPECT_FALSE(read_ceilings(file(one), one));
    EXPECT_FALSE(read_ceilings(file(device), one));  // the file says itself whose it is
  }
}

TEST_F(CeilingCache, AFileThatIsNotRightIsAsNone) {
  const core::DeviceFacts device = h200();
  ASSERT_TRUE(write_ceilings(file(device), device, plausible()));
  const std::string good = util::read_file(file(device)).value();
  const auto spoiled = [&](const std::string& text) {
    EXPECT_TRUE(util::write_file_atomic(file(device), text));
    return read_ceilings(file(device), device);
  };
  for (const char* text : {"", "{", "[]", "null", R"({"key":1,"rates":{}})"})
    EXPECT_FALSE(spoiled(text)) << text;
  EXPECT_FALSE(spoiled(good.substr(0, good.size() / 2)));
  for (const char* value : {"\"8000\"", "-1", "null", "1e999"}) {
    std::string text = good;
    const auto at = text.find("8000.0");
    ASSERT_NE(at, std::string::npos);
    EXPECT_FALSE(spoiled(text.replace(at, 6, value))) << value;
  }
  EXPECT_TRUE(spoiled(good));
}

TEST(CeilingCacheFolder, IsTheUsersOwn) {
  const test::ScopedVariable folder("XDG_CACHE_HOME", "/somewhere/cache");
  EXPECT_EQ(user_cache_folder(), "/somewhere/cache/kgen");
  const test::ScopedVariable relative("XDG_CACHE_HOME", "relative");  // the specification says to ignore it
  EXPECT_EQ(user_cache_folder().string().find("relative"), std::string::npos);
}

TEST(CeilingProbes, AreWhatAChipCanDo) {
  const auto names = [](int chip) {
    std::vector<std::string> out;
    for (const auto& probe : ceiling_probes(chip)) out.push_back(probe.kernel.substr(13));
    return out;
  };
  EXPECT_THAT(names(80), ElementsAre("l2", "fma", "f16", "bf16", "tf32"));
  EXPECT_THAT(names(89), ElementsAre("l2", "fma", "f16", "bf16", "tf32", "f8"));
  EXPECT_THAT(names(90), ElementsAre("l2", "fma", "f16", "bf16", "tf32", "f8"));
  EXPECT_THAT(names(100), ElementsAre("l2", "fma"));  // its tensor cores need tcgen05
}

TEST(CeilingProbes, CountTheOperationsOfTheirKernels) {
  for (const auto& probe : ceiling_probes(90)) {
    if (probe.kernel == "kgen_ceiling_fma") {
      EXPECT_EQ(probe.operations, 256 * 256 * 2);
    }
    // Two warpgroups, four wgmma.m64n256k16 each.
    if (probe.kernel == "kgen_ceiling_f16") {
      EXPECT_EQ(probe.operations, 2.0 * 4 * 2 * 64 * 256 * 16);
    }
  }
  for (const auto& probe : ceiling_probes(80)) {
    // Eight warps, four times eight mma.m16n8k8 each.
    if (probe.kernel == "kgen_ceiling_tf32") {
      EXPECT_EQ(probe.operations, 8.0 * 4 * 8 * 2 * 16 * 8 * 8);
    }
  }
}

TEST(CeilingRates, AreTheMedianOfRounds) {
  EXPECT_DOUBLE_EQ(median_rate(1e6, {1, 2, 100}), 1e6 / 2 * 1e6);
  EXPECT_DOUBLE_EQ(median_rate(1e6, {}), 0);
  EXPECT_DOUBLE_EQ(median_rate(1e6, {0, -1}), 0);
}

TEST(CeilingRates, AnImplausibleOneIsNotUsed) {
  core::MeasuredRates rates = plausible();
  EXPECT_TRUE(drop_implausible(h200(), rates).empty());
  rates.f16_flops = 1200e12;  // more than the chip has
  rates.fma_flops = 5e12;     // something else ran
  rates.l2_gbs = 3000;        // slower than memory
  EXPECT_THAT(drop_implausible(h200(), rates), ElementsAre("FMA", "f16", "L2"));
  EXPECT_EQ(rates.f16_flops + rates.fma_flops + rates.l2_gbs, 0);
  EXPECT_EQ(rates.bf16_flops, 800e12);
}

/// A compiler that gives a cubin of nothing.
std::vector<compile::CompileResult> compile_nothing(const std::vector<compile::CompileRequest>& requests) {
  EXPECT_EQ(requests.size(), 1u);
  EXPECT_THAT(requests.front().source, HasSubstr("kgen_ceiling_l2"));
  compile::CompileResult result;
  result.ok = true;
  return {result};
}

std::vector<std::string> says(const std::string& text) {
  return {"/bin/sh", "-c", "printf '%s' '" + text + "'"};
}

TEST_F(CeilingCache, IsFilledOnceByAProcessOfItsOwn) {
  const std::string rates = core::to_json(plausible()).dump();
  const Ceilings first = find_ceilings({says(rates), folder_.path()}, h200(), compile_nothing);
  EXPECT_EQ(first.rates.f16_flops, 800e12);
  EXPECT_TRUE(first.report.ok);
  EXPECT_THAT(first.report.text, HasSubstr("L2 8 TB/s, FMA 60 TFLOP/s, f16 800 TFLOP/s"));
  EXPECT_THAT(first.report.text, HasSubstr("measured now, kept in"));
  const Ceilings second = find_ceilings({{"/bin/false"}, folder_.path()}, h200(), {});
  EXPECT_EQ(second.rates.f16_flops, 800e12);
  EXPECT_THAT(second.report.text, HasSubstr("measured before"));
}

TEST_F(CeilingCache, KeepsNothingImplausible) {
  core::MeasuredRates rates = plausible();
  rates.bf16_flops = 1e12;
  const Ceilings found =
      find_ceilings({says(core::to_json(rates).dump()), folder_.path()}, h200(), compile_nothing);
  EXPECT_EQ(found.rates.bf16_flops, 0);
  EXPECT_THAT(found.report.text, HasSubstr("not used: bf16"));
  EXPECT_FALSE(std::filesystem::exists(file(h200())));
}

TEST_F(CeilingCache, AProcessThatFailsLeavesTheDatasheet) {
  const auto report = [&](std::vector<std::string> command) {
    const Ceilings found = find_ceilings({std::move(command), folder_.path(), std::chrono::milliseconds(300)},
                                         h200(), compile_nothing);
    EXPECT_FALSE(found.report.ok);
    EXPECT_EQ(rates_text(found.rates), "");
    return found.report.text;
  };
  EXPECT_THAT(report({"/bin/sh", "-c", "echo bad >&2; exit 5"}), HasSubstr("exit code 5: bad"));
  EXPECT_THAT(report({"/bin/sh", "-c", "kill -SEGV $$"}), HasSubstr("signal 11"));
  EXPECT_THAT(report({"/bin/sleep", "20"}), HasSubstr("no end after 300 ms"));
  EXPECT_THAT(report(says("hello")), HasSubstr("printed no rates"));
}

core::Timing timed(const core::DeviceFacts& device, const char* dtype) {
  const auto op = reference_ops::find_builtin_op("matmul").value();
  const core::Task task = core::make_task(op, dtype, {{"M", 8192}, {"N", 8192}, {"K", 8192}}, {}).value();
  core::Timing timing;
  timing.candidate.median_us = 1500;
  EXPECT_TRUE(fill_floors(task, device, timing));
  return timing;
}

TEST(Roofline, OfAProductIsMeasuredWhereItsRateWas) {
  core::DeviceFacts device = h200();
  const core::Timing datasheet = timed(device, "bf16");
  EXPECT_FALSE(datasheet.ceiling_measured);
  device.measured = plausible();
  const core::Timing measured = timed(device, "bf16");
  EXPECT_TRUE(measured.ceiling_measured);
  const double flops = 2.0 * 8192 * 8192 * 8192;
  EXPECT_NEAR(measured.floor_us, flops / 800e12 * 1e6, 0.1);
  EXPECT_NEAR(measured.percent_of_roofline, 100 * flops / 800e12 * 1e6 / 1500, 0.01);
  EXPECT_LT(datasheet.floor_us, measured.floor_us);
}

TEST(Roofline, NoMeasuredRateMakesATimeImplausible) {
  core::DeviceFacts device = h200();
  const double before = timed(device, "bf16").plausible_floor_us;
  device.measured.bf16_flops = 300e12;  // measured while the device was hot
  EXPECT_DOUBLE_EQ(timed(device, "bf16").plausible_floor_us, before);
}

TEST(Roofline, ARateIsOfOneDtype) {
  core::DeviceFacts device = h200();
  device.measured.bf16_flops = 800e12;
  EXPECT_FALSE(timed(device, "f16").ceiling_measured);
  EXPECT_TRUE(timed(device, "bf16").ceiling_measured);
  EXPECT_DOUBLE_EQ(core::product_ceiling(device, core::DType::bf16).flops, 800e12);
  EXPECT_DOUBLE_EQ(core::product_ceiling(device, core::DType::f16).flops,
                   core::peak_product_flops(device, core::DType::f16));
}

/// Products of fp8 are twice as quick as those of its outputs' bf16: no honest time is implausible for that.
TEST(Roofline, OfAProductOfFp8IsThatOfItsFactors) {
  const auto op = reference_ops::find_builtin_op("matmul_fp8").value();
  const auto task = core::make_task(op, "", {{"M", 8192}, {"N", 8192}, {"K", 8192}}, {}).value();
  core::Timing timing;
  ASSERT_TRUE(fill_floors(task, h200(), timing));
  const double flops = 2.0 * 8192 * 8192 * 8192, peak = 8192.0 * 132 * 1980e6;
  EXPECT_DOUBLE_EQ(core::peak_product_flops(h200(), core::DType::f8e5m2), peak);
  EXPECT_NEAR(timing.plausible_floor_us, flops / peak * 1e6, 1.0);
  EXPECT_LT(timing.plausible_floor_us, 0.51 * timed(h200(), "bf16").plausible_floor_us);
}

TEST(Roofline, OfAnEmulatorHasNoMeasuredRate) {
  const auto emulated = core::facts_for_arch("sm_90a").value();
  EXPECT_EQ(rates_text(emulated.measured), "");
  EXPECT_FALSE(core::product_ceiling(emulated, core::DType::f16).measured);
}

TEST(DeviceFactsJson, KeepsMeasuredRatesAndReadsFactsWithout) {
  core::DeviceFacts device = h200();
  device.measured = plausible();
  nlohmann::json json = core::to_json(device);
  EXPECT_EQ(core::device_facts_from_json(json)->measured.tf32_flops, 400e12);
  json.erase("measured");
  EXPECT_EQ(core::device_facts_from_json(json)->measured.tf32_flops, 0);
}

}  // namespace
}  // namespace kgen::judge
