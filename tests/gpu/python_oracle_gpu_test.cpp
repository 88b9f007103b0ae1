// reference.py on the judge's GPU: the same verdicts and values as on the CPU, without the host's memory.
// KGEN_PYTHON names the interpreter; where it has no torch with CUDA every test is skipped, saying so.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iostream>

#include "harness/judge/python_oracle.hpp"
#include "harness/judge/rules.hpp"
#include "judge_workplace.hpp"
#include "python_oracle_ops.hpp"

namespace kgen::judge {
namespace {

constexpr std::chrono::milliseconds kLimit{60'000};

core::Task task_of_text(const char* toml, const char* python, const char* dtype, const core::Dims& dims) {
  auto op = std::make_shared<const core::Op>(core::parse_op(toml, "", "op.toml", python).value());
  return core::make_task(op, dtype, dims, {}).value();
}

/// Largest resident memory that a process has had, in MiB.
double peak_mib(int process) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) return std::strtod(line.c_str() + 6, nullptr) / 1024;
  return -1;
}

/// Relative to the larger of both; NaN equals NaN.
double difference(double a, double b) {
  if (a == b || (is_nan(a) && is_nan(b))) return 0;
  return absolute(a - b) / std::max(absolute(a), absolute(b));
}

double worst_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double worst = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    const double off = difference(a[i], b[i]);
    worst = off <= worst ? worst : off;  // NaN too
  }
  return worst;
}

struct PythonOracleGpu : testing::Test {
  void SetUp() override {
    const char* python = std::getenv("KGEN_PYTHON");
    oracles_.python = python != nullptr ? python : "python3";
    oracles_.device = 0;
    workplace_ = test_workplace().workplace;
    workplace_.python_oracles = &oracles_;
    const auto oracle = python_oracle_of(&oracles_, *rows_task("f32", 1, 1).op);
    if (!oracle) GTEST_SKIP() << oracle.error().text();
    if (!(*oracle)->has_device()) GTEST_SKIP() << oracles_.python << " has a torch without CUDA";
  }
  ~PythonOracleGpu() override { device().drop_sets(); }

  static core::Task rows_task(const char* dtype, std::int64_t rows, std::int64_t cols) {
    return task_of_text(kRowsOp, kRowsPython, dtype, {{"rows", rows}, {"cols", cols}});
  }
  ExecutionDevice& device() { return *test_workplace().device; }
  PythonOracle& oracle_of(const core::Task& task) { return *python_oracle_of(&oracles_, *task.op).value(); }
  InputCase first_case(const core::Task& task) {
    return input_case(5, task, task.op->distributions.front(), 0);
  }
  /// Values and scales by the GPU's torch; where it computed is `place`.
  std::vector<ExpectedOutput> on_device(const core::Task& task, const InputCase& input,
                                        const std::string& place = "cuda:0") {
    const auto tensors = core::tensors_of(task).value();
    PythonOracle& oracle = oracle_of(task);
    const int set = device().make_set({}).value();
    const auto made = oracle.expect_on(device(), set, task, tensors, input, kNanPoison, kLimit);
    EXPECT_TRUE(made) << made.error().text();
    EXPECT_EQ(oracle.place().substr(0, oracle.place().find(" (")), place) << oracle.place();
    std::vector<ExpectedOutput> out;
    for (const auto& tensor : tensors) {
      if (!made || tensor.role == core::Role::input) continue;
      out.push_back(device().read_expected(set, tensor.name, 0, tensor.elements).value());
    }
    device().drop_sets();
    return out;
  }
  /// Compares every distribution's values, and the scales by `scales`.
  void expect_as_on_the_cpu(const core::Task& task, double values, double scales) {
    const auto tensors = core::tensors_of(task).value();
    for (const auto& distribution : task.op->distributions) {
      SCOPED_TRACE(core::describe(task) + ", " + distribution.name);
      const InputCase input = input_case(5, task, distribution, 0);
      const auto got = on_device(task, input);
      const auto host = oracle_of(task).expect(task, tensors, input, kNanPoison, kLimit);
      ASSERT_TRUE(host) << host.error().text();
      ASSERT_EQ(got.size(), host->size());
      for (std::size_t k = 0; k < got.size(); ++k) {
        EXPECT_LE(worst_difference(got[k].values, (*host)[k].values), values);
        EXPECT_LE(worst_difference(got[k].scale, (*host)[k].scale), scales);
      }
    }
  }

  PythonOracles oracles_;
  Workplace workplace_;
};

TEST_F(PythonOracleGpu, ARightKernelPassesAndAWrongOneIsRejected) {
  const auto task = rows_task("f32", 4096, 1000);
  auto request = request_of(task, kRowsKernel, core::Tier::screen);
  request.profile = false;
  const auto right = judge(workplace_, request);
  EXPECT_EQ(right.verdict, core::Verdict::correct) << right.message;
  EXPECT_NE(stage_text(right).find("reference.py on cuda:0"), std::string::npos) << stage_text(right);
  std::cout << stage_text(right) << std::endl;
  std::string wrong = kRowsKernel;
  wrong.replace(wrong.find("c < cols;"), 9, "c < cols - 1;");
  request.source = wrong;
  EXPECT_EQ(judge(workplace_, request).verdict, core::Verdict::wrong_result);
}

TEST_F(PythonOracleGpu, ComputesWhatTheCpuDoes) {
  for (const char* dtype : {"f32", "f16", "bf16", "f64"})
    expect_as_on_the_cpu(rows_task(dtype, 77, 1023), 1e-11, 1e-12);
  expect_as_on_the_cpu(rows_task("f32", 1, 1), 0, 0);
}

TEST_F(PythonOracleGpu, EveryDtypeIsReadAsTheCpuReadsIt) {
  expect_as_on_the_cpu(task_of_text(kKindsOp, kKindsPython, "f32", {{"n", 4099}}), 0, 0);
}

TEST_F(PythonOracleGpu, AnImportedModuleHasTheBoundsOfTheCpu) {
  expect_as_on_the_cpu(task_of_text(kModuleOp, kModulePython, "f32", {{"n", 3}}), 1e-10, 1e-6);
}

TEST_F(PythonOracleGpu, TwoRunsGiveTheSameBits) {
  const auto task = task_of_text(kModuleOp, kModulePython, "f32", {{"n", 5}});
  const auto first = on_device(task, first_case(task)), second = on_device(task, first_case(task));
  ASSERT_FALSE(first.empty());
  EXPECT_EQ(first[0].values, second[0].values);
  EXPECT_EQ(first[0].scale, second[0].scale);
}

TEST_F(PythonOracleGpu, WhatTheGpuCannotDoIsComputedOnTheCpu) {
  const auto task = task_of_text(kRowsOp, kCpuOnlyPython, "f32", {{"rows", 7}, {"cols", 9}});
  const auto got = on_device(task, first_case(task), "CPU");
  const std::string place = oracle_of(task).place();  // the next one takes the device
  const auto host = on_device(rows_task("f32", 7, 9), first_case(task));
  ASSERT_EQ(got.size(), 1U);
  EXPECT_LE(worst_difference(got[0].values, host.at(0).values), 1e-12);
  EXPECT_NE(place.find("only on a CPU"), std::string::npos) << place;
}

TEST_F(PythonOracleGpu, NoRoomIsSaidAndTheNextRunHasSome) {
  const auto task = task_of_text(kRowsOp, kTooLargePython, "f32", {{"rows", 7}, {"cols", 9}});
  const auto tensors = core::tensors_of(task).value();
  const int set = device().make_set({}).value();
  PythonOracle& oracle = oracle_of(task);
  for (int run = 0; run < 2; ++run) {
    const auto made = oracle.expect_on(device(), set, task, tensors, first_case(task), kNanPoison, kLimit);
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().kind, ErrorKind::missing);
    EXPECT_NE(made.error().message.find("no room on the device for"), std::string::npos)
        << made.error().message;
  }
  EXPECT_FALSE(oracle.spent());
  EXPECT_EQ(on_device(rows_task("f32", 7, 9), first_case(rows_task("f32", 7, 9))).size(), 1U);
}

TEST_F(PythonOracleGpu, GigabytesDoNotGoThroughTheHost) {
  const auto small = rows_task("f32", 64, 4096), large = rows_task("f32", 98304, 4096);  // 1.5 GiB
  on_device(small, first_case(small));
  PythonOracle& oracle = oracle_of(large);
  const int processes[] = {getpid(), oracle.process_id()};
  const double before[] = {peak_mib(processes[0]), peak_mib(processes[1])};
  const I64 free_before = device().free_bytes().value();
  const auto tensors = core::tensors_of(large).value();
  const int set = device().make_set({}).value();
  const auto made = oracle.expect_on(device(), set, large, tensors, first_case(large), kNanPoison, kLimit);
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_EQ(oracle.place(), "cuda:0");
  for (int i = 0; i < 2; ++i) {
    std::cout << "  process " << i << ": " << before[i] << " MiB, then " << peak_mib(processes[i]) << "\n";
    EXPECT_LT(peak_mib(processes[i]) - before[i], 512);
  }
  EXPECT_EQ(oracle.device_bytes(large) > (I64{3} << 30), true) << "3 GiB in double, at least";
  const auto host_of_first_row = [&] {
    std::vector<double> row, weights;
    for (const std::size_t i : {0UL, 1UL}) {
      std::vector<std::byte> bytes(4096 * sizeof(float));
      const auto params = fill_params(*first_case(large).distribution, tensors[i], i, first_case(large).seed);
      fill_on_host(bytes.data(), params, 4096);
      (i == 0 ? row : weights) = decode_on_host(bytes.data(), params.dtype, 4096);
    }
    double sum = 0;
    for (std::size_t i = 0; i < row.size(); ++i) sum += row[i] * weights[i];
    return sum;
  };
  const auto first = device().read_expected(set, "y", 0, 1).value();
  EXPECT_NEAR(first.values.at(0), host_of_first_row(), 1e-9 * first.scale.at(0));
  device().drop_sets();
  const I64 kept = free_before - device().free_bytes().value();
  EXPECT_LT(kept, I64{10} << 30) << "at most a sixteenth of the device is kept";
}

}  // namespace
}  // namespace kgen::judge
