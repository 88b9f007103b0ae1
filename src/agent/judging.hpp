#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "judge/evaluator.hpp"

namespace kgen::agent {

/// A reply, read: the candidate's source, or an evaluation that says why there is none.
struct ReadReply {
  std::optional<std::string> source;
  core::Evaluation problem;
};
/// `stop` and `detail` are the journal's: a refusal or a cut reply is named as such where no kernel can be
/// read.
ReadReply read_reply(const std::string& reply, std::string_view stop, const std::string& detail = {});

/// The plan's notes; empty where the plan cannot be read.
std::string notes_of(const std::string& source);

/// Seed of one evaluation: it follows from the run's, so that a resumed run repeats nothing differently, and
/// no two evaluations of a run share one.
std::uint64_t evaluation_seed(std::uint64_t run_seed, int candidate, core::Tier tier);

/// Of the sweep over a candidate's variants; no evaluation of the run has the same.
std::uint64_t sweep_seed(std::uint64_t run_seed, int candidate);

/// Runs `call` and, where the judge itself failed, once more with a fresh worker.
template <class Call>
auto with_fresh_worker(judge::Evaluator& evaluator, const Call& call) -> decltype(call()) {
  auto result = call();
  if (result || result.error().kind == ErrorKind::interrupted || result.error().kind == ErrorKind::bad_input)
    return result;
  KGEN_CHECK(evaluator.restart());
  result = call();
  if (!result && result.error().kind != ErrorKind::interrupted) result.error().kind = ErrorKind::missing;
  return result;
}

}  // namespace kgen::agent
