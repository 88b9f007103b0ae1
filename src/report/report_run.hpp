#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/evaluation.hpp"
#include "core/run_state.hpp"
#include "core/sweep.hpp"

namespace kgen::report {

/// What lies in a candidate's folder; what is not there is empty.
struct CandidateFiles {
  std::string prompt_system, prompt_user, reply, kernel;
  std::optional<core::Evaluation> screen, promotion;
  std::optional<core::SweepRecord> sweep;  ///< of its variants, on the device at hand
};

/// A run as it lies in its folder: all that a report of it is made of.
struct ReportRun {
  core::RunRecord record;
  core::RunState state;
  std::vector<CandidateFiles> files;  ///< [0] is candidate 1's; as many as the state has candidates
};

/// The newest evaluation in a candidate's files: its promotion, else its screen; null where there is none.
inline const core::Evaluation* newest(const CandidateFiles& files) {
  if (files.promotion) return &*files.promotion;
  return files.screen ? &*files.screen : nullptr;
}

/// The candidate that the outcome names; null where there is none.
inline const core::CandidateState* best_candidate(const core::RunState& state) {
  return state.finished ? state.find(state.finished->best) : nullptr;
}

/// A candidate's files; null where there is no such candidate.
inline const CandidateFiles* files_of(const ReportRun& run, int number) {
  const auto place = static_cast<std::size_t>(number) - 1;
  return place < run.files.size() ? &run.files[place] : nullptr;
}

/// The evaluation that the outcome rests on; null where there is none.
inline const core::Evaluation* best_evaluation(const ReportRun& run) {
  const core::CandidateState* const best = best_candidate(run.state);
  const CandidateFiles* const files = best == nullptr ? nullptr : files_of(run, best->number);
  return files == nullptr ? nullptr : newest(*files);
}

/// One task of a batch and its run, where that has begun.
struct ReportItem {
  int number = 0;
  std::string task, standing, problem;  ///< "softmax bf16 ...", "target_met" or why there is no outcome
  std::optional<ReportRun> run;
};

struct ReportBatch {
  std::string name, created_at;
  std::vector<ReportItem> items;
};

}  // namespace kgen::report
