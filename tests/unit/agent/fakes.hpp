#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "agent/agent_loop.hpp"
#include "core/resolved_plan.hpp"
#include "core/run_record.hpp"
#include "prompt/prompt_library.hpp"

namespace kgen::test {

/// A model that answers by a function of the request, from any thread.
class ScriptedClient : public llm::Client {
 public:
  using Script = std::function<Result<llm::Reply>(const llm::Request&)>;
  explicit ScriptedClient(Script script, std::string name = "scripted")
      : script_(std::move(script)), name_(std::move(name)) {}

  Result<llm::Reply> ask(const llm::Request& request) override {
    {
      const std::lock_guard lock(mutex_);
      asked_.push_back(request);
    }
    return script_(request);
  }
  std::string name() const override { return name_; }
  std::string model() const override { return "scripted-1"; }
  /// Candidate numbers in the order they were asked for.
  std::vector<int> asked() const;
  const std::vector<llm::Request>& requests() const { return asked_; }

 private:
  Script script_;
  std::string name_;
  std::mutex mutex_;
  std::vector<llm::Request> asked_;
};

/// What the fake judge finds of a kernel, written into the kernel itself.
struct Fate {
  core::Verdict screen = core::Verdict::correct;
  double us = 100;
  core::Verdict promotion = core::Verdict::correct;
  double promotion_us = 0;  ///< 0: as the screen
  /// Of a kernel with the tunable TT: microseconds of each of its values, the first being the default.
  std::vector<std::pair<std::int64_t, double>> variants{};
  std::int64_t wrong_in_screen = 0;  ///< the value of TT that only a whole screen finds wrong
};
/// A reply whose kernel has this fate; `id` makes it differ from others.
std::string reply_with(const Fate& fate, int id);

/// A judge that reads a kernel's fate from its text. The library baseline takes 150 us, the floor is 50 us.
class FakeEvaluator : public judge::Evaluator {
 public:
  Result<core::Evaluation> evaluate(const core::EvaluateRequest& request,
                                    const judge::EvaluationCallbacks& callbacks) override;
  Result<core::BaselineReply> baseline(const core::BaselineRequest& request,
                                       const judge::EvaluationCallbacks& callbacks) override;
  Result<core::SweepReply> sweep(const core::SweepRequest& request,
                                 const judge::EvaluationCallbacks& callbacks) override;
  Status restart() override {
    ++restarts;
    return {};
  }

  int evaluations = 0, promotions = 0, baselines = 0, restarts = 0, sweeps = 0;
  int failures_left = 0;  ///< so many calls fail as a dead worker does
  core::DeviceKind kind = core::DeviceKind::cuda;
  std::optional<core::Profile> profile;  ///< of every evaluation
  std::vector<std::uint64_t> seeds;
  std::vector<core::EvaluateRequest> requests;
  std::vector<core::SweepRequest> sweep_requests;
  std::function<void(const core::EvaluateRequest&)> on_evaluate;
  std::function<void()> on_sweep;
};

core::Task softmax_task();
core::DeviceFacts fake_gpu(const std::string& name = "Fake H200");
const prompt::PromptLibrary& built_in_prompts();

/// A run directory below a folder that goes away with it, and what is needed to search in it.
struct TestRun {
  explicit TestRun(core::SearchOptions search = {}, core::DeviceFacts device = fake_gpu());

  /// One session: opens the journal, searches, closes it.
  Result<core::Finished> search_with(std::vector<llm::Client*> clients, FakeEvaluator& evaluator,
                                     bool paid = true, std::function<bool()> cancelled = {});
  agent::StoredRun stored() const;

  util::TemporaryFolder folder;
  core::DeviceFacts device;
  core::SearchOptions search;
  agent::RunPaths paths;
};

/// What must be the same however often a run was interrupted.
std::string fingerprint(const TestRun& run);
std::string fingerprint(const agent::RunPaths& paths);

/// A script by candidate number; the last reply repeats.
ScriptedClient::Script by_number(std::vector<Fate> fates);

}  // namespace kgen::test
