#pragma once

#include <chrono>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <vector>

#include "core/task.hpp"
#include "harness/judge/block_series.hpp"
#include "harness/judge/python_server.hpp"

namespace kgen::judge {

/// PyTorch in a process of its own, on the judge's buffers (torch_server.py). It starts up in the background:
/// the first call waits for it. A process that fails is not started again; every later call says why.
class TorchServer {
 public:
  /// Errors: missing (no such interpreter).
  static Result<std::unique_ptr<TorchServer>> start(const std::string& python, int device);

  /// Waits until torch is imported and has its context. Errors: missing, with Python's own words.
  Status wait_ready();
  /// "2.11.0+cu130"; empty before it is ready.
  const std::string& version() const { return version_; }

  /// Defines a baseline under a number. `kind` torch_compile compiles at the first call.
  Status define(int id, const core::Baseline& baseline, const core::Task& task);
  /// Makes the inputs of a set of the judge's available as set `index`.
  Status map(int index, const core::Task& task, const run::BufferSet& buffers);
  Status unmap();
  /// Calls it on each set, untimed. A first call of torch.compile may take half a minute.
  Status warm(int id, const std::vector<int>& sets);
  Result<std::vector<double>> time(int id, const run::TimeBlock& block);

 private:
  explicit TorchServer(PythonServer server) : server_(std::move(server)) {}
  Result<nlohmann::json> ask(const nlohmann::json& request, std::chrono::milliseconds limit);

  PythonServer server_;
  std::string version_;
  std::string failure_;  ///< why it did not start up
  bool ready_ = false;
};

}  // namespace kgen::judge
