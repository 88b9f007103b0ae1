#pragma once

#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "harness/cuda/handles.hpp"
#include "harness/run/block_timer.hpp"
#include "harness/run/elf_globals.hpp"
#include "harness/run/frame.hpp"
#include "harness/run/l2_flush.hpp"
#include "harness/run/leftover_scrub.hpp"
#include "harness/run/plan_launcher.hpp"

namespace kgen::run {

struct TimeBlock;

/// What a run process holds: a context, one candidate's module, and the buffer sets that the judge shared.
/// Nothing else of the judge's is in its address space.
class RunRole {
 public:
  /// Opens the device of a start request. The answer is what to send back. `before_denying` is called with
  /// the context before system calls are forbidden: the last moment to open libraries.
  RunResult<nlohmann::json> start(const Frame& request, const nlohmann::json& json,
                                  const std::function<void(const cuda::Context&)>& before_denying = {});
  /// Answers every request but `start`.
  RunResult<nlohmann::json> answer(const Frame& request, const nlohmann::json& json);

  /// For the profile role, which launches in a way of its own.
  const cuda::Context& context() const { return context_; }
  CUstream stream() const { return stream_.get(); }
  L2Flush& flush() { return flush_; }
  const PlanLauncher& launcher() const { return launcher_; }
  RunResult<const BufferViews*> find_set(int index) const;

 private:
  RunResult<nlohmann::json> load(const Frame& request, const nlohmann::json& json);
  RunResult<nlohmann::json> map(const nlohmann::json& json);
  RunResult<nlohmann::json> launch(const nlohmann::json& json);
  RunResult<nlohmann::json> launch_changed(const nlohmann::json& json);
  RunResult<nlohmann::json> time(const nlohmann::json& json);
  RunResult<nlohmann::json> globals();
  /// What a timed launch finds: nothing of launches before in the multiprocessors, poison in its outputs.
  RunResult<void> clean(const TimeBlock& block, const BufferViews& buffers, CUstream stream) const;

  cuda::Context context_;
  cuda::Stream stream_;
  L2Flush flush_;
  LeftoverScrub scrub_;
  PlanLauncher launcher_;
  std::vector<ElfGlobal> variables_;
  std::map<std::string, cuda::IpcMapping> mappings_;  ///< by handle
  std::map<int, BufferViews> sets_;
};

}  // namespace kgen::run
