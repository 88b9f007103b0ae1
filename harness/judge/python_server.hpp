#pragma once

#include <chrono>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/task.hpp"
#include "util/embedded.hpp"
#include "util/file.hpp"
#include "util/subprocess.hpp"

namespace kgen::judge {

/// A task's attributes as Python takes them by keyword: int, float or bool.
nlohmann::json keyword_attributes(const core::Task& task);

/// A Python program of kgen's.
struct PythonProgram {
  std::string file;  ///< its name in the folder that it runs in, "torch_server.py"
  std::string_view text;
  std::string what;                    ///< names it in messages: "torch"
  std::vector<std::string> arguments;  ///< behind the number of its message descriptor
  std::map<int, int> fds;              ///< further descriptors, as util::SpawnOptions has them
  /// Modules that it or what it runs may import: files beside it.
  std::vector<util::EmbeddedFile> modules{};
};

/// It in a process of its own, which answers JSON lines on one private descriptor, one answer a request. A
/// process that ends or is silent too long is killed with all it started; every later call says why.
class PythonServer {
 public:
  static constexpr int kMessageFd = 3;

  /// Errors: missing (no such interpreter).
  static Result<PythonServer> start(const std::string& python, const PythonProgram& program);

  /// Errors: missing where it ends, is silent or answers nonsense; bad_input with its own words where it
  /// answers {"error": ...}.
  Result<nlohmann::json> ask(const nlohmann::json& request, std::chrono::milliseconds limit);
  /// The next answer, to what was asked before or to nothing.
  Result<nlohmann::json> read_answer(std::chrono::milliseconds limit);
  /// Why it cannot be used any more; empty: it can.
  const std::string& failure() const { return failure_; }
  int process_id() const { return process_.pid(); }

 private:
  PythonServer(util::Process process, util::LineChannel channel, util::TemporaryFolder folder,
               std::string what);
  /// Ends it, for good.
  tl::unexpected<Error> give_up(std::string why);

  util::Process process_;
  util::LineChannel channel_;
  util::TemporaryFolder folder_;
  std::string what_, failure_;
};

}  // namespace kgen::judge
