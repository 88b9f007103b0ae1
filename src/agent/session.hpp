#pragma once

#include "agent/agent_loop.hpp"
#include "agent/ask_pool.hpp"
#include "agent/search.hpp"

namespace kgen::agent {

/// One session of a run: carries out the steps that the search chooses and journals what comes of them.
class Session {
 public:
  explicit Session(const LoopInputs& inputs);

  /// Journals the start or the resumption, and what became of calls that were open when the last session
  /// ended.
  Status begin();
  const core::RunState& state() const { return inputs_.journal.state(); }

  Status perform(const MeasureBaselines&);
  Status perform(const AskNew& step);
  Status perform(const AskAgain& step);
  Status perform(const ContinueReply& step);
  Status perform(const Screen& step);
  Status perform(const SweepVariants& step);
  Status perform(const Promote& step);
  Status perform(const AwaitReply&);
  Status perform(const StopWaiting&);
  Status perform(const Finish& step);

  /// Waits for the calls that are open, journals their replies, and gives `error` back: nothing paid for is
  /// thrown away.
  Error wind_up(Error error);

 private:
  Status note(core::EventBody body);
  Status note_lost_calls();
  Status start_call(int number, core::AskIntended intent, llm::Prompt prompt);
  Status take(const AskDone& done);
  Status take(const AskAttempt& attempt);
  Status take_reply(int candidate, const llm::Reply& reply);
  Status save_reply(const core::CandidateState& candidate, const llm::Reply& reply);
  Status judge(int candidate, core::Tier tier);
  core::EvaluateRequest request_for(int candidate, core::Tier tier, const std::string& source) const;
  double profile_limit_us() const;
  judge::EvaluationCallbacks callbacks_for(int candidate, core::Tier tier) const;
  Status write_best();

  const LoopInputs& inputs_;
  AskPool calls_;
};

}  // namespace kgen::agent
