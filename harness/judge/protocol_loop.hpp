#pragma once

#include <memory>
#include <string>

#include "harness/judge/open_workplace.hpp"
#include "util/subprocess.hpp"

namespace kgen::judge {

/// Answers requests of docs/protocol.md on a channel, one after the other, until `shutdown` or its end.
class ProtocolLoop {
 public:
  /// `worker`: the program that the compile and run roles are started from.
  ProtocolLoop(util::LineChannel channel, std::string worker)
      : channel_(std::move(channel)), worker_(std::move(worker)) {}

  /// Returns the process's exit code.
  int run();

 private:
  /// One line in, events and one answer out. False: the loop ends.
  bool answer(const std::string& line);
  Result<std::string> dispatch(const std::string& method, const std::string& params, const std::string& id);
  Result<std::string> hello(const std::string& params);
  Result<std::string> evaluate_candidate(const std::string& params, const std::string& id);
  Result<std::string> build_candidate(const std::string& params);
  Result<std::string> make_sample(const std::string& params);
  Result<std::string> prove_op(const std::string& params, const std::string& id);
  Result<std::string> sweep_variants(const std::string& params, const std::string& id);
  Result<std::string> measure_baselines(const std::string& params, const std::string& id);
  StageEvent stage_events(const std::string& id);

  util::LineChannel channel_;
  std::string worker_;
  std::unique_ptr<OpenWorkplace> open_;
};

}  // namespace kgen::judge
