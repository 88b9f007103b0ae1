#include "harness/sanitize/run_tools.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "harness/compile/toolkit_paths.hpp"
#include "util/file.hpp"
#include "util/subprocess.hpp"

namespace kgen::sanitize {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostLog = std::size_t{1} << 20;
constexpr int kFirstPort = 49152;  ///< the tool's own default; four at once get places of their own

std::size_t cases_done(const fs::path& folder) {
  const auto text = util::read_file(folder / "done", 32);
  return text ? std::strtoul(text->c_str(), nullptr, 10) : 0;
}

/// As much of a log as is read: reports in it count, however long a candidate makes its names.
std::string begin_of(const fs::path& log) {
  std::ifstream file(log, std::ios::binary);
  std::string text(kMostLog, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  return text;
}

std::string last_line(const std::string& text) {
  const std::size_t end = text.find_last_not_of(" \n\t");
  if (end == std::string::npos) return {};
  const std::size_t before = text.find_last_of('\n', end);
  const std::size_t begin = before == std::string::npos ? 0 : before + 1;
  return text.substr(begin, std::min<std::size_t>(end + 1 - begin, 300));
}

/// What the process itself tells of a run that did not come to its end.
std::string why_of(const util::CommandOutput& output, std::chrono::milliseconds limit, bool has_log) {
  if (output.timed_out) {
    const auto tenths = limit.count() / 100;
    return "no end after " + std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " s";
  }
  if (output.status.ok()) return {};
  const std::string said = last_line(output.err.empty() ? output.out : output.err);
  if (has_log && said.empty()) return {};
  return "it ended with " + output.status.text() + (said.empty() ? "" : ": " + said);
}

/// Whether it came to an end within `limit`, a good one or not.
bool run_one(const ToolSetup& setup, const fs::path& folder, std::chrono::milliseconds limit, ToolRun& out) {
  const fs::path own = folder / out.tool;
  std::error_code error;
  fs::remove_all(own, error);  // of a first run
  fs::create_directories(own, error);
  const fs::path log = own / "log.txt";
  util::SpawnOptions options;
  options.argv = tool_command(setup, out.tool, log.string());
  options.folder = own.string();
  options.unset_env = {"CUDA_LAUNCH_BLOCKING"};
  const auto output = util::run_command(options, "", limit, {}, kMostLog);
  if (!output) {
    out.why = output.error().message;
    return true;
  }
  out.log = begin_of(log);
  out.cases_done = cases_done(own);
  out.why = why_of(*output, limit, !out.log.empty());
  return !output->timed_out;
}

/// All at once; those that reached no end.
std::vector<ToolRun*> run_together(const ToolSetup& setup, const fs::path& folder,
                                   std::vector<ToolRun>& runs) {
  std::vector<char> unfinished(runs.size(), 0);
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < runs.size(); ++i)
      threads.emplace_back([&, i] { unfinished[i] = run_one(setup, folder, setup.limit, runs[i]) ? 0 : 1; });
  }
  std::vector<ToolRun*> out;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (unfinished[i] != 0) out.push_back(&runs[i]);
  }
  return out;
}

}  // namespace

std::string find_sanitizer() {
  for (const auto& root : compile::toolkit_roots({})) {
    for (const char* place : {"bin/compute-sanitizer", "compute-sanitizer/compute-sanitizer"}) {
      std::error_code error;
      if (fs::exists(root / place, error)) return (root / place).string();
    }
  }
  const auto found = util::find_program("compute-sanitizer");
  return found ? found->string() : "";
}

std::vector<std::string> tool_command(const ToolSetup& setup, const std::string& tool,
                                      const std::string& log) {
  const auto place = std::find(std::begin(kTools), std::end(kTools), tool) - std::begin(kTools);
  std::vector<std::string> command = {setup.sanitizer,
                                      "--tool",
                                      tool,
                                      "--log-file",
                                      log,
                                      "--print-limit",
                                      "16",
                                      "--show-backtrace",
                                      "device",
                                      "--target-processes",
                                      "application-only",
                                      "--launch-timeout",
                                      "30",
                                      "--port",
                                      std::to_string(kFirstPort + 32 * place)};
  if (tool == "memcheck") {
    // A driver call that fails behind a fault is no finding of its own; what lies behind an allocation
    // belongs to nobody.
    for (const char* word : {"--report-api-errors", "no", "--padding", "1024"}) command.emplace_back(word);
  }
  command.push_back(setup.worker);
  command.emplace_back("sanitize");
  return command;
}

std::vector<ToolRun> run_tools(const ToolSetup& setup, const Job& job) {
  std::string shapes;
  for (const JobCase& one : job.cases) shapes += (shapes.empty() ? "" : "; ") + one.title;
  std::vector<ToolRun> runs;
  for (const char* tool : kTools) runs.push_back({tool, "", job.cases.size(), 0, shapes, ""});
  const auto folder = util::TemporaryFolder::create("kgen-sanitize");
  const Status written = folder ? write_job(folder->path(), job) : Status(tl::unexpected(folder.error()));
  if (!written) {
    for (ToolRun& run : runs) run.why = written.error().message;
    return runs;
  }
  const auto unfinished = run_together(setup, folder->path(), runs);
  const auto until = std::chrono::steady_clock::now() + setup.patience;
  for (ToolRun* run : unfinished) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
    if (left > setup.limit) run_one(setup, folder->path(), left, *run);
  }
  return runs;
}

}  // namespace kgen::sanitize
