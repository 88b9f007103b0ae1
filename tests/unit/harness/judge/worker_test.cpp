// A judge as a process of its own, on device none, over a real compiler. Skipped where there is no NVRTC.
#include <gtest/gtest.h>

#include "core/protocol.hpp"
#include "harness/compile/compile_pool.hpp"
#include "harness/judge/device_source.hpp"
#include "harness/judge/oracle.hpp"
#include "harness/judge/run_kernels_cubin.hpp"
#include "reference_ops/builtin_ops.hpp"
#include "util/file.hpp"
#include "util/json.hpp"
#include "util/subprocess.hpp"

namespace kgen::judge {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;

constexpr const char* kWorker = KGEN_BINARY_DIR "/harness/kgen-worker";

class WorkerJudge : public testing::Test {
 protected:
  void SetUp() override {
    const auto to = util::socket_pair().value();
    util::FileDescriptor theirs(to.second);
    util::SpawnOptions options;
    options.argv = {kWorker, "judge"};
    options.fds = {{0, theirs.get()}, {1, theirs.get()}};
    process_.emplace(util::Process::spawn(options).value());
    channel_ = util::LineChannel(to.first, to.first);
  }
  json ask(const json& request) {
    EXPECT_TRUE(channel_.write_line(request.dump()));
    std::string line;
    while (channel_.read_line(line, milliseconds{100000}) == util::LineChannel::ReadStatus::line) {
      json answer = json::parse(line);
      if (!answer.contains("event")) return answer;
      events_.push_back(answer["name"]);
    }
    return {{"error", {{"message", "the worker ended"}}}};
  }
  bool hello(const char* device = "none") {
    const json answer = ask({{"v", 1}, {"id", 1}, {"method", "hello"}, {"params", {{"device", device}}}});
    if (answer.contains("result")) facts_ = answer["result"]["device"];
    return answer.contains("result");
  }
  core::Evaluation evaluate(const std::string& source, core::Tier tier = core::Tier::screen) {
    core::EvaluateRequest request;
    const auto op = reference_ops::find_builtin_op("softmax").value();
    const bool emulated = facts_["kind"] == "emulator";
    request.task = core::make_task(op, "bf16", emulated ? op->emulator_dims : core::Dims{}, {}).value();
    request.source = source;
    request.tier = tier;
    const json answer =
        ask({{"v", 1}, {"id", 2}, {"method", "evaluate"}, {"params", core::to_json(request)}});
    EXPECT_TRUE(answer.contains("result")) << answer.dump();
    return core::evaluation_from_json(answer.value("result", json::object())).value_or(core::Evaluation{});
  }
  std::optional<util::Process> process_;
  util::LineChannel channel_;
  std::vector<std::string> events_;
  json facts_;
};

std::string kernel(const char* file) {
  return util::read_file(std::string(KGEN_SOURCE_DIR) + "/reference_ops/softmax/" + file).value();
}

TEST_F(WorkerJudge, CompilesACandidateAndSaysThatItWasNotRun) {
  if (!hello()) GTEST_SKIP() << "no NVRTC here";
  const auto evaluation = evaluate(kernel("kernels/any_cols.cu"));
  EXPECT_EQ(evaluation.verdict, core::Verdict::not_run);
  EXPECT_EQ(evaluation.message, "compiled; not run: no device");
  ASSERT_EQ(evaluation.compile.kernels.size(), 1u);
  EXPECT_GT(evaluation.compile.kernels[0].registers, 0);
  EXPECT_EQ(evaluation.compile.kernels[0].threads_per_block, 256);
  EXPECT_EQ(events_, (std::vector<std::string>{"plan", "shapes", "compile", "policy", "arguments"}));
}

TEST_F(WorkerJudge, TheEmulatorFindsAGoodKernelCorrectAndTimesNothing) {
  if (!hello("emulator")) GTEST_SKIP() << "no NVRTC here";
  const auto evaluation = evaluate(kernel("kernels/any_cols.cu"));
  EXPECT_EQ(evaluation.verdict, core::Verdict::correct) << evaluation.message;
  EXPECT_EQ(evaluation.shapes_covered, evaluation.shapes_total);
  EXPECT_FALSE(evaluation.timing);
  for (const auto& capability : facts_.at("capabilities")) {
    for (const char* missing : {"wgmma", "tma", "clusters", "dsmem"}) EXPECT_NE(capability, missing);
  }
}

TEST_F(WorkerJudge, TheEmulatorNamesTheLineOfAWriteBeforeTheTensor) {
  if (!hello("emulator")) GTEST_SKIP() << "no NVRTC here";
  const auto evaluation = evaluate(kernel("mutants/writes_before.cu"));
  EXPECT_EQ(evaluation.verdict, core::Verdict::out_of_bounds) << evaluation.message;
  EXPECT_NE(evaluation.message.find("before the start of `y`"), std::string::npos) << evaluation.message;
  EXPECT_NE(evaluation.message.find(", line "), std::string::npos) << evaluation.message;
}

TEST_F(WorkerJudge, TheEmulatorFindsEachMutantOfSoftmaxWrong) {
  if (!hello("emulator")) GTEST_SKIP() << "no NVRTC here";
  for (const char* name :
       {"constant", "dropped_term", "identity", "last_row_missing", "remembers", "wrong_row"}) {
    const auto evaluation = evaluate(kernel(("mutants/" + std::string(name) + ".cu").c_str()));
    EXPECT_NE(evaluation.verdict, core::Verdict::correct) << name;
    EXPECT_NE(evaluation.verdict, core::Verdict::not_emulated) << name << evaluation.message;
  }
}

TEST_F(WorkerJudge, GivesCompilerErrorsWithTheirLine) {
  if (!hello()) GTEST_SKIP() << "no NVRTC here";
  std::string source = kernel("kernels/any_cols.cu");
  source.replace(source.find("float sum = 0.0f;"), 17, "float sum = nonsense;");
  const auto evaluation = evaluate(source);
  EXPECT_EQ(evaluation.verdict, core::Verdict::compile_error);
  ASSERT_FALSE(evaluation.compile.diagnostics.empty());
  EXPECT_NE(evaluation.compile.diagnostics[0].source_line.find("nonsense"), std::string::npos)
      << "line " << evaluation.compile.diagnostics[0].line << ": "
      << evaluation.compile.diagnostics[0].message;
}

TEST_F(WorkerJudge, BaselinesSayThatThereIsNoDevice) {
  if (!hello()) GTEST_SKIP() << "no NVRTC here";
  core::BaselineRequest request;
  request.task = core::make_task(reference_ops::find_builtin_op("softmax").value(), "bf16", {}, {}).value();
  const json answer = ask({{"id", 3}, {"method", "baseline"}, {"params", core::to_json(request)}});
  const auto reply = core::baseline_reply_from_json(answer.at("result")).value();
  ASSERT_EQ(reply.baselines.size(), 3u);
  EXPECT_EQ(reply.baselines[0].why_missing, "no device to run it on");
}

TEST_F(WorkerJudge, EndsWhenItsStdinCloses) {
  hello();
  channel_ = util::LineChannel();
  const auto status = process_->wait_for(milliseconds{20000});
  ASSERT_TRUE(status);
  EXPECT_EQ(status->code, 0);
}

/// What is ours compiles for the device's architecture, as the compile role compiles candidates.
TEST(OwnDeviceCode, CompilesWithTheCompileRole) {
  compile::CompilePoolOptions options;
  options.process.command = {kWorker, "compile"};
  auto pool = compile::CompilePool::start(std::move(options));
  if (!pool) GTEST_SKIP() << pool.error().text();
  const CompileAll compile_all = [&](const auto& requests) { return (*pool)->compile_all(requests); };
  const auto facts = core::facts_for_arch("sm_90a").value();
  compile::CompileRequest own;
  own.source = device_source();
  own.kernels = {"kgen_fill", "kgen_compare", "kgen_hash", "kgen_find_other", "kgen_decode"};
  const auto result = (*pool)->compile(own);
  EXPECT_TRUE(result.ok) << result.message << result.log;
  EXPECT_TRUE(run_kernels_cubin(facts, compile_all));
  const auto ops = reference_ops::builtin_ops().value();
  for (const auto& op : ops) {
    for (const core::DType dtype : op.dtypes) {
      const auto shared = std::make_shared<const core::Op>(op);
      const auto task = core::make_task(shared, core::name_of(dtype), {}, {}).value();
      const auto oracle = oracle_program(task, facts, compile_all);
      EXPECT_TRUE(oracle) << oracle.error().text();
      for (const auto& baseline : op.baselines) {
        if (baseline.kind != "naive") continue;
        const auto naive = own_program(baseline.code, task, facts, compile_all, baseline.name);
        EXPECT_TRUE(naive) << naive.error().text();
      }
    }
  }
}

}  // namespace
}  // namespace kgen::judge
