#include <gtest/gtest.h>

#include "judge/worker_pool.hpp"
#include "reference_ops/builtin_ops.hpp"
#include "util/file.hpp"
#include "util/json.hpp"

namespace kgen::judge {
namespace {

using namespace std::chrono_literals;

std::string hello_line(const std::string& device_name = "Test GPU") {
  core::HelloReply reply;
  reply.worker_version = "0.1.0";
  reply.device.kind = core::DeviceKind::cuda;
  reply.device.name = device_name;
  reply.references = {{"softmax", "1234"}};
  return "hello result " + core::to_json(reply).dump() + "\n";
}

std::string evaluation_line() {
  core::Evaluation evaluation;
  evaluation.verdict = core::Verdict::correct;
  evaluation.message = "all checks passed";
  return "evaluate result " + core::to_json(evaluation).dump() + "\n";
}

class Worker : public testing::Test {
 protected:
  Worker() : folder_(*util::TemporaryFolder::create("kgen-judge-test")) {
    auto op = reference_ops::find_builtin_op("softmax");
    request_.task = *core::make_task(*op, "", {}, {});
    request_.source = "/*kgen {} */";
  }
  WorkerOptions options(const std::string& script) {
    const auto path = folder_.path() / "script";
    EXPECT_TRUE(util::write_file_atomic(path, script));
    WorkerOptions worker;
    worker.command = {KGEN_FAKE_WORKER, path.string()};
    worker.silence_limit = 20s;
    return worker;
  }
  /// The text of the error of one evaluation by a worker that follows `script` after a good hello.
  std::string evaluate_error(const std::string& script, std::chrono::milliseconds limit = 20s) {
    WorkerOptions worker = options(hello_line() + script);
    worker.silence_limit = limit;
    auto connection = WorkerConnection::start(worker);
    if (!connection) return "hello: " + connection.error().text();
    const auto evaluation = connection->evaluate(request_, {});
    alive_after_ = connection->alive();
    return evaluation ? "no error" : evaluation.error().text();
  }
  std::string start_error(const std::string& script) {
    const auto connection = WorkerConnection::start(options(script));
    return connection ? "no error" : connection.error().text();
  }

  util::TemporaryFolder folder_;
  core::EvaluateRequest request_;
  bool alive_after_ = false;
};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_F(Worker, AnswersAnEvaluationAndTellsOfEachStage) {
  auto connection = WorkerConnection::start(
      options(hello_line() + "evaluate event {\"event\":\"stage\",\"name\":\"compile\",\"ms\":12.5}\n" +
              "evaluate event {\"event\":\"of a later release\"}\n" + evaluation_line()));
  ASSERT_TRUE(connection) << connection.error().text();
  EXPECT_EQ(connection->hello().device.name, "Test GPU");
  std::vector<std::string> stages;
  for (int i = 0; i < 2; ++i) {
    const auto evaluation =
        connection->evaluate(request_, {{}, [&](const core::Stage& stage) {
                                          stages.push_back(stage.name + " " + std::to_string(stage.ms));
                                        }});
    ASSERT_TRUE(evaluation) << evaluation.error().text();
    EXPECT_EQ(evaluation->verdict, core::Verdict::correct);
  }
  EXPECT_EQ(stages, std::vector<std::string>(2, "compile 12.500000"));
}

TEST_F(Worker, ADeadWorkerIsAnErrorWithItsEndAndItsLastWords) {
  const std::string error =
      evaluate_error("evaluate stderr driver: \x1b[31mno such device\nevaluate exit 7\n");
  EXPECT_TRUE(contains(error, "ended with exit code 7")) << error;
  EXPECT_TRUE(contains(error, "its last words:\n  driver: ")) << error;
  EXPECT_FALSE(contains(error, "\x1b")) << error;
  EXPECT_FALSE(alive_after_);
}

TEST_F(Worker, AKilledWorkerNamesTheSignal) {
  EXPECT_TRUE(contains(evaluate_error("evaluate signal 9\n"), "ended with signal 9 (SIGKILL)"));
}

TEST_F(Worker, ASilentWorkerIsEndedAtTheLimit) {
  EXPECT_TRUE(contains(evaluate_error("evaluate hang\n", 300ms), "said nothing for 0.3 s"));
  EXPECT_FALSE(alive_after_);
}

TEST_F(Worker, GarbageIsAnErrorThatShowsItsBeginning) {
  const std::string error = evaluate_error("evaluate raw Last login: Tuesday\n");
  EXPECT_TRUE(contains(error, "no message: Last login: Tuesday")) << error;
  EXPECT_FALSE(alive_after_);
}

TEST_F(Worker, AnAnswerToAnotherRequestIsRefused) {
  for (const std::string id : {"1", "3", "\"2\"", "null", "[]"})
    EXPECT_TRUE(
        contains(evaluate_error("evaluate raw {\"id\":" + id + ",\"result\":{\"verdict\":\"correct\"}}\n"),
                 "answered another request"))
        << id;
  EXPECT_TRUE(contains(evaluate_error("evaluate raw {\"result\":{}}\n"), "answered another request"));
}

TEST_F(Worker, AResultOfTheWrongShapeIsRefused) {
  EXPECT_TRUE(contains(evaluate_error("evaluate result {\"verdict\":\"splendid\"}\n"), "cannot be read"));
  EXPECT_TRUE(contains(evaluate_error("evaluate result []\n"), "cannot be read"));
  EXPECT_TRUE(contains(evaluate_error("evaluate error {\"message\":7}\n"), "cannot be read"));
  EXPECT_TRUE(contains(evaluate_error("evaluate error []\n"), "cannot be read"));
}

TEST_F(Worker, AHugeLineIsRefused) {
  const std::string error = evaluate_error("evaluate huge 70000000\n");
  EXPECT_TRUE(contains(error, "a line of more than 64 MiB")) << error;
}

TEST_F(Worker, AnErrorThatTheWorkerAnswersLeavesItAlive) {
  EXPECT_EQ(
      evaluate_error(R"(evaluate error {"kind":"bad_input","message":"no such tensor","hint":"name it"})"
                     "\n"),
      "no such tensor; name it");
  EXPECT_TRUE(alive_after_);
}

TEST_F(Worker, AnotherProtocolVersionIsSaidAtHello) {
  core::HelloReply reply;
  nlohmann::json json = core::to_json(reply);
  json["protocol"] = 99;
  const std::string error = start_error("hello result " + json.dump() + "\n");
  EXPECT_TRUE(contains(error, "protocol 99")) << error;
  EXPECT_TRUE(contains(error, "same version")) << error;
}

TEST_F(Worker, ACommandThatDoesNotExistIsMissing) {
  WorkerOptions worker;
  worker.command = {"no-such-kgen-worker"};
  const auto connection = WorkerConnection::start(worker);
  ASSERT_FALSE(connection);
  EXPECT_EQ(connection.error().kind, ErrorKind::missing);
  EXPECT_TRUE(contains(connection.error().text(), "no-such-kgen-worker"));
}

TEST_F(Worker, CancellingEndsTheRequestAndTheWorker) {
  auto connection = WorkerConnection::start(options(hello_line() + "evaluate hang\n"));
  ASSERT_TRUE(connection);
  const auto evaluation = connection->evaluate(request_, {[] { return true; }, {}});
  ASSERT_FALSE(evaluation);
  EXPECT_EQ(evaluation.error().kind, ErrorKind::interrupted);
  EXPECT_FALSE(connection->alive());
}

TEST_F(Worker, APoolStartsADeadWorkerAgain) {
  WorkerPool pool({options(hello_line() + "evaluate exit 3\n")});
  ASSERT_FALSE(pool.evaluate(request_, {}));
  options(hello_line() + evaluation_line());  // the same script file, repaired
  const auto evaluation = pool.evaluate(request_, {});
  ASSERT_TRUE(evaluation) << evaluation.error().text();
  ASSERT_TRUE(pool.restart());
  EXPECT_TRUE(pool.evaluate(request_, {}));
}

TEST_F(Worker, ARestartThatFindsAnotherDeviceIsAnError) {
  WorkerPool pool({options(hello_line("GPU one") + evaluation_line())});
  ASSERT_TRUE(pool.evaluate(request_, {}));
  options(hello_line("GPU two") + evaluation_line());
  const Status status = pool.restart();
  ASSERT_FALSE(status);
  EXPECT_TRUE(contains(status.error().text(), "found GPU two")) << status.error().text();
}

TEST(ReferenceMismatches, NamesOpsWhoseReferenceDiffers) {
  core::HelloReply hello;
  hello.references = {{"softmax", "a"}, {"add_relu", "b"}};
  EXPECT_TRUE(reference_mismatches(hello, {{"softmax", "a"}, {"of_the_user", "c"}}).empty());
  const auto problems = reference_mismatches(hello, {{"softmax", "z"}});
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_TRUE(contains(problems[0], "softmax"));
}

TEST_F(Worker, SeveralSayHelloAndMustHaveTheSameDevice) {
  const auto second = [&](const std::string& device) {
    WorkerOptions worker = options(hello_line());
    const auto path = folder_.path() / "second";
    EXPECT_TRUE(util::write_file_atomic(path, hello_line(device)));
    WorkerOptions other = worker;
    other.command[1] = path.string();
    return WorkerPool({worker, other}).hello_all();
  };
  EXPECT_EQ(second("Test GPU").value().size(), 2u);
  const auto mixed = second("Other GPU");
  ASSERT_FALSE(mixed);
  EXPECT_EQ(mixed.error().kind, ErrorKind::missing);
  EXPECT_NE(mixed.error().message.find("Test GPU"), std::string::npos);
  EXPECT_NE(mixed.error().message.find("Other GPU"), std::string::npos);
}

}  // namespace
}  // namespace kgen::judge
