#include "harness/compile/compile_main.hpp"

#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>

#include "harness/compile/compiler.hpp"
#include "harness/compile/sandbox.hpp"
#include "util/json.hpp"
#include "util/subprocess.hpp"

namespace kgen::compile {
namespace {

using nlohmann::json;
constexpr auto kForever = std::chrono::hours(24 * 365);

/// What the compiler prints goes nowhere; nothing is read from stdin.
void close_standard_streams() {
  const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (null < 0) return;
  dup2(null, STDIN_FILENO);
  dup2(null, STDOUT_FILENO);
  close(null);
}

SandboxRules rules_for(const CompilerSetup& setup, const json& message) {
  SandboxRules rules;
  rules.read_only = setup.toolkit_includes;
  rules.read_only.push_back(setup.nvrtc.path.parent_path());
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(setup.nvrtc.path, error);
  if (!error) rules.read_only.push_back(real.parent_path());
  rules.read_write.push_back(setup.scratch);
  rules.memory_bytes = message.value("memory_bytes", rules.memory_bytes);
  return rules;
}

/// NVRTC takes and gives back tens of megabytes a compile: keeping them saves a tenth of its time (measured).
void keep_freed_memory() {
  constexpr int kKeptBytes = 1 << 30, kLargestBlock = 32 << 20;
  mallopt(M_TRIM_THRESHOLD, kKeptBytes);
  mallopt(M_MMAP_THRESHOLD, kLargestBlock);
  mallopt(M_TOP_PAD, 64 << 20);
}

/// After a compile that took very much.
void return_excess_memory() {
  constexpr std::size_t kExcessBytes = std::size_t{512} << 20;
  if (mallinfo2().fordblks > kExcessBytes) malloc_trim(0);
}

/// The first compile reads libraries and makes the precompiled header that every candidate shares.
Status warm_up(Compiler& compiler) {
  CompileRequest request;
  request.source = "extern \"C\" __global__ void warm_up(float* x) { x[0] = 1; }\n";
  request.kernels = {"warm_up"};
  const CompileResult result = compiler.compile(request);
  if (result.ok) return {};
  return fail(ErrorKind::missing,
              "NVRTC does not compile an empty kernel: " + result.message + "\n" + result.log,
              "check the CUDA toolkit's installation (libnvrtc-builtins, headers)");
}

struct Started {
  Compiler compiler;
  json greeting;
};

Result<Started> start(const json& message) {
  ToolkitSearch search;
  for (const json& root : message.value("roots", json::array()))
    search.extra_roots.emplace_back(root.get<std::string>());
  search.usual_places = message.value("usual_places", true);
  const std::string scratch = message.at("scratch");
  KGEN_TRY(CompilerSetup setup, find_compiler_setup(search, scratch));
  const std::string version = setup.nvrtc.version_text(), library = setup.nvrtc.path.string();
  const SandboxRules rules = rules_for(setup, message);
  KGEN_TRY(Compiler compiler, Compiler::create(std::move(setup)));
  if (chdir(scratch.c_str()) != 0) return fail(ErrorKind::missing, "cannot enter " + scratch);
  setenv("TMPDIR", scratch.c_str(), 1);
  close_standard_streams();
  const SandboxReport report = enter_sandbox(rules);
  KGEN_CHECK(warm_up(compiler));
  return Started{std::move(compiler),
                 {{"ready", true}, {"nvrtc", version}, {"library", library}, {"sandbox", to_json(report)}}};
}

std::string text_of(const json& message) {
  return message.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string answer(Compiler& compiler, const std::string& line) {
  const json message = json::parse(line, nullptr, false);
  const Result<CompileRequest> request = compile_request_from_json(message);
  CompileResult result;
  if (request) {
    result = compiler.compile(*request);
  } else {
    result.failure = CompileFailure::unavailable;
    result.message = request.error().text();
  }
  return text_of(to_json(result));
}

}  // namespace

int compile_main(int message_fd) {
  signal(SIGPIPE, SIG_IGN);
  keep_freed_memory();
  util::LineChannel channel(message_fd, message_fd);
  std::string line;
  if (channel.read_line(line, kForever) != util::LineChannel::ReadStatus::line) return 0;
  const json message = json::parse(line, nullptr, false);
  if (!message.is_object() || !message.contains("scratch")) return 2;
  Result<Started> started = start(message);
  if (!started) {
    const json error = {{"error", {{"message", started.error().message}, {"hint", started.error().hint}}}};
    (void)channel.write_line(text_of(error));
    return 5;
  }
  if (!channel.write_line(text_of(started->greeting))) return 0;
  while (channel.read_line(line, kForever) == util::LineChannel::ReadStatus::line) {
    if (!channel.write_line(answer(started->compiler, line))) break;
    return_excess_memory();
  }
  return 0;
}

}  // namespace kgen::compile
