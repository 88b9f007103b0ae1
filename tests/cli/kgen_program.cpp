#include "cli/kgen_program.hpp"

#include <fcntl.h>
#include <unistd.h>

#include "core/protocol.hpp"

namespace kgen::test {

using nlohmann::json;

namespace {

core::Evaluation correct_evaluation(double us) {
  core::Evaluation evaluation;
  evaluation.verdict = core::Verdict::correct;
  evaluation.message = "all checks passed";
  evaluation.device = "Fake GPU";
  evaluation.compile.ok = true;
  core::Timing timing;
  timing.candidate = {us, us - 0.5, us + 0.5, 100};
  core::BaselineTiming library;
  library.name = "torch.compile";
  library.library = true;
  library.time = core::Interval{2 * us, 2 * us - 1, 2 * us + 1, 100};
  library.speedup = 2;
  library.speedup_low = 1.98;
  library.speedup_high = 2.02;
  timing.baselines = {library};
  timing.method = "stream";
  timing.floor_us = us / 2;
  timing.percent_of_roofline = 50;
  evaluation.timing = timing;
  return evaluation;
}

}  // namespace

KgenProgram::KgenProgram() : folder_(*util::TemporaryFolder::create("kgen-cli-test")) {
  environment_ = {{"HOME", folder_.path()}, {"XDG_CONFIG_HOME", folder_.path()}, {"NO_COLOR", "1"}};
}

util::SpawnOptions KgenProgram::spawn_options(const std::vector<std::string>& words) const {
  util::SpawnOptions options;
  options.argv = std::vector<std::string>{KGEN_PROGRAM} + words;
  options.extra_env = environment_;
  options.unset_env = {"OPENAI_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_API_KEY", "KGEN_DEVICE",
                       "KGEN_PROVIDER"};
  for (const auto& [name, value] : environment_) std::erase(options.unset_env, name);
  options.folder = folder_.path();
  return options;
}

util::CommandOutput KgenProgram::kgen(const std::vector<std::string>& words) {
  auto output = util::run_command(spawn_options(words), "", kTimeLimit);
  EXPECT_TRUE(output) << output.error().text();
  EXPECT_FALSE(output && output->timed_out);
  return output ? *output : util::CommandOutput{};
}

util::CommandOutput KgenProgram::kgen_after(const std::string& prelude,
                                            const std::vector<std::string>& words) {
  util::SpawnOptions options = spawn_options(words);
  const std::vector<std::string> shell = {"sh", "-c", prelude + "; exec \"$0\" \"$@\""};
  options.argv.insert(options.argv.begin(), shell.begin(), shell.end());
  auto output = util::run_command(options, "", kTimeLimit);
  EXPECT_TRUE(output) << output.error().text();
  return output ? *output : util::CommandOutput{};
}

util::Process KgenProgram::start_kgen(const std::vector<std::string>& words) {
  util::SpawnOptions options = spawn_options(words);
  const int out = open(path("out").c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
  const int err = open(path("err").c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
  options.fds = {{1, out}, {2, err}};
  auto process = util::Process::spawn(options);
  close(out);
  close(err);
  if (!process) throw std::runtime_error(process.error().text());
  return std::move(*process);
}

json KgenProgram::kgen_json(std::vector<std::string> words, int* code) {
  const util::CommandOutput output = kgen(words + std::vector<std::string>{"--json", "-"});
  if (code) *code = output.status.code;
  const json document = json::parse(output.out, nullptr, false);
  EXPECT_TRUE(document.is_object()) << output.out << output.err;
  EXPECT_EQ(document.value("schema_version", 0), 1);
  return document;
}

std::filesystem::path KgenProgram::write(const std::string& name, const std::string& text) const {
  const Status written = util::write_file_atomic(path(name), text);
  EXPECT_TRUE(written) << written.error().text();
  return path(name);
}

std::string KgenProgram::read(const std::filesystem::path& file) const {
  return util::read_file(file).value_or("(no " + file.string() + ")");
}

std::vector<std::string> KgenProgram::with_worker(const std::string& script, const std::string& file) const {
  return {"--worker", std::string(KGEN_FAKE_WORKER) + " '" + write(file, script).string() + "'"};
}

std::filesystem::path KgenProgram::only_run() const {
  std::vector<std::filesystem::path> runs;
  for (const auto& entry : std::filesystem::directory_iterator(path("runs"))) runs.push_back(entry.path());
  EXPECT_EQ(runs.size(), 1u);
  return runs.empty() ? path("runs") : runs.front();
}

std::vector<json> KgenProgram::events_of(const std::filesystem::path& run, const std::string& kind) {
  std::vector<json> events;
  for (const std::string& line :
       util::read_lines(run / "events.jsonl").value_or(std::vector<std::string>{})) {
    const json event = json::parse(line);
    if (event.value("event", "") == kind) events.push_back(event);
  }
  return events;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::vector<std::string> operator+(std::vector<std::string> words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

std::string hello_script(const json& device_changes) {
  core::HelloReply reply;
  reply.worker_version = "0.1.0";
  reply.device.kind = core::DeviceKind::cuda;
  reply.device.name = "Fake GPU";
  reply.device.memory_bytes = std::int64_t{16} << 30;
  reply.tools = {{"NVRTC", true, "13.0", ""}, {"torch", false, "no module named torch", "pip install torch"}};
  json result = core::to_json(reply);
  result["device"].update(device_changes);
  return "hello result " + result.dump() + "\n";
}

std::string correct_script(double us) {
  return "evaluate event {\"event\":\"stage\",\"name\":\"compile\",\"ms\":9}\nevaluate result " +
         core::to_json(correct_evaluation(us)).dump() + "\n";
}

std::string verdict_script(const std::string& verdict, const std::string& message) {
  core::Evaluation evaluation;
  evaluation.verdict = *core::parse_verdict(verdict);
  evaluation.message = message;
  return "evaluate result " + core::to_json(evaluation).dump() + "\n";
}

std::string baseline_script() {
  return "baseline result " +
         core::to_json(core::BaselineReply{correct_evaluation(80).timing->baselines}).dump() + "\n";
}

std::string some_kernel() {
  return "/*kgen\n{ \"launches\": [ {\"kernel\": \"k\", \"grid\": [\"rows\"], \"block\": [256], \"args\": "
         "[\"x\", \"y\", \"cols\"]} ],\n"
         "  \"notes\": \"One block a row.\" }\n*/\n"
         "extern \"C\" __global__ void k(const x_t* x, y_t* y, long long cols) {}\n";
}

std::string some_reply(int candidate) {
  return "Here it is.\n\n```cuda\n" + some_kernel() + "// candidate " + std::to_string(candidate) + "\n```\n";
}

}  // namespace kgen::test
