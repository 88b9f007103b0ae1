#pragma once

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
  /// Opens the device of a start request. The answer is what to send back.
  RunResult<nlohmann::json> start(const Frame& request, const nlohmann::json& json);
  /// Answers every request but `start`.
  RunResult<nlohmann::json> answer(const Frame& request, const nlohmann::json& json);

 private:
  RunResult<nlohmann::json> load(const Frame& request, const nlohmann::json& json);
  RunResult<nlohmann::json> map(const nlohmann::json& json);
  RunResult<nlohmann::json> launch(const nlohmann::json& json);
  RunResult<nlohmann::json> launch_changed(const nlohmann::json& json);
  RunResult<nlohmann::json> time(const nlohmann::json& json);
  RunResult<nlohmann::json> globals();
  RunResult<const BufferViews*> find_set(int index) const;
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
