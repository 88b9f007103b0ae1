#include "harness/judge/evaluate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "harness/judge/check_cases.hpp"
#include "harness/judge/check_sanitizers.hpp"
#include "host_device.hpp"
#include "reference_ops/builtin_ops.hpp"

namespace kgen::judge {
namespace {

using core::Verdict;
using run::RunFailure;

constexpr const char* kSource = R"(/*kgen
{ "launches": [ {"kernel": "k", "grid": ["rows"], "block": [256], "args": ["x", "y", "cols"]} ] }
*/
__global__ void k(const x_t* x, y_t* y, long long cols) {}
)";

compile::CompileResult fake_compile(const compile::CompileRequest& request) {
  compile::CompileResult result;
  result.ok = true;
  result.cubin = "cubin";
  for (const auto& name : request.kernels) {
    compile::CompiledKernel kernel;
    kernel.expression = kernel.lowered_name = name;
    const std::string dtype = request.type_aliases.front().second;
    using Kind = core::ParameterType::Kind;
    kernel.parameters = {{Kind::pointer, 8, false, dtype, true, "const x_t*"},
                         {Kind::pointer, 8, false, dtype, false, "y_t*"},
                         {Kind::integer, 8, true, "", false, "long long"}};
    result.kernels.push_back(std::move(kernel));
  }
  return result;
}

/// Rows and columns of a launch, from its grid and its third argument.
std::pair<I64, I64> extents(const FakeLaunch& launch) {
  const auto& kernel = std::get<run::LaunchKernel>(launch.sequence->steps.front());
  I64 cols = 0;
  std::memcpy(&cols, kernel.args.at(2).bytes.data(), sizeof(cols));
  return {kernel.grid[0], cols};
}

/// A right softmax in f32.
run::RunResult<void> softmax(const FakeLaunch& launch) {
  if (launch.sequence->steps.empty()) return {};
  const auto [rows, cols] = extents(launch);
  const auto* x = reinterpret_cast<const float*>(launch.tensors.at("x"));
  auto* y = reinterpret_cast<float*>(launch.tensors.at("y"));
  const auto length = static_cast<std::size_t>(cols);
  std::vector<double> powers(length);
  for (I64 r = 0; r < rows; ++r, x += cols, y += cols) {
    double largest = -INFINITY, sum = 0;
    for (std::size_t c = 0; c < length; ++c) largest = std::fmax(largest, static_cast<double>(x[c]));
    for (std::size_t c = 0; c < length; ++c) sum += powers[c] = std::exp(static_cast<double>(x[c]) - largest);
    for (std::size_t c = 0; c < length; ++c) y[c] = static_cast<float>(powers[c] / sum);
  }
  return {};
}

float* output(const FakeLaunch& launch) {
  return reinterpret_cast<float*>(launch.tensors.at("y"));
}

struct Evaluate : testing::Test {
  core::Evaluation judge(const FakeKernel& kernel, core::Tier tier = core::Tier::screen) {
    HostDevice device(kernel);
    return judge_on(device, tier).value();
  }
  Result<core::Evaluation> judge_on(HostDevice& device, core::Tier tier = core::Tier::screen) {
    core::Op spec = *reference_ops::find_builtin_op("softmax").value();
    spec.determinism = determinism;
    spec.attributes = attributes;
    const auto op = std::make_shared<const core::Op>(std::move(spec));
    Workplace workplace;
    workplace.facts = core::facts_for_arch("sm_90a").value();
    workplace.facts.kind = device_kind;
    workplace.device = with_device ? &device : nullptr;
    workplace.references = {{op->name, op->hash}};
    workplace.run_sanitizers = tools;
    workplace.compile_sandbox = compile_sandbox;
    workplace.soak = {soak_launches, 10'000};
    workplace.compile_limit_ms = compile_limit_ms;
    workplace.compile_all = [&](const auto& requests) {
      std::vector<compile::CompileResult> results;
      for (const auto& request : requests) results.push_back(compile(request));
      compiles += requests.size();
      return results;
    };
    core::EvaluateRequest request;
    request.task = core::make_task(op, "f32", {{"rows", 16}, {"cols", 200}}, {}).value();
    request.source = source;
    request.tier = tier;
    request.seed = seed;
    request.require_all_shapes = all_shapes;
    return evaluate(workplace, request, [&](const core::Stage& stage) { stages.push_back(stage.name); });
  }

  std::string source = kSource;
  core::DeviceKind device_kind = core::DeviceKind::none;
  std::function<compile::CompileResult(const compile::CompileRequest&)> compile = fake_compile;
  std::size_t compiles = 0;
  core::Determinism determinism = core::Determinism::required;
  std::vector<core::Attribute> attributes;
  std::uint64_t seed = 42;
  int soak_launches = 200;
  double compile_limit_ms = 1e9;
  sanitize::RunTools tools;  // none: they cannot run
  bool with_device = true, all_shapes = false;
  std::map<std::string, std::string> compile_sandbox;
  std::vector<std::string> stages;
};

const core::Check* failed_check(const core::Evaluation& evaluation) {
  for (const auto& check : evaluation.checks) {
    if (check.state == core::Check::State::failed) return &check;
  }
  return nullptr;
}

const core::Check* check_named(const core::Evaluation& evaluation, const std::string& name) {
  for (const auto& check : evaluation.checks) {
    if (check.name == name) return &check;
  }
  return nullptr;
}

TEST_F(Evaluate, AcceptsARightKernelAndTimesIt) {
  const auto evaluation = judge(softmax);
  ASSERT_EQ(evaluation.verdict, Verdict::correct) << evaluation.message;
  EXPECT_EQ(evaluation.shapes_covered, 6);
  EXPECT_EQ(failed_check(evaluation), nullptr);
  ASSERT_TRUE(evaluation.timing);
  EXPECT_EQ(evaluation.timing->candidate.median_us, 50);
  EXPECT_GE(evaluation.timing->checked_launches, 8);
  EXPECT_EQ(check_named(evaluation, "timed_launches")->state, core::Check::State::passed);
  EXPECT_EQ(stages, (std::vector<std::string>{"plan", "shapes", "compile", "policy", "arguments", "load",
                                              "checks", "counters", "timing", "profile"}));
}

TEST_F(Evaluate, PromotionChecksEveryDistributionAtEveryShape) {
  const auto evaluation = judge(softmax, core::Tier::promotion);
  ASSERT_EQ(evaluation.verdict, Verdict::correct) << evaluation.message;
  const auto count = std::count_if(evaluation.checks.begin(), evaluation.checks.end(), [](const auto& c) {
    return c.name == "values" || c.name == "task_shape";
  });
  const auto op = reference_ops::find_builtin_op("softmax").value();
  EXPECT_GE(static_cast<std::size_t>(count), op->distributions.size() * (op->check_shapes.size() + 1));
}

TEST_F(Evaluate, CompilesOnceWhereMacrosAreTheSame) {
  judge(softmax);
  EXPECT_EQ(compiles, 1u);
}

TEST_F(Evaluate, CompilesDistinctMacroSetsEach) {
  source = R"(/*kgen
{ "defines": {"SMALL": "cols < 100"},
  "launches": [ {"kernel": "k", "grid": ["rows"], "block": [256], "args": ["x", "y", "cols"]} ] }
*/)";
  EXPECT_EQ(judge(softmax).verdict, Verdict::correct);
  EXPECT_EQ(compiles, 2u);
}

TEST_F(Evaluate, StopsAfterCompilingWithoutADevice) {
  with_device = false;
  const auto evaluation = judge(softmax);
  EXPECT_EQ(evaluation.verdict, Verdict::not_run);
  EXPECT_EQ(evaluation.message, "compiled; not run: no device");
}

run::RunResult<void> zeros(const FakeLaunch& launch) {
  if (launch.sequence->steps.empty()) return {};
  const auto [rows, cols] = extents(launch);
  std::fill_n(output(launch), rows * cols, 0.0f);
  return {};
}

TEST_F(Evaluate, RejectsZeros) {
  const auto evaluation = judge(zeros);
  EXPECT_EQ(evaluation.verdict, Verdict::wrong_result);
  ASSERT_TRUE(failed_check(evaluation)->mismatch);
  EXPECT_NE(failed_check(evaluation)->mismatch->pattern.find("zero"), std::string::npos);
}

TEST_F(Evaluate, StopsWhereEnoughHasFailedAndSaysSo) {
  const auto evaluation = judge(zeros, core::Tier::promotion);
  EXPECT_EQ(evaluation.verdict, Verdict::wrong_result);
  const auto failed = std::ranges::count(evaluation.checks, core::Check::State::failed, &core::Check::state);
  EXPECT_GE(failed, 128);
  EXPECT_LT(failed, 136);  // of one pair a few checks may fail
  const auto* const left = check_named(evaluation, "not_reached");
  ASSERT_NE(left, nullptr);
  EXPECT_EQ(left->state, core::Check::State::skipped);
  EXPECT_EQ(left->detail.find("enough had failed: "), 0U) << left->detail;
}

TEST_F(Evaluate, RejectsATailNeverWritten) {
  const auto evaluation = judge([](const FakeLaunch& launch) -> run::RunResult<void> {
    KGEN_CHECK(softmax(launch));
    if (launch.sequence->steps.empty()) return {};
    const auto [rows, cols] = extents(launch);
    for (I64 r = 0; r < rows; ++r) {
      for (I64 c = cols / 32 * 32; c < cols; ++c) std::memset(output(launch) + r * cols + c, 0xff, 4);
    }
    return {};
  });
  EXPECT_EQ(evaluation.verdict, Verdict::wrong_result);
  EXPECT_NE(evaluation.message.find("never written"), std::string::npos) << evaluation.message;
}

TEST_F(Evaluate, RejectsWritesBesideATensor) {
  for (const int place : {-1, 1}) {
    const auto evaluation = judge([&](const FakeLaunch& launch) -> run::RunResult<void> {
      KGEN_CHECK(softmax(launch));
      if (launch.sequence->steps.empty()) return {};
      const auto [rows, cols] = extents(launch);
      output(launch)[place < 0 ? -1 : rows * cols] = 1.0f;
      return {};
    });
    EXPECT_EQ(evaluation.verdict, Verdict::out_of_bounds);
    EXPECT_EQ(failed_check(evaluation)->name, "guards");
  }
}

TEST_F(Evaluate, RejectsWritesBesideATensorOfTheBytesThatPoisonHas) {
  const auto evaluation = judge([&](const FakeLaunch& launch) -> run::RunResult<void> {
    KGEN_CHECK(softmax(launch));
    if (launch.sequence->steps.empty()) return {};
    const auto [rows, cols] = extents(launch);
    std::memset(output(launch) + rows * cols, 0xff, 16);
    return {};
  });
  EXPECT_EQ(evaluation.verdict, Verdict::out_of_bounds);
}

TEST_F(Evaluate, RejectsRowsLeftUnwrittenWhereNaNIsExpected) {
  const auto evaluation = judge(
      [](const FakeLaunch& launch) -> run::RunResult<void> {
        if (launch.sequence->steps.empty()) return {};
        const auto [rows, cols] = extents(launch);
        float* const y = output(launch);  // each look at a launch's tensors is a search by name
        const std::vector<float> before(y, y + rows * cols);
        KGEN_CHECK(softmax(launch));
        for (I64 i = 0; i < rows * cols; ++i) {
          if (std::isnan(y[i])) y[i] = before[static_cast<std::size_t>(i)];
        }
        return {};
      },
      core::Tier::promotion);
  EXPECT_EQ(evaluation.verdict, Verdict::wrong_result);
  EXPECT_NE(evaluation.message.find("never written"), std::string::npos) << evaluation.message;
  EXPECT_NE(evaluation.message.find("second execution"), std::string::npos) << evaluation.message;
}

TEST_F(Evaluate, RejectsAnInputChangedInEverySecondExecution) {
  const auto evaluation = judge([](const FakeLaunch& launch) -> run::RunResult<void> {
    KGEN_CHECK(softmax(launch));
    if (launch.number % 2 == 1) reinterpret_cast<float*>(launch.tensors.at("x"))[0] += 1.0f;
    return {};
  });
  EXPECT_EQ(evaluation.verdict, Verdict::input_modified);
}

TEST_F(Evaluate, RejectsAChangedInput) {
  const auto evaluation = judge([](const FakeLaunch& launch) -> run::RunResult<void> {
    KGEN_CHECK(softmax(launch));
    reinterpret_cast<float*>(launch.tensors.at("x"))[0] += 1.0f;
    return {};
  });
  EXPECT_EQ(evaluation.verdict, Verdict::input_modified);
}

TEST_F(Evaluate, RejectsAKernelThatCountsItsLaunches) {
  const auto evaluation = judge([](const FakeLaunch& launch) -> run::RunResult<void> {
    (*launch.globals)["counter"] = std::to_string(launch.number + 1);
    return softmax(launch);
  });
  EXPECT_EQ(evaluation.verdict, Verdict::hidden_state);
  EXPECT_NE(evaluation.message.find("counter"), std::string::npos);
}

TEST_F(Evaluate, RejectsAGlobalThatIsBackAfterTwoLaunches) {
  const auto evaluation = judge([](const FakeLaunch& launch) -> run::RunResult<void> {
    (*launch.globals)["counter"] = std::to_string((launch.number + 1) % 2);
    return softmax(launch);
  });
  EXPECT_EQ(evaluation.verdict, Verdict::hidden_state);
}

TEST_F(Evaluate, SaysWhichGlobalsCouldNotBeCompared) {
  HostDevice device(softmax);
  device.unreadable_global = "table";
  const auto evaluation = judge_on(device).value();
  const auto* const check = check_named(evaluation, "hidden_state");
  ASSERT_NE(check, nullptr);
  EXPECT_EQ(check->state, core::Check::State::skipped);
  EXPECT_EQ(check->detail, "not compared: device globals table (no address)");
}

TEST_F(Evaluate, RejectsBitsThatVary) {
  const auto evaluation = judge([](const FakeLaunch& launch) -> run::RunResult<void> {
    KGEN_CHECK(softmax(launch));
    if (launch.sequence->steps.empty()) return {};
    const float one_ulp = std::nextafterf(output(launch)[0], 0.0f);
    if (launch.number % 2 == 1 && output(launch)[0] < 0.9f && output(launch)[0] > 0.0f)
      output(launch)[0] = one_ulp;
    return {};
  });
  EXPECT_EQ(evaluation.verdict, Verdict::nondeterministic) << evaluation.message;
}

TEST_F(Evaluate, RejectsAKernelThatIsWrongOnlyWhileTimed) {
  const auto evaluation = judge([](const FakeLaunch& launch) -> run::RunResult<void> {
    if (!launch.timed) return softmax(launch);
    return {};
  });
  EXPECT_EQ(evaluation.verdict, Verdict::wrong_result);
  EXPECT_EQ(evaluation.kind, "timed_launch");
  EXPECT_EQ(failed_check(evaluation)->name, "timed_launches");
  EXPECT_FALSE(evaluation.timing);
}

TEST_F(Evaluate, AKernelThatIsQuickOnlyOnInputsItHasMetRemembersThem) {
  std::set<std::string> met;
  double known_us = 20;
  HostDevice* timed = nullptr;
  HostDevice device([&](const FakeLaunch& launch) {
    if (launch.sequence->steps.empty()) return softmax(launch);
    const auto [rows, cols] = extents(launch);
    const auto bytes = static_cast<std::size_t>(4 * rows * cols);
    const bool is_new = met.insert({reinterpret_cast<const char*>(launch.tensors.at("x")), bytes}).second;
    timed->microseconds = is_new ? 50 : known_us;
    return softmax(launch);
  });
  timed = &device;
  const auto cheat = judge_on(device, core::Tier::promotion).value();
  EXPECT_EQ(cheat.verdict, Verdict::hidden_state) << cheat.message;
  EXPECT_EQ(cheat.kind, "timed_launch");
  EXPECT_NE(cheat.message.find("2.50 times"), std::string::npos) << cheat.message;
  known_us = 48;
  met.clear();
  EXPECT_EQ(judge_on(device, core::Tier::promotion).value().flags,
            std::vector<std::string>{"slower_on_fresh_values"});
}

TEST_F(Evaluate, ValuesMadeAnewBetweenRoundsShowATimedLaunchThatRepeatsAnOldResult) {
  std::map<std::byte*, std::vector<float>> first;  // of each output, as the first timed launch left it
  const auto evaluation = judge([&](const FakeLaunch& launch) {
    auto done = softmax(launch);
    const auto [rows, cols] = extents(launch);
    if (!launch.timed || rows * cols == 0) return done;
    auto& known = first[launch.tensors.at("y")];
    if (known.empty()) known.assign(output(launch), output(launch) + rows * cols);
    std::copy(known.begin(), known.end(), output(launch));
    return done;
  });
  EXPECT_EQ(evaluation.verdict, Verdict::wrong_result);
  EXPECT_EQ(evaluation.kind, "timed_launch");
}

TEST_F(Evaluate, NamesFaultsTimeoutsAndRefusedLaunches) {
  const std::pair<RunFailure::Kind, Verdict> rows[] = {
      {RunFailure::Kind::fault, Verdict::fault},
      {RunFailure::Kind::timeout, Verdict::timeout},
      {RunFailure::Kind::launch_error, Verdict::launch_error},
      {RunFailure::Kind::died, Verdict::fault}};
  for (const auto& [kind, verdict] : rows) {
    const auto evaluation = judge([k = kind](const FakeLaunch& launch) -> run::RunResult<void> {
      if (launch.number < 3) return softmax(launch);
      return tl::unexpected(RunFailure{k, "illegal_address", "", "it broke", 0});
    });
    EXPECT_EQ(evaluation.verdict, verdict);
    EXPECT_NE(evaluation.message.find("it broke"), std::string::npos);
  }
}

TEST_F(Evaluate, AFailureOfASecondExecutionAloneIsTheVerdict) {
  for (const auto& [kind, verdict] : {std::pair(RunFailure::Kind::launch_error, Verdict::launch_error),
                                      std::pair(RunFailure::Kind::race, Verdict::race)}) {
    const auto evaluation = judge([k = kind](const FakeLaunch& launch) -> run::RunResult<void> {
      if (launch.number != 1) return softmax(launch);
      return tl::unexpected(RunFailure{k, "", "", "it broke", 0});
    });
    EXPECT_EQ(evaluation.verdict, verdict);
    EXPECT_NE(evaluation.message.find("it broke"), std::string::npos) << evaluation.message;
    EXPECT_EQ(std::count_if(evaluation.checks.begin(), evaluation.checks.end(),
                            [](const core::Check& check) { return check.name == "launch"; }),
              1)
        << "nothing runs after it";
  }
}

TEST_F(Evaluate, SaysWhatIsNotCovered) {
  source = R"(/*kgen
{ "requires": ["cols % 8 == 0"],
  "launches": [ {"kernel": "k", "grid": ["rows"], "block": [256], "args": ["x", "y", "cols"]} ] }
*/)";
  const auto evaluation = judge(softmax);
  EXPECT_EQ(evaluation.verdict, Verdict::correct);
  EXPECT_LT(evaluation.shapes_covered, evaluation.shapes_total);
  EXPECT_NE(evaluation.not_covered.at(0).find("requires cols % 8 == 0"), std::string::npos);
  all_shapes = true;
  EXPECT_EQ(judge(softmax).verdict, Verdict::not_covered);
}

constexpr const char* kEvenColumns = R"(/*kgen
{ "requires": ["cols % 2 == 0", "cols <= 256", "rows <= 64"],
  "launches": [ {"kernel": "k", "grid": ["rows"], "block": [256], "args": ["x", "y", "cols"]} ] }
*/)";

TEST_F(Evaluate, PromotionMakesShapesThatNoListNames) {
  source = kEvenColumns;
  const FakeKernel hidden_defect = [](const FakeLaunch& launch) -> run::RunResult<void> {
    KGEN_CHECK(softmax(launch));
    if (launch.sequence->steps.empty()) return {};
    const auto [rows, cols] = extents(launch);
    if (cols % 4 == 2 && cols > 2 && rows > 0) output(launch)[0] = 2.0f;
    return {};
  };
  EXPECT_EQ(judge(hidden_defect).verdict, Verdict::correct);  // a screen cannot see it
  const auto evaluation = judge(hidden_defect, core::Tier::promotion);
  EXPECT_EQ(evaluation.verdict, Verdict::wrong_result) << evaluation.message;
  EXPECT_EQ(failed_check(evaluation)->name, "made_shape");
  EXPECT_EQ(failed_check(evaluation)->dims.at("cols") % 4, 2);
}

/// What `made_shapes` says; empty where it is missing.
std::string made_shapes_detail(const core::Evaluation& evaluation) {
  const auto check = std::find_if(evaluation.checks.begin(), evaluation.checks.end(),
                                  [](const auto& c) { return c.name == "made_shapes"; });
  return check == evaluation.checks.end() ? "" : check->detail;
}

TEST_F(Evaluate, PromotionNamesTheShapesThatItMade) {
  source = kEvenColumns;
  const auto evaluation = judge(softmax, core::Tier::promotion);
  ASSERT_EQ(evaluation.verdict, Verdict::correct) << evaluation.message;
  const std::string detail = made_shapes_detail(evaluation);
  ASSERT_NE(detail.find(" shapes of the judge's own inside `requires`: rows="), std::string::npos) << detail;
  EXPECT_GE(std::stoi(detail), 8) << detail;
  EXPECT_EQ(evaluation.shapes_total, 16) << "made shapes count neither as covered nor as not";
}

TEST_F(Evaluate, PromotionNamesFirstTheShapesThatRequiresClaimsAndTheGridCannotHave) {
  source = R"(/*kgen
{ "requires": ["cols <= 256", "rows % 7 != 1"],
  "launches": [ {"kernel": "k", "grid": ["rows", "rows"], "block": [256], "args": ["x", "y", "cols"]} ] }
*/)";
  const auto evaluation = judge(softmax, core::Tier::promotion);
  EXPECT_EQ(evaluation.verdict, Verdict::correct) << evaluation.message;
  const std::string detail = made_shapes_detail(evaluation);
  EXPECT_EQ(detail.find("not served inside `requires`: rows="), 0u) << detail;
  EXPECT_NE(detail.find("grid[1]"), std::string::npos) << detail;
  EXPECT_NE(detail.find(" shapes of the judge's own inside `requires`: rows="), std::string::npos) << detail;
}

constexpr const char* kShortOrVeryLong = R"kgen(/*kgen
{ "requires": ["rows * cols <= 3200 || (rows == 1 && cols > 16777216)"],
  "launches": [ {"kernel": "k", "grid": ["rows"], "block": [256], "args": ["x", "y", "cols"]} ] }
*/)kgen";

TEST_F(Evaluate, ATimeOutAtAVeryLongRowIsAFlagAndNoVerdict) {
  device_kind = core::DeviceKind::cuda;
  source = kShortOrVeryLong;
  for (const int right_ones : {0, 1}) {  // of the executions on the row's inputs
    std::map<I64, int> executions;
    const FakeKernel slow = [&](const FakeLaunch& launch) -> run::RunResult<void> {
      const bool is_long = !launch.sequence->steps.empty() && extents(launch).second > 1 << 24;
      if (!is_long || executions[extents(launch).second]++ < right_ones) return softmax(launch);
      return tl::unexpected(RunFailure{RunFailure::Kind::timeout, "", "", "longer than 5 s", 0});
    };
    const auto evaluation = judge(slow, core::Tier::promotion);
    EXPECT_EQ(evaluation.verdict, Verdict::correct) << evaluation.message;
    ASSERT_GE(executions.size(), 1u);
    for (const auto& [cols, times] : executions)
      EXPECT_EQ(times, right_ones + 1) << cols << ": once too long is enough";
    EXPECT_EQ(std::count(evaluation.flags.begin(), evaluation.flags.end(), "long_shape_unfinished"), 1);
    EXPECT_EQ(std::count_if(evaluation.checks.begin(), evaluation.checks.end(),
                            [](const core::Check& check) {
                              return check.state == core::Check::State::skipped &&
                                     check.name == "made_shape" &&
                                     check.detail == "not judged: longer than 5 s" &&
                                     check.dims.at("cols") > 1 << 24;
                            }),
              std::ssize(executions));
  }
}

TEST_F(Evaluate, PromotionSaysWhatCouldNotRun) {
  source = kEvenColumns;
  const auto evaluation = judge(softmax, core::Tier::promotion);
  const std::pair<const char*, const char*> rows[] = {
      {"large", "more than 2^31 elements need a GPU's memory"},
      {"memcheck", "compute-sanitizer needs a GPU"},
      {"synccheck", "compute-sanitizer needs a GPU"}};
  for (const auto& [name, why] : rows) {
    const auto check = std::find_if(evaluation.checks.begin(), evaluation.checks.end(),
                                    [n = std::string(name)](const auto& c) { return c.name == n; });
    ASSERT_NE(check, evaluation.checks.end()) << name;
    EXPECT_EQ(check->state, core::Check::State::skipped);
    EXPECT_EQ(check->detail, why);
  }
}

/// Tools that all run to their end; `log` is that of `tool`.
sanitize::RunTools tools_saying(const std::string& tool, const std::string& log,
                                sanitize::Job* seen = nullptr) {
  return [=](const sanitize::Job& job) {
    if (seen) *seen = job;
    std::vector<sanitize::ToolRun> runs;
    for (const char* name : sanitize::kTools) {
      const std::string clean = "========= ERROR SUMMARY: 0 errors\n";
      runs.push_back({name, name == tool ? log : clean, job.cases.size(), job.cases.size(), "", ""});
    }
    return runs;
  };
}

TEST_F(Evaluate, PromotionRunsTheSanitizersOverSmallShapes) {
  source = kEvenColumns;
  sanitize::Job job;
  tools = tools_saying("", "", &job);
  const auto evaluation = judge(softmax, core::Tier::promotion);
  ASSERT_EQ(evaluation.verdict, Verdict::correct) << evaluation.message;
  for (const char* tool : sanitize::kTools)
    EXPECT_EQ(check_named(evaluation, tool)->state, core::Check::State::passed);
  EXPECT_GE(job.cases.size(), 3u);
  for (const auto& one : job.cases) {
    ASSERT_EQ(one.buffers.size(), 2u);
    EXPECT_EQ(one.buffers[0].data.size(), static_cast<std::size_t>(one.buffers[0].bytes));
    EXPECT_TRUE(one.buffers[1].data.empty()) << "an output stays uninitialised";
    EXPECT_LE(one.buffers[0].bytes + one.buffers[1].bytes, 1 << 20);
  }
}

// Small tensors can take millions of threads, and the tools seconds with them.
TEST_F(Evaluate, TheSanitizersSeeNoShapeOfManyThreads) {
  source = kEvenColumns;
  const std::string grid = R"(["rows"], "block": [256])";
  source.replace(source.find(grid), grid.size(), R"(["rows", "cols", "cols / 2"], "block": [1024])");
  sanitize::Job job;
  tools = tools_saying("", "", &job);
  const auto evaluation = judge(softmax, core::Tier::promotion);
  EXPECT_GE(job.cases.size(), 4u);
  for (const auto& one : job.cases) {
    const auto& grid_of = std::get<run::LaunchKernel>(one.sequence.steps.front()).grid;
    EXPECT_LE(grid_of[0] * grid_of[1] * grid_of[2] * 1024, kMostSanitizedThreads) << one.title;
  }
  // A candidate that starts them at many shapes chooses what is looked at.
  const auto* const said = check_named(evaluation, "sanitized_threads");
  ASSERT_NE(said, nullptr);
  EXPECT_EQ(said->state, core::Check::State::skipped);
  EXPECT_NE(said->detail.find("rows="), std::string::npos) << said->detail;
  EXPECT_EQ(std::count(evaluation.flags.begin(), evaluation.flags.end(), "program_unsanitized"), 1);
}

TEST_F(Evaluate, WhereNoSanitizerRunsTheProgramIsFlagged) {
  source = kEvenColumns;
  tools = tools_saying("", "");
  compile = [](const compile::CompileRequest& request) {
    auto result = fake_compile(request);
    result.ok = !request.want_ptx;
    return result;
  };
  const auto evaluation = judge(softmax, core::Tier::promotion);
  EXPECT_EQ(evaluation.verdict, Verdict::correct) << evaluation.message;
  EXPECT_EQ(check_named(evaluation, "memcheck")->state, core::Check::State::skipped);
  EXPECT_EQ(std::count(evaluation.flags.begin(), evaluation.flags.end(), "program_unsanitized"), 1);
}

TEST_F(Evaluate, AFindingOfASanitizerIsTheVerdict) {
  source = kEvenColumns;
  tools = tools_saying(
      "initcheck",
      "========= Uninitialized __global__ memory read of size 4 bytes\n=========     at k(int)+0x10 in "
      "kernel.cu:2\n========= ERROR SUMMARY: 1 error\n");
  const auto evaluation = judge(softmax, core::Tier::promotion);
  EXPECT_EQ(evaluation.verdict, Verdict::uninitialised_read);
  EXPECT_EQ(
      evaluation.message.find("initcheck: Uninitialized __global__ memory read of size 4 bytes at line 2"),
      0u)
      << evaluation.message;
  EXPECT_EQ(check_named(evaluation, "memcheck")->state, core::Check::State::passed);
  EXPECT_EQ(check_named(evaluation, "initcheck")->state, core::Check::State::failed);
}

TEST_F(Evaluate, RacesBesideAsynchronousBarriersAreFlagged) {
  source = kEvenColumns;
  compile = [](const compile::CompileRequest& request) {
    auto result = fake_compile(request);
    EXPECT_TRUE(request.lineinfo || !request.want_ptx);
    if (request.want_ptx) result.ptx = "mbarrier.init.shared.b64 [%r1], 1;";
    return result;
  };
  tools = tools_saying("racecheck",
                       "========= Error: Race reported between Write access at k(int)+0x10 in kernel.cu:2\n"
                       "========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)\n");
  const auto evaluation = judge(softmax, core::Tier::promotion);
  EXPECT_EQ(evaluation.verdict, Verdict::correct) << evaluation.message;
  EXPECT_EQ(check_named(evaluation, "racecheck")->state, core::Check::State::skipped);
  EXPECT_EQ(std::count(evaluation.flags.begin(), evaluation.flags.end(), "async_barrier_unchecked"), 1);
}

TEST_F(Evaluate, AKernelThatIsNotLaunchedExcusesNoRace) {
  source = kEvenColumns;
  compile = [](const compile::CompileRequest& request) {
    auto result = fake_compile(request);
    if (!request.want_ptx) return result;
    for (const auto& kernel : result.kernels) result.ptx += ".entry " + kernel.lowered_name + "() { ret; }\n";
    result.ptx += ".entry never_launched() { mbarrier.inval.shared.b64 [%r1]; }\n";
    return result;
  };
  tools = tools_saying("racecheck",
                       "========= Error: Race reported between Write access at k(int)+0x10 in kernel.cu:2\n"
                       "========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)\n");
  EXPECT_EQ(judge(softmax, core::Tier::promotion).verdict, Verdict::race);
}

TEST_F(Evaluate, AnAttributeThatItsOpNeverVariesIsNamedAndFlagged) {
  source = kEvenColumns;
  attributes.resize(1);
  attributes[0].name = "gain";
  attributes[0].type = "float";
  const auto evaluation = judge(softmax, core::Tier::promotion);
  EXPECT_EQ(evaluation.verdict, Verdict::correct) << evaluation.message;
  ASSERT_NE(check_named(evaluation, "attributes"), nullptr);
  EXPECT_NE(check_named(evaluation, "attributes")->detail.find("gain"), std::string::npos);
  EXPECT_EQ(std::count(evaluation.flags.begin(), evaluation.flags.end(), "attribute_never_varied"), 1);
  attributes[0].low = 0.5;
  attributes[0].high = 2;
  EXPECT_EQ(check_named(judge(softmax, core::Tier::promotion), "attributes"), nullptr);
}

TEST_F(Evaluate, ABranchThatNoShapeTakesIsNamedAndFlagged) {
  source = std::string(kEvenColumns);
  const std::string word = "\"launches\"";
  source.insert(source.find(word), "\"defines\": {\"FAST\": \"cols == 1099511627776\"}, ");
  const auto evaluation = judge(softmax, core::Tier::promotion);
  EXPECT_EQ(evaluation.verdict, Verdict::correct) << evaluation.message;
  EXPECT_EQ(check_named(evaluation, "branches")->state, core::Check::State::skipped);
  EXPECT_NE(check_named(evaluation, "branches")->detail.find("FAST is not 0"), std::string::npos);
  EXPECT_EQ(std::count(evaluation.flags.begin(), evaluation.flags.end(), "branch_never_taken"), 1);
}

TEST_F(Evaluate, AnOperandOfAMaxThatIsNeverTakenIsNamedAndNoFlag) {
  source = std::string(kEvenColumns);
  const std::string word = "\"launches\"";
  source.insert(source.find(word), "\"defines\": {\"MOST\": \"max(cols, 2) * max(cols, cols + rows)\"}, ");
  const auto evaluation = judge(softmax, core::Tier::promotion);
  EXPECT_EQ(evaluation.verdict, Verdict::correct) << evaluation.message;
  EXPECT_EQ(check_named(evaluation, "branches")->state, core::Check::State::skipped);
  EXPECT_NE(check_named(evaluation, "branches")->detail.find("`cols < cols + rows` does not hold"),
            std::string::npos);
  EXPECT_EQ(std::count(evaluation.flags.begin(), evaluation.flags.end(), "branch_never_taken"), 0);
}

/// A program for every number of columns.
constexpr const char* kProgramAShape = R"(/*kgen
{ "requires": ["cols % 2 == 0", "cols <= 256", "rows <= 64"], "defines": {"COLS": "cols"},
  "launches": [ {"kernel": "k", "grid": ["rows"], "block": [256], "args": ["x", "y", "cols"]} ] }
*/)";

TEST_F(Evaluate, OfManyProgramsTheTasksOwnIsCompiledFirst) {
  source = kProgramAShape;
  EXPECT_EQ(judge(softmax, core::Tier::promotion).verdict, Verdict::correct);
  EXPECT_GT(compiles, 12U);
  EXPECT_TRUE(std::ranges::any_of(
      stages, [](const std::string& stage) { return stage.find("programs compiled") != std::string::npos; }));
  compiles = 0;
  compile = [](const compile::CompileRequest&) {
    compile::CompileResult result;
    result.failure = compile::CompileFailure::compile_error;
    result.message = "no";
    return result;
  };
  EXPECT_EQ(judge(softmax, core::Tier::promotion).verdict, Verdict::compile_error);
  EXPECT_EQ(compiles, 1U);
}

TEST_F(Evaluate, CompilingManyProgramsHasALimit) {
  source = kProgramAShape;
  compile_limit_ms = 0;
  const auto evaluation = judge(softmax, core::Tier::promotion);
  EXPECT_EQ(evaluation.verdict, Verdict::compile_error);
  EXPECT_EQ(evaluation.kind, "timed_out");
  EXPECT_NE(evaluation.message.find("1 of "), std::string::npos) << evaluation.message;
  source = kEvenColumns;  // few programs need no time
  EXPECT_EQ(judge(softmax, core::Tier::promotion).verdict, Verdict::correct);
}

/// Judges a kernel that is right but for `damage`, which sees every launch and the shape's rows.
core::Evaluation soaked(Evaluate& test, const std::function<void(const FakeLaunch&, I64 rows)>& damage) {
  test.source = kEvenColumns;
  return test.judge(
      [&](const FakeLaunch& launch) -> run::RunResult<void> {
        KGEN_CHECK(softmax(launch));
        if (!launch.sequence->steps.empty()) damage(launch, extents(launch).first);
        return {};
      },
      core::Tier::promotion);
}

TEST_F(Evaluate, ASoakSaysHowManyLaunchesItWas) {
  const auto evaluation = soaked(*this, [](const FakeLaunch&, I64) {});
  ASSERT_EQ(evaluation.verdict, Verdict::correct) << evaluation.message;
  EXPECT_EQ(check_named(evaluation, "soak")->detail, "202 launches of 2 shapes, back to back");
}

/// kSource with a grid whose second extent is 2 where the condition holds, else 1.
std::string in_parts(const std::string& condition) {
  std::string source = kSource;
  source.replace(source.find("{ \"launches\""), 1, R"({ "let": {"parts": ")" + condition + R"( ? 2 : 1"}, )");
  source.replace(source.find("[\"rows\"]"), 8, R"(["rows", "parts"])");
  return source;
}

// What this plan chooses where rows are few beside the multiprocessors shows at two rows of 65537 columns.
TEST_F(Evaluate, WithFewMultiprocessorsCheckShapesStayAsOnTheDevice) {
  device_kind = core::DeviceKind::emulator;
  source = in_parts("cols > 65536 && rows + 3 < num_sms");
  int whole = 0;
  for (seed = 3; seed < 6; ++seed) {
    int split = 0;
    const auto evaluation = judge(
        [&](const FakeLaunch& launch) -> run::RunResult<void> {
          if (launch.sequence->steps.empty()) return {};
          if (extents(launch) == std::pair<I64, I64>(2, 65537)) {
            const auto parts = std::get<run::LaunchKernel>(launch.sequence->steps.front()).grid[1];
            EXPECT_TRUE(parts == 2 || launch.sequence->num_sms > 0);
            (parts == 2 ? split : whole) += 1;
          }
          return softmax(launch);
        },
        core::Tier::promotion);
    ASSERT_EQ(evaluation.verdict, Verdict::correct) << evaluation.message;
    EXPECT_GT(split, 0) << seed;
  }
  EXPECT_GT(whole, 0);
}

// A path for some columns alone, wrong there for rows with an infinity among other values, as few
// distributions have: on the emulator where only long shapes take it, and where no check shape does.
TEST_F(Evaluate, EachSideOfAPlansChoiceMeetsEveryDistributionSomewhere) {
  for (const auto& [kind, columns] : {std::pair{core::DeviceKind::emulator, "cols > 58048"},
                                      {core::DeviceKind::emulator, "cols / 7 == 302"},
                                      {core::DeviceKind::cuda, "cols / 7 == 302"}}) {
    device_kind = kind;
    seed = 1;
    source = in_parts(columns);
    const auto evaluation = judge(
        [&](const FakeLaunch& launch) -> run::RunResult<void> {
          KGEN_CHECK(softmax(launch));
          if (launch.sequence->steps.empty()) return {};
          if (std::get<run::LaunchKernel>(launch.sequence->steps.front()).grid[1] != 2) return {};
          const auto [rows, cols] = extents(launch);
          const auto* x = reinterpret_cast<const float*>(launch.tensors.at("x"));
          for (I64 first = 0; first < rows * cols; first += cols) {
            const auto masked = std::count(x + first, x + first + cols, -INFINITY);
            if (masked > 0 && masked < cols) output(launch)[first] = NAN;
          }
          return {};
        },
        core::Tier::promotion);
    EXPECT_EQ(evaluation.verdict, Verdict::wrong_result) << columns;
  }
}

// Many rows of one column are few bytes and many blocks: seconds a launch.
TEST_F(Evaluate, ASoakOnTheEmulatorIsOfShapesThatItRunsFast) {
  device_kind = core::DeviceKind::emulator;
  I64 most_threads = 0;
  for (seed = 18; seed < 20; ++seed) {  // the second would soak 4093 rows of one column
    const auto evaluation = judge(
        [&](const FakeLaunch& launch) -> run::RunResult<void> {
          KGEN_CHECK(softmax(launch));
          if (launch.timed && !launch.sequence->steps.empty())
            most_threads = std::max(most_threads, extents(launch).first * 256);
          return {};
        },
        core::Tier::promotion);
    ASSERT_EQ(evaluation.verdict, Verdict::correct) << evaluation.message;
  }
  EXPECT_GT(most_threads, 0);
  EXPECT_LE(most_threads, kEmulatedWhole);
}

TEST_F(Evaluate, ASoakGoesThroughAllInputsOfItsSets) {
  soak_launches = 2000;
  std::set<std::string> seen;
  const FakeKernel remembers = [&](const FakeLaunch& launch) -> run::RunResult<void> {
    if (launch.sequence->steps.empty()) return {};
    const auto [rows, cols] = extents(launch);
    const auto bytes = static_cast<std::size_t>(rows * cols) * sizeof(float);
    if (launch.timed) seen.emplace(reinterpret_cast<const char*>(launch.tensors.at("x")), bytes);
    return softmax(launch);
  };
  const auto evaluation = judge(remembers, core::Tier::promotion);
  EXPECT_EQ(evaluation.verdict, Verdict::correct) << evaluation.message;
  EXPECT_GT(seen.size(), 12U) << "two shapes, four sets, two cases a set; the timing's own beside them";
}

TEST_F(Evaluate, ASoakSeesDriftAfterManyLaunches) {
  int launches = 0;
  const auto evaluation = soaked(*this, [&](const FakeLaunch& launch, I64 rows) {
    if (launch.timed && ++launches > 150 && rows > 0) output(launch)[0] = 2.0f;
  });
  EXPECT_EQ(evaluation.verdict, Verdict::wrong_result);
  EXPECT_EQ(evaluation.kind, "soak");
  EXPECT_NE(evaluation.message.find("after 154 launches of a soak"), std::string::npos) << evaluation.message;
}

TEST_F(Evaluate, ASoakTellsOtherBitsFromAWrongResult) {
  int launches = 0;
  const auto evaluation = soaked(*this, [&](const FakeLaunch& launch, I64 rows) {
    if (!launch.timed || ++launches < 100) return;
    for (I64 i = 0; i < rows; ++i) {
      float& y = output(launch)[i];
      if (y > 0.1f && y < 0.9f) y = std::nextafterf(y, 0.0f);  // not where results must be equal
    }
  });
  EXPECT_EQ(evaluation.verdict, Verdict::nondeterministic) << evaluation.message;
  EXPECT_EQ(evaluation.kind, "soak");
}

/// A right kernel whose result is that of the launch before where nothing else ran on the device since
/// (outputs are not poisoned) and its tensor is the same.
FakeKernel remembering_kernel() {
  struct Memory {
    const std::byte* known = nullptr;
    std::vector<float> result;
  };
  const auto memory = std::make_shared<Memory>();
  return [memory](const FakeLaunch& launch) -> run::RunResult<void> {
    if (launch.sequence->steps.empty()) return {};
    const auto [rows, cols] = extents(launch);
    const std::byte* const x = launch.tensors.at("x");
    const std::byte* const y = launch.tensors.at("y");
    const bool poisoned =
        rows * cols > 0 && std::all_of(y, y + sizeof(float), [&](std::byte b) { return b == *y; });
    const auto elements = static_cast<std::size_t>(rows * cols);
    const bool remembers = !poisoned && memory->known == x && memory->result.size() == elements;
    KGEN_CHECK(softmax(launch));
    if (remembers) std::copy(memory->result.begin(), memory->result.end(), output(launch));
    memory->known = x;
    memory->result.assign(output(launch), output(launch) + elements);
    return {};
  };
}

TEST_F(Evaluate, ASoakSeesResultsRememberedForInputsThatChangeInPlace) {
  source = kEvenColumns;
  const auto evaluation = judge(remembering_kernel(), core::Tier::promotion);
  EXPECT_EQ(evaluation.verdict, Verdict::wrong_result) << evaluation.message;
  EXPECT_EQ(evaluation.kind, "soak");
}

// Such a soak makes expected values anew, and long enough every kind of burst occurs.
TEST_F(Evaluate, ALongSoakWhereBitsMayVaryAcceptsARightKernel) {
  determinism = core::Determinism::allowed;
  soak_launches = 3000;
  const auto evaluation = soaked(*this, [](const FakeLaunch&, I64) {});
  EXPECT_EQ(evaluation.verdict, Verdict::correct) << evaluation.message;
}

TEST_F(Evaluate, ALongSoakWhereBitsMayVarySeesResultsRemembered) {
  determinism = core::Determinism::allowed;
  soak_launches = 3000;
  source = kEvenColumns;
  const auto evaluation = judge(remembering_kernel(), core::Tier::promotion);
  EXPECT_EQ(evaluation.verdict, Verdict::wrong_result) << evaluation.message;
  EXPECT_EQ(evaluation.kind, "soak");
}

TEST_F(Evaluate, ASoakSeesAnInputThatALateLaunchChanges) {
  int launches = 0;
  const auto evaluation = soaked(*this, [&](const FakeLaunch& launch, I64 rows) {
    if (launch.timed && ++launches == 200 && rows > 0)
      reinterpret_cast<float*>(launch.tensors.at("x"))[0] += 1.0f;
  });
  EXPECT_EQ(evaluation.verdict, Verdict::input_modified) << evaluation.message;
  EXPECT_EQ(check_named(evaluation, "soak")->state, core::Check::State::failed);
}

TEST_F(Evaluate, TheTasksOwnShapeMustBeCovered) {
  source = R"(/*kgen
{ "requires": ["cols > 1000"],
  "launches": [ {"kernel": "k", "grid": ["rows"], "block": [256], "args": ["x", "y", "cols"]} ] }
*/)";
  const auto evaluation = judge(softmax);
  EXPECT_EQ(evaluation.verdict, Verdict::not_covered);
  EXPECT_EQ(evaluation.kind, "task_shape");
}

TEST_F(Evaluate, NamesPlanAndArgumentProblems) {
  source = "__global__ void k() {}";
  EXPECT_EQ(judge(softmax).verdict, Verdict::plan_invalid);
  source = R"(/*kgen
{ "launches": [ {"kernel": "k", "grid": ["rows"], "block": [256], "args": ["x", "y"]} ] }
*/)";
  const auto evaluation = judge(softmax);
  EXPECT_EQ(evaluation.verdict, Verdict::plan_invalid);
  EXPECT_NE(evaluation.message.find("launches[0]"), std::string::npos) << evaluation.message;
}

TEST_F(Evaluate, CompileFailuresHaveTheirVerdicts) {
  using compile::CompileFailure;
  const std::pair<CompileFailure, Verdict> rows[] = {
      {CompileFailure::compile_error, Verdict::compile_error},
      {CompileFailure::source_refused, Verdict::policy_violation},
      {CompileFailure::kernel_missing, Verdict::plan_invalid},
      {CompileFailure::unsupported_arch, Verdict::unsupported_arch}};
  for (const auto& [failure, verdict] : rows) {
    compile = [f = failure](const compile::CompileRequest&) {
      compile::CompileResult result;
      result.failure = f;
      result.message = "no";
      return result;
    };
    EXPECT_EQ(judge(softmax).verdict, verdict);
  }
}

TEST_F(Evaluate, RefusesLaunchesFromTheDevice) {
  compile = [](const compile::CompileRequest& request) {
    auto result = fake_compile(request);
    result.cubin = std::string("\0cudaLaunchDeviceV2\0", 20);
    return result;
  };
  EXPECT_EQ(judge(softmax).verdict, Verdict::policy_violation);
}

TEST_F(Evaluate, RefusesToReadTheCounterOfLaunches) {
  compile = [](const compile::CompileRequest& request) {
    auto result = fake_compile(request);
    result.counts_launches = true;
    return result;
  };
  const auto evaluation = judge(softmax);
  EXPECT_EQ(evaluation.verdict, Verdict::policy_violation);
  EXPECT_EQ(evaluation.kind, "launch_counter");
}

TEST_F(Evaluate, ALaunchFromTheDeviceThatWasNeverLinkedIsNoCompileError) {
  for (const char* name :
       {"cudaLaunchDeviceV2", "__cudaCDP2LaunchDeviceV2", "__cudaCDP2GetParameterBufferV2"}) {
    compile = [&](const compile::CompileRequest&) {
      compile::CompileResult result;
      result.failure = compile::CompileFailure::compile_error;
      result.log = "ptxas fatal   : Unresolved extern function '" + std::string(name) + "'\n";
      return result;
    };
    const auto evaluation = judge(softmax);
    EXPECT_EQ(evaluation.verdict, Verdict::policy_violation) << name;
    EXPECT_EQ(evaluation.kind, "device_launch");
    EXPECT_NE(evaluation.message.find(name), std::string::npos) << evaluation.message;
  }
  compile = [](const compile::CompileRequest&) {
    compile::CompileResult result;
    result.failure = compile::CompileFailure::compile_error;
    result.log = "ptxas fatal   : Unresolved extern function 'my_helper'\n";
    return result;
  };
  EXPECT_EQ(judge(softmax).verdict, Verdict::compile_error);
}

TEST_F(Evaluate, SaysWhatHeldTheCandidate) {
  HostDevice device(softmax);
  EXPECT_EQ(check_named(judge_on(device).value(), "sandbox_compile"), nullptr) << "nothing is known here";
  compile_sandbox = {{"landlock", "ok"}, {"seccomp", "ok"}};
  device.sandbox = {{"deny-list", "no deny-list: seccomp: x"}};
  const auto evaluation = judge_on(device).value();
  const auto* const compiled = check_named(evaluation, "sandbox_compile");
  ASSERT_NE(compiled, nullptr);
  EXPECT_EQ(compiled->state, core::Check::State::passed);
  EXPECT_EQ(compiled->detail, "in force: landlock, seccomp");
  const auto* const ran = check_named(evaluation, "sandbox_run");
  ASSERT_NE(ran, nullptr);
  EXPECT_EQ(ran->state, core::Check::State::skipped);
  EXPECT_EQ(ran->detail, "not in force: deny-list (no deny-list: seccomp: x)");
  compile_sandbox["landlock"] = "this kernel has none";
  const auto again = judge_on(device).value();
  EXPECT_EQ(check_named(again, "sandbox_compile")->detail,
            "not in force: landlock (this kernel has none); in force: seccomp");
}

TEST_F(Evaluate, AWorkspaceTooBigForTheMemoryIsThePlansFault) {
  source = R"(/*kgen
{ "workspace": {"parts": {"bytes": "2000000000"}},
  "launches": [ {"kernel": "k", "grid": ["rows"], "block": [256], "args": ["x", "y", "cols"]} ] }
*/
__global__ void k(const x_t* x, y_t* y, long long cols) {}
)";
  HostDevice device(softmax);
  const auto evaluation = judge_on(device).value();
  EXPECT_EQ(evaluation.verdict, Verdict::plan_invalid);
  EXPECT_EQ(evaluation.kind, "workspace");
  EXPECT_NE(evaluation.message.find("1.9 GiB of workspace"), std::string::npos) << evaluation.message;
}

TEST_F(Evaluate, ATaskTooBigForTheMemorySaysHowMuchItNeeds) {
  HostDevice device(softmax);
  device.memory_bytes = 10'000;
  const auto result = judge_on(device);
  ASSERT_FALSE(result);
  // 16 x 200 f32: two tensors of 12800 bytes, and what is expected in fp64 with its scale.
  EXPECT_NE(result.error().message.find("rows=16"), std::string::npos) << result.error().message;
  EXPECT_NE(result.error().message.find("(76800 bytes)"), std::string::npos) << result.error().message;
  EXPECT_EQ(result.error().kind, ErrorKind::missing) << "it may fit when others let go of theirs";
  EXPECT_EQ(device.launches, 0);
}

TEST_F(Evaluate, WhatAKernelPrintsIsKeptBoundedAndHarmless) {
  const auto evaluation = judge([](const FakeLaunch& launch) {
    if (launch.number == 0) *launch.printed = "\x1b]0;title\x07hello\n" + std::string(10'000, 'x');
    return softmax(launch);
  });
  EXPECT_EQ(evaluation.verdict, Verdict::correct) << evaluation.message;
  EXPECT_TRUE(evaluation.kernel_output.starts_with("hello\nxxx")) << evaluation.kernel_output.substr(0, 40);
  EXPECT_NE(evaluation.kernel_output.find("... and 5910 bytes more"), std::string::npos);
  EXPECT_LT(evaluation.kernel_output.size(), 4200u);
}

}  // namespace
}  // namespace kgen::judge
